import { resumeFiling } from '../../../../filing/pause.ts';
import { notPaused, onlyAdmins, resumedNow } from '../../../../render/steering-notices.ts';
import { tellPerson } from '../../tell.ts';
import type { Subcommand } from './subcommand.ts';

/** `/gumshoe resume` goes on with filing, and offers what came meanwhile. */
export const resume: Subcommand = {
  example: 'resume',
  does: 'goes on with filing, and offers what came meanwhile (admins)',
  run: async ({ userId, cause, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdmins(), deps);
    const change = { cause, by: userId, now: deps.clock.now() };
    const offered = await deps.store.transaction((tx) => resumeFiling(tx, change));
    deps.rings.outbox();
    await tellPerson(respond, offered ? resumedNow(offered) : notPaused(), deps);
  },
};
