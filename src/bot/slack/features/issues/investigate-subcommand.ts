import type { Subcommand } from '../../listening/subcommand.ts';
import { runInvestigate } from './investigate.ts';

/** `/investigate`, where another app has taken its name. */
export const investigate: Subcommand = {
  example: 'investigate checkout is slow',
  does: 'same as `/investigate`',
  run: (asked, deps) => runInvestigate({ ...asked, command: `${asked.command} investigate` }, deps),
};
