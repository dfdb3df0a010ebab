import type { IssueCreate } from '../service/schema/issue.ts';
import type { Store } from '../store/open.ts';
import { addIssue } from './add-issue.ts';

/**
 * Files what a person asks for in their own words. It is stored here, and brought to the service by itself, however
 * long that is down; the same cause again changes nothing.
 */
export function fileForPerson(
  {
    id,
    channel,
    by,
    request,
    now,
  }: { id: string; channel: string; by: string; request: IssueCreate; now: number },
  { store }: { store: Store },
): Promise<void> {
  return store.transaction(async (tx) => {
    const place = { channel, threadTs: null, requestedBy: by, source: null };
    const added = await addIssue(tx, { id, identity: null, request, ...place, now });
    if (added) await tx.audit.add({ at: now, who: by, what: 'filed it', issueId: id });
  });
}
