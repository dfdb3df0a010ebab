import { runAsk } from '../ask/run.ts';
import type { Subcommand } from './subcommand.ts';

/** `/ask`, where another app has taken its name. */
export const ask: Subcommand = {
  example: 'ask what is slow?',
  does: 'does what `/ask` does',
  run: (asked, deps) => runAsk({ ...asked, command: `${asked.command} ask` }, deps),
};
