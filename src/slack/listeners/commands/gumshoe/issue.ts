import { runIssue } from '../issue/run.ts';
import type { Subcommand } from './subcommand.ts';

/** `/issue`, where another app has taken its name. */
export const issue: Subcommand = {
  example: 'issue list',
  does: 'is `/issue list`; `issue 12`, `issue resolve 12` and so on are its others',
  run: (asked, deps) => runIssue({ ...asked, command: `${asked.command} issue` }, deps),
};
