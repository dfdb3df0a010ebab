import type { Register } from '../deps.ts';
import { ask } from './ask.ts';
import { gumshoe } from './gumshoe.ts';
import { investigate } from './investigate.ts';
import { issue } from './issue.ts';

/** One line a command; the names are those of `slack/ids.ts` and `manifest.yml`. */
export const commands: Record<string, Register> = {
  ask,
  gumshoe,
  investigate,
  issue,
};
