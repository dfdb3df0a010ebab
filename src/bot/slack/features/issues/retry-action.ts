import { transitions } from '../../../store/issue-transitions.ts';
import { onIssueAction } from '../../listening/on-issue-action.ts';

/** *Try again* on the card of an issue that could not be filed. */
export const retry = onIssueAction('retry', async ({ issue, userId }, deps) => {
  if (issue.state !== 'failed') return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const other = issue.identity === null ? null : await tx.issues.openByIdentity(issue.identity);
    // Somebody else was faster.
    if (!(await tx.issues.apply(issue.id, transitions.retry({ by: userId, at: now }, other === null))))
      return;
    await tx.audit.add({ at: now, who: userId, what: 'tried again', issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
  });
});
