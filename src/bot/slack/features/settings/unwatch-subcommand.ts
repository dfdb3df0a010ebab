import { notWatched } from '../../../render/issues/steering-notices.ts';
import { unwatchModal } from '../../../render/settings/unwatch-modal.ts';
import { openModal } from '../../listening/open-modal.ts';
import type { Subcommand } from '../../listening/subcommand.ts';
import { tellPerson } from '../../listening/tell.ts';
import { settingsRefused } from './refused.ts';

/** `/gumshoe unwatch` asks first. */
export const unwatch: Subcommand = {
  example: 'unwatch',
  does: 'stops watching this channel; asks first',
  run: async ({ userId, channel, triggerId, respond }, deps) => {
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return tellPerson(respond, refused, deps);
    const { watched } = await deps.store.channels.get(channel);
    if (!watched) return tellPerson(respond, notWatched(channel), deps);
    await openModal(triggerId, unwatchModal(channel), respond, deps);
  },
};
