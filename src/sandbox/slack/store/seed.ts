import type { App } from '../entities.ts';
import { seedChannels, seedUsers } from '../seed.ts';
import type { Store } from './store.ts';

/**
 * Gives a new workspace its people and channels. One that an older version made gets the channels that it lacks; the
 * app's own user is renewed, since its name comes from the manifest.
 */
export function plant(store: Store, app: App, now: number): void {
  const isNew = store.users.all().length === 0;
  for (const user of seedUsers(app)) {
    if (isNew || user.is_bot) store.users.put(user);
  }
  for (const { channel, members } of seedChannels(app, now)) {
    if (store.channels.get(channel.id)) continue;
    store.channels.put(channel);
    for (const member of members) store.channels.join(channel.id, member);
  }
}
