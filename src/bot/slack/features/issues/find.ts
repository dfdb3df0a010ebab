import type { IssueDetail } from '../../../../contract/answers.ts';
import { CancelledError, ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { displayName } from '../../../../lib/text.ts';
import type { Deps } from '../../../deps.ts';
import type { IssueReference } from '../../../render/issues/issue-reference.ts';
import { onlyForItsMembers } from '../../../render/issues/issue-sentences.ts';
import { serviceFailure, unknownIssue } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { atService, type IssueNumber, issueNumber } from '../../../shared/issue-number.ts';
import type { Issue } from '../../../store/issues.ts';
import { belongingOf } from '../../access/may-read.ts';

/** An issue as the service has it, and our record of it, or `null` if we have none. */
export interface Found {
  detail: IssueDetail;
  ours: Issue | null;
}

/** Somebody who asks for an issue, and the channel that Slack gives for the request. */
export interface Viewer {
  userId: string;
  channel: string;
}

const TOO_SLOW = 'The investigation service timed out. Nothing was changed; try again in a minute.';

/**
 * Looks an issue up at the service by its number (contract 4.5), or returns what went wrong. An issue that we have no
 * record of and that the person may not see counts as such; for one with a record, its card decides what is allowed
 * where.
 *
 * @param signal stops waiting when a modal has to open soon
 */
export async function findIssue(
  number: IssueNumber,
  viewer: Viewer,
  deps: Deps,
  signal?: AbortSignal,
): Promise<Found | { refused: Rendered }> {
  const there = atService(number);
  if (!(await isReachable(number, deps))) {
    return { refused: unknownIssue(String(number)) };
  }
  try {
    const detail = await deps.services.for(there.organization).issues.byNumber(there.number, signal);
    const belonging = await belongingOf(detail, there.organization, deps);
    if (belonging.kind === 'ours') return { detail, ours: belonging.issue };
    const reader = { channel: viewer.channel, person: viewer.userId };
    if (await deps.mayRead(reader, belonging, 'now')) return { detail, ours: null };
    const isKnown = belonging.kind === 'forgotten';
    return { refused: isKnown ? onlyForItsMembers(number) : unknownIssue(String(number)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 404) {
      return {
        refused: unknownIssue(String(number), await privateIssueWithNumber(number, viewer.channel, deps)),
      };
    }
    deps.log.warn({ err: error, number }, 'could not fetch an issue');
    if (error instanceof CancelledError) return { refused: serviceFailure(TOO_SLOW) };
    return { refused: serviceFailure(explainServiceError(error)) };
  }
}

/** The issue's title; empty if neither the service nor the store has one. */
export function issueTitle({ detail, ours }: Found): string {
  return displayName({ title: detail.title ?? ours?.title ?? '', service: ours?.service });
}

/** Without a service for private channels, only the private issues in our store are known. */
async function isReachable(number: IssueNumber, { store, services }: Deps): Promise<boolean> {
  return services.has(atService(number).organization) || (await store.issues.byNumber(number)) !== null;
}

/** The private issue with the same number that may be shown here, in case it was meant; `null` if there is none. */
export async function privateIssueWithNumber(
  number: IssueNumber,
  channel: string,
  { store, mayRead }: Deps,
): Promise<IssueNumber | null> {
  if (typeof number !== 'number') return null;
  const otherIssueWithNumber: IssueNumber = `P${number}`;
  const issue = await store.issues.byNumber(otherIssueWithNumber);
  return issue !== null && (await mayRead({ channel }, issue)) ? otherIssueWithNumber : null;
}

/**
 * An issue as it may be referred to in a channel. If it lives in another, private channel, that is only its number and
 * status.
 */
export async function issueReference(
  issue: Issue,
  channel: string,
  { mayRead, permalink }: Deps,
): Promise<IssueReference> {
  const isHidden = !(await mayRead({ channel }, issue));
  return {
    number: issueNumber(issue),
    status: issue.state === 'created' ? issue.status : instead[issue.state],
    title: isHidden ? null : displayName(issue),
    url: isHidden || issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs),
  };
}

const instead = { pending: 'filing', failed: 'failed', gone: 'deleted' } as const;
