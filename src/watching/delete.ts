import type { Clock } from '../lib/clock.ts';
import type { ServiceClient } from '../service/client.ts';
import { ServiceError } from '../service/errors.ts';
import type { Store } from '../store/open.ts';

/** An issue that is to be deleted for good. */
export interface Doomed {
  uuid: string;
  number: number;
  /** Our id of it; `null` for one that was filed elsewhere. */
  issueId: string | null;
}

/**
 * Deletes an issue at the service (contract 4.7), and here everything but the fact that there was one: its card says
 * by whom and when. To do it again changes nothing more.
 *
 * @returns `gone` where the service did not have it any more.
 * @throws ServiceError when the service does not delete it; then it stays here too.
 */
export async function deleteIssue(
  { uuid, number, issueId }: Doomed,
  who: string,
  { store, service, clock }: { store: Store; service: ServiceClient; clock: Clock },
): Promise<'deleted' | 'gone'> {
  const outcome = await deleteThere(uuid, service);
  await store.transaction(async (tx) => {
    const now = clock.now();
    const issue = issueId === null ? null : await tx.issues.get(issueId);
    if (issue === null) {
      await tx.audit.add({
        at: now,
        who,
        what: `deleted #${number}, which was filed elsewhere`,
        issueId: null,
      });
      return;
    }
    await tx.erasure.ofIssue(issue);
    // Deleted before, by somebody: the card says so already.
    if (issue.state === 'gone' && outcome === 'gone') return;
    await tx.issues.update(issue.id, {
      state: 'gone',
      is_open: 0,
      watched: 0,
      status_since: now,
      wanted_status: null,
      last_action: JSON.stringify({ userId: who, what: 'deleted it', at: now }),
    });
    await tx.audit.add({ at: now, who, what: 'deleted it', issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
  });
  return outcome;
}

async function deleteThere(uuid: string, service: ServiceClient): Promise<'deleted' | 'gone'> {
  try {
    await service.issues.delete(uuid);
    return 'deleted';
  } catch (error) {
    // Only with the contract's error body: a proxy's own 404 says nothing about the issue.
    if (error instanceof ServiceError && error.status === 404 && error.type !== null) return 'gone';
    throw error;
  }
}
