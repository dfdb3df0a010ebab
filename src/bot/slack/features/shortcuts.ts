import type { shortcutIds } from '../ids.ts';
import type { Register } from '../listening/deps.ts';
import { investigateThis } from './alerts/investigate-this-shortcut.ts';
import { whyFiled } from './alerts/why-filed-shortcut.ts';
import { newIssue } from './issues/new-issue-shortcut.ts';

/** One line a shortcut; the names are those of `slack/ids.ts`. */
export const shortcuts: Record<keyof typeof shortcutIds, Register> = {
  investigateThis,
  newIssue,
  whyFiled,
};
