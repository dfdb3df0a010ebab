import type { IssueCreate } from '../../contract/schema/issue.ts';
import type { Store } from '../store/open.ts';
import { addIssue } from './add-issue.ts';
import type { ConsentOptions } from './channel-message.ts';
import { type FilingRefusal, limitReached, type PersonLimit } from './person-limit.ts';
import { organizationFor } from './privacy.ts';

/**
 * Files an issue in a person's own words. It is stored first, and created at the service however long that is down.
 * Repeating a cause changes nothing.
 *
 * @returns why nothing was filed; `null` if it was
 */
export async function fileForPerson(
  {
    id,
    channel,
    by,
    request,
    now,
  }: { id: string; channel: string; by: string; request: IssueCreate; now: number },
  options: { store: Store } & PersonLimit & ConsentOptions,
): Promise<FilingRefusal | null> {
  if (await options.needsConsent(channel)) return { needsConsent: channel };
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
