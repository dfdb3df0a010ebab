import type { viewIds } from '../../render/view-ids.ts';
import type { Register } from '../listening/deps.ts';
import { attach } from './alerts/attach-modal-submission.ts';
import { investigateThis } from './alerts/investigate-this-modal-submission.ts';
import { notSame } from './alerts/not-same-modal-submission.ts';
import { digest } from './digest/digest-modal-submission.ts';
import { chooseHeld } from './held/choose-modal-submission.ts';
import { deleteIssue } from './issues/delete-modal-submission.ts';
import { newIssue } from './issues/new-issue-modal-submission.ts';
import { settings } from './settings/settings-modal-submission.ts';
import { unwatch } from './settings/unwatch-modal-submission.ts';

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
