import type { viewIds } from '../../../render/view-ids.ts';
import type { Register } from '../deps.ts';
import { attach } from './attach.ts';
import { chooseHeld } from './choose-held.ts';
import { deleteIssue } from './delete-issue.ts';
import { digest } from './digest.ts';
import { investigateThis } from './investigate-this.ts';
import { newIssue } from './new-issue.ts';
import { notSame } from './not-same.ts';
import { settings } from './settings.ts';
import { unwatch } from './unwatch.ts';

/** One line a modal's submission; the names are those of `render/view-ids.ts`. */
export const views: Record<keyof typeof viewIds, Register> = {
  attach,
  chooseHeld,
  digest,
  deleteIssue,
  investigateThis,
  newIssue,
  notSame,
  settings,
  unwatch,
};
