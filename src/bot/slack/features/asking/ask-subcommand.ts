import type { Subcommand } from '../../listening/subcommand.ts';
import { runAsk } from './ask.ts';

/** `/ask`, where another app has taken its name. */
export const ask: Subcommand = {
  example: 'ask what is slow?',
  does: 'same as `/ask`',
  run: (asked, deps) => runAsk({ ...asked, command: `${asked.command} ask` }, deps),
};
