import type { Subcommand } from '../../listening/subcommand.ts';
import { runIssue } from './issue-command/run.ts';

/** `/issue`, where another app has taken its name. */
export const issue: Subcommand = {
  example: 'issue list',
  does: 'same as `/issue`, here `list`; also `issue resolve 12` and so on',
  run: (asked, deps) => runIssue({ ...asked, command: `${asked.command} issue` }, deps),
};
