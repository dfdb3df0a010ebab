import { onlyAdmins, pausedAlready, pausedNow } from '../../../render/issues/steering-notices.ts';
import { overtaken } from '../../../render/notices.ts';
import { pauseFiling } from '../../../settings/pause.ts';
import type { Subcommand } from '../../commands/command.ts';
import { tellPerson } from '../../listening/tell.ts';

/** `/gumshoe pause` stops filing in every channel. */
export const pause: Subcommand = {
  example: 'pause',
  does: 'stops filing in all channels and puts alerts on hold (admins)',
  run: async ({ userId, cause, moment, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdmins(), deps);
    const change = { cause, by: userId, moment, now: deps.clock.now() };
    const not = await deps.store.transaction((tx) => pauseFiling(tx, change));
    if (not !== null && 'overtaken' in not) return tellPerson(respond, overtaken(not.overtaken), deps);
    const watched = await deps.store.channels.watched();
    await tellPerson(respond, not ? pausedAlready(not.already) : pausedNow(watched.length), deps);
  },
};
