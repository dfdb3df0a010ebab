import { cameTooLate } from '../../../render/notices.ts';
import { onHomeButton } from '../home-pressed.ts';
import { newIssueView } from '../new-issue-view.ts';
import { opensInTime } from '../open-modal.ts';

/** *New issue* on the Home: the form, whose card comes as a direct message unless a channel is chosen. */
export const homeNewIssue = onHomeButton('homeNewIssue', async ({ userId, triggerId }, deps) => {
  if (await opensInTime(triggerId, await newIssueView(null, deps), deps)) return;
  await deps.home.show(userId, { note: cameTooLate() });
});
