import type { Register } from '../listening/deps.ts';
import { gumshoe } from './admin/gumshoe-command.ts';
import { ask } from './asking/ask-command.ts';
import { investigate } from './issues/investigate-command.ts';
import { issue } from './issues/issue-command.ts';

/** One line a command; the names are those of `slack/ids.ts` and `manifest.yml`. */
export const commands: Record<string, Register> = {
  ask,
  gumshoe,
  investigate,
  issue,
};
