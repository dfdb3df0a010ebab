import { pauseFiling } from '../../../../filing/pause.ts';
import { onlyAdmins, pausedAlready, pausedNow } from '../../../../render/steering-notices.ts';
import { tellPerson } from '../../tell.ts';
import type { Subcommand } from './subcommand.ts';

/** `/gumshoe pause` stops filing in every channel. */
export const pause: Subcommand = {
  example: 'pause',
  does: 'stops filing in all channels; alerts are kept (admins)',
  run: async ({ userId, cause, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdmins(), deps);
    const change = { cause, by: userId, now: deps.clock.now() };
    const already = await deps.store.transaction((tx) => pauseFiling(tx, change));
    deps.rings.outbox();
    const watched = await deps.store.channels.watched();
    await tellPerson(respond, already ? pausedAlready(already) : pausedNow(watched.length), deps);
  },
};
