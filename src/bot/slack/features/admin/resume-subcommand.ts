import { notPaused, onlyAdmins, resumedNow } from '../../../render/issues/steering-notices.ts';
import { overtaken } from '../../../render/notices.ts';
import { resumeFiling } from '../../../settings/pause.ts';
import type { Subcommand } from '../../commands/command.ts';
import { tellPerson } from '../../listening/tell.ts';

/** `/gumshoe resume` resumes filing, and offers the alerts that arrived during the pause. */
export const resume: Subcommand = {
  example: 'resume',
  does: 'resumes filing and offers the alerts on hold (admins)',
  run: async ({ userId, cause, moment, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdmins(), deps);
    const change = { cause, by: userId, moment, now: deps.clock.now() };
    const offered = await deps.store.transaction((tx) => resumeFiling(tx, change));
    if (offered !== null && 'overtaken' in offered) {
      return tellPerson(respond, overtaken(offered.overtaken), deps);
    }
    await tellPerson(respond, offered ? resumedNow(offered) : notPaused(), deps);
  },
};
