import { cameTooLate } from '../../../render/notices.ts';
import { opensInTime } from '../../listening/open-modal.ts';
import { newIssueView } from '../issues/new-issue-modal.ts';
import { onHomeAction } from './on-home-action.ts';

/** *New issue* on the Home: opens the form. The card is sent as a direct message unless a channel is chosen. */
export const homeNewIssue = onHomeAction('homeNewIssue', async ({ userId, triggerId }, deps) => {
  if (await opensInTime(triggerId, await newIssueView(null, deps), deps)) return;
  await deps.home.show(userId, { note: cameTooLate() });
});
