import { onIssueAction } from '../../listening/on-issue-action.ts';

/** *Try again* on the card of an issue that could not be filed. */
export const retry = onIssueAction('retry', async ({ issue, userId }, deps) => {
  if (issue.state !== 'failed') return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const other = issue.identity === null ? null : await tx.issues.openByIdentity(issue.identity);
    await tx.issues.update(issue.id, {
      state: 'pending',
      isOpen: other === null ? 1 : 0,
      failure: null,
      attempts: 0,
      nextAt: now,
      lastAction: JSON.stringify({ userId, what: 'tried again', at: now }),
    });
    await tx.audit.add({ at: now, who: userId, what: 'tried again', issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
  });
  deps.wakeups.filed();
  deps.wakeups.outbox();
});
