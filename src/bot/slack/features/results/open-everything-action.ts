import { onIssueAction } from '../../listening/on-issue-action.ts';
import { openModal } from '../../listening/open-modal.ts';
import { showResults } from './results-modal.ts';

/** *Everything* under results: shows them in full in a modal. */
export const wholeResults = onIssueAction('everything', async (context, deps) => {
  const { issue, channel, triggerId, respond } = context;
  const version = Number(context.choice ?? issue.endedVersion);
  if (!Number.isSafeInteger(version)) return;
  const place = { issueId: issue.id, version, page: 0, channel };
  await showResults(issue, place, (modal) => openModal(triggerId, modal, respond, deps), deps);
});
