import type { Clock } from '../../../lib/clock.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';

/** Not a person: it happened by itself. */
const NOBODY = 'gumshoe';
const WHAT = 'somebody deleted its message in Slack, so what comes is not shown there any more';

/**
 * Somebody deleted the message, or the thread it was to stand in: it is not said again. That an issue is shown nowhere
 * any more is written into its history once, and its Home entry says so too.
 */
export async function giveUpGone(
  row: OutboxRow,
  error: string,
  { store, clock }: { store: Store; clock: Clock },
): Promise<void> {
  await store.transaction(async (tx) => {
    const { issueId } = row;
    const before = issueId === null || (await tx.outbox.isGone(issueId));
    await tx.outbox.dead(row.key, error);
    if (issueId === null || before || !(await tx.outbox.isGone(issueId))) return;
    await tx.audit.add({ at: clock.now(), who: NOBODY, what: WHAT, issueId });
  });
}
