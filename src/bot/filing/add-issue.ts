import type { IssueCreate } from '../../contract/schema.ts';
import type { Organization } from '../../lib/issue-number.ts';
import { begins } from '../../lib/tracing/spans.ts';
import { cardIntent } from '../store/intents/issue-intents.ts';
import type { Aggregates } from '../store/open.ts';
import { canonicalEnvironment } from './identity.ts';
import type { Earlier } from './request.ts';

/** An issue to be created at the service, and where its card goes. */
export interface IssueToAdd {
  id: string;
  identity: string | null;
  request: IssueCreate;
  channel: string;
  threadTs: string | null;
  requestedBy: string | null;
  organization: Organization;
  source: string | null;
  earlier?: Earlier | null;
  now: number;
}

/** Stores an issue to be created at the service, and requests its card. Returns false if it is already there. */
export async function addIssue(tx: Aggregates, issue: IssueToAdd): Promise<boolean> {
  const { request, now } = issue;
  const added = await tx.issues.add({
    id: issue.id,
    identity: issue.identity,
    isOpen: true,
    state: 'pending',
    request: JSON.stringify(request),
    status: 'investigating',
    statusSince: now,
    title: request.title,
    severity: request.severity ?? 'medium',
    environment: canonicalEnvironment(request.environment),
    service: request.context?.service ?? null,
    source: issue.source,
    alertUrl: request.context?.alertUrl ?? null,
    channel: issue.channel,
    threadTs: issue.threadTs,
    requestedBy: issue.requestedBy,
    organization: issue.organization,
    investigatingSince: now,
    createdAt: now,
    earlier: issue.earlier ? JSON.stringify(issue.earlier) : null,
  });
  if (!added) return false;
  begins(`issue:${issue.id}`);
  if (issue.requestedBy !== null) await tx.progress.begin(issue.id);
  await tx.outbox.want(cardIntent(issue, now));
  return true;
}
