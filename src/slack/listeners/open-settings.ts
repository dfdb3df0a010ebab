import type { RespondFn } from '@slack/bolt';
import type { ListenerDeps } from './deps.ts';
import { openModal } from './open-modal.ts';
import { settingsRefused } from './settings-refused.ts';
import { settingsView } from './settings-view.ts';
import { tellPerson } from './tell.ts';

/** Opens a channel's settings for somebody, or tells them what is in the way. */
export async function openSettings(
  {
    userId,
    channel,
    triggerId,
    respond,
  }: { userId: string; channel: string; triggerId: string; respond: RespondFn },
  deps: ListenerDeps,
): Promise<void> {
  const refused = await settingsRefused(userId, channel, deps);
  if (refused) return tellPerson(respond, refused, deps);
  await openModal(triggerId, await settingsView(channel, deps), respond, deps);
}
