import { runIssue } from '../issue/run.ts';
import type { Subcommand } from './subcommand.ts';

/** `/issue`, where another app has taken its name. */
export const issue: Subcommand = {
  example: 'issue list',
  does: 'does what `/issue` does, here to list; `issue resolve 12` and so on likewise',
  run: (asked, deps) => runIssue({ ...asked, command: `${asked.command} issue` }, deps),
};
