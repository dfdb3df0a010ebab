import type { ServiceClient } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import { atService, type IssueNumber } from '../shared/issue-number.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { type ChangeOptions, type ChangeRequest, changeIdempotently } from './change-status.ts';

/** An issue to be deleted for good. */
export interface Doomed {
  uuid: string;
  number: IssueNumber;
  /** Gumshoe's id; `null` if it was filed elsewhere. */
  issueId: string | null;
}

type Outcome = 'deleted' | 'gone';

/**
 * Deletes an issue at the service (contract 4.7), and everything here except that it existed: its card says who
 * deleted it, and when. Repeating it changes nothing.
 *
 * @returns `gone` if the service no longer had it.
 * @throws ServiceError if the service does not delete it; it then stays here too.
 */
export async function deleteIssue(
  doomed: Doomed,
  wish: ChangeRequest,
  options: ChangeOptions,
): Promise<Outcome> {
  const { store, services, clock, checkpoint } = options;
  const { uuid, number, issueId } = doomed;
  const service = services.for(atService(number).organization);
  const outcome = await changeIdempotently(wish, 0, options, async ({ isTakenUp }) => {
    await checkpoint('deletion: before send');
    const there = await deleteThere(uuid, service);
    // We deleted it: an earlier process sent the request, and was killed before it could record that.
    return isTakenUp ? 'deleted' : there;
  });
  if (outcome === null) return 'deleted';
  await checkpoint('deletion: sent');
  await store.transaction(async (tx) => {
    const at = clock.now();
    const issue = issueId === null ? null : await tx.issues.get(issueId);
    if (issue === null) {
      const what = `deleted #${number}, which was filed elsewhere`;
      await tx.audit.add({ at, who: wish.who, what, issueId: null });
    } else await eraseHere(tx, issue, { outcome, who: wish.who, at });
    await tx.tombstones.remove(uuid);
    await tx.changes.recorded(wish.cause);
  });
  await checkpoint('deletion: recorded');
  // If the process is killed before this, the next start does it.
  await store.truncateLog();
  return outcome;
}

async function eraseHere(
  tx: Aggregates,
  issue: Issue,
  { outcome, who, at }: { outcome: Outcome; who: string; at: number },
): Promise<void> {
  await tx.erasure.ofIssue(issue);
  // Somebody deleted it before, and the card says so.
  if (issue.state === 'gone' && outcome === 'gone') return;
  await tx.issues.apply(issue.id, transitions.markDeleted({ by: who, at }));
  await tx.audit.add({ at, who, what: 'deleted it', issueId: issue.id });
  await tx.outbox.refreshCards(issue.id);
  await tx.issues.moveSymptoms(issue.id, null);
}

async function deleteThere(uuid: string, service: ServiceClient): Promise<Outcome> {
  try {
    await service.issues.delete(uuid);
    return 'deleted';
  } catch (error) {
    // Only with the contract's error body: a proxy's own 404 says nothing about the issue.
    if (error instanceof ServiceError && error.status === 404 && error.type !== null) return 'gone';
    throw error;
  }
}
