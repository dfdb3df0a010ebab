import { notWatched } from '../../../render/issues/steering-notices.ts';
import { unwatchModal } from '../../../render/settings/unwatch-modal.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Subcommand } from '../../commands/command.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';

/** `/gumshoe unwatch` asks for confirmation. */
export const unwatch: Subcommand = {
  example: 'unwatch',
  does: 'stops watching this channel; asks first',
  run: async ({ userId, channel, triggerId, respond }, deps) => {
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return tellPerson(respond, refused, deps);
    const { watched, settings } = await deps.store.channels.get(channel);
    if (!watched && settings.namedElsewhere === undefined)
      return tellPerson(respond, notWatched(channel), deps);
    await openModal(triggerId, unwatchModal(channel), respond, deps);
  },
};
