import type { Feature } from '../../listening/feature.ts';
import { chooseEnvironment, moreContext } from './change-form-action.ts';
import { mute, reopen, resolve } from './change-status-action.ts';
import { more } from './choose-more-action.ts';
import { deleteIssue } from './delete-modal-submission.ts';
import { investigate } from './investigate-command.ts';
import { issue } from './issue-command.ts';
import { newIssue as newIssueSubmission } from './new-issue-modal-submission.ts';
import { newIssue } from './open-new-issue-shortcut.ts';
import { retry } from './retry-action.ts';
import { nextIssues, previousIssues } from './turn-page-action.ts';

/** Issues: filed by people, listed, shown, and changed. */
export const issues: Feature = {
  commands: { investigate, issue },
  actions: { chooseEnvironment, more, moreContext, mute, nextIssues, previousIssues, reopen, resolve, retry },
  views: { deleteIssue, newIssue: newIssueSubmission },
  shortcuts: { newIssue },
};
