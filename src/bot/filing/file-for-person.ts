import type { IssueCreate } from '../../contract/schema/issue.ts';
import type { Store } from '../store/open.ts';
import { addIssue } from './add-issue.ts';
import { type LimitReached, limitReached, type PersonLimit } from './person-limit.ts';
import { organizationFor } from './privacy.ts';

/**
 * Files what a person asks for in their own words. It is stored here, and brought to the service by itself, however
 * long that is down; the same cause again changes nothing.
 *
 * @returns the person's limit where they have reached it, and nothing was filed; else `null`.
 */
export function fileForPerson(
  {
    id,
    channel,
    by,
    request,
    now,
  }: { id: string; channel: string; by: string; request: IssueCreate; now: number },
  options: { store: Store } & PersonLimit,
): Promise<LimitReached | null> {
  return options.store.transaction(async (tx) => {
    if ((await tx.issues.get(id)) !== null) return null;
    const reached = await limitReached(tx, by, options, now);
    if (reached) return reached;
    const organization = await organizationFor(tx, channel);
    const place = { channel, threadTs: null, requestedBy: by, source: null, organization };
    await addIssue(tx, { id, identity: null, request, ...place, now });
    await tx.audit.add({ at: now, who: by, what: 'filed it', issueId: id });
    return null;
  });
}
