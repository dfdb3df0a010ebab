import type { shortcutIds } from '../../ids.ts';
import type { Register } from '../deps.ts';
import { investigateThis } from './investigate-this.ts';
import { newIssue } from './new-issue.ts';
import { whyFiled } from './why-filed.ts';

/** One line a shortcut; the names are those of `slack/ids.ts`. */
export const shortcuts: Record<keyof typeof shortcutIds, Register> = {
  investigateThis,
  newIssue,
  whyFiled,
};
