import { notWatched } from '../../../../render/steering-notices.ts';
import { unwatchModal } from '../../../../render/unwatch-modal.ts';
import { openModal } from '../../open-modal.ts';
import { settingsRefused } from '../../settings-refused.ts';
import { tellPerson } from '../../tell.ts';
import type { Subcommand } from './subcommand.ts';

/** `/gumshoe unwatch` asks first. */
export const unwatch: Subcommand = {
  example: 'unwatch',
  does: 'stops that; asks first',
  run: async ({ userId, channel, triggerId, respond }, deps) => {
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return tellPerson(respond, refused, deps);
    const { watched } = await deps.store.channels.get(channel);
    if (!watched) return tellPerson(respond, notWatched(channel), deps);
    await openModal(triggerId, unwatchModal(channel), respond, deps);
  },
};
