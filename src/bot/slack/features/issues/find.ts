import type { IssueDetail } from '../../../../contract/answers.ts';
import { CancelledError, ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { displayName } from '../../../../lib/display-name.ts';
import { atService, type IssueNumber, issueNumber } from '../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../filing/privacy.ts';
import type { IssueReference } from '../../../render/issues/issue-reference.ts';
import { onlyForItsMembers } from '../../../render/issues/issue-sentences.ts';
import { serviceFailure, unknownIssue } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import type { Issue } from '../../../store/issues.ts';
import { isPrivateNow } from '../../access/channel-access.ts';
import type { Viewer } from '../../access/issue-access.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/** An issue as the service has it, and our record of it, or `null` if we have none. */
export interface Found {
  detail: IssueDetail;
  ours: Issue | null;
}

type Deps = Pick<ListenerDeps, 'store' | 'services' | 'access' | 'isPrivateChannel' | 'log'>;

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
    const belonging = await deps.access.belonging(detail);
    if (belonging.kind === 'ours') return { detail, ours: belonging.issue };
    if (belonging.kind === 'elsewhere' && there.organization === 'private') {
      // It has no channel to decide who may see it, so it is shown where the agent that knows about it answers.
      if (!(await isPrivateNow(viewer.channel, deps))) return { refused: unknownIssue(String(number)) };
    } else if (!(await deps.access.maySee(belonging, viewer))) return { refused: onlyForItsMembers(number) };
    return { detail, ours: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 404) {
      return { refused: unknownIssue(String(number), await privateNamesake(number, viewer.channel, deps)) };
    }
    deps.log.warn({ err: error, number }, 'could not fetch an issue');
    if (error instanceof CancelledError) return { refused: serviceFailure(TOO_SLOW) };
    return { refused: serviceFailure(explainServiceError(error)) };
  }
}

/** The issue's title; empty if neither the service nor the store has one. */
export function nameOf({ detail, ours }: Found): string {
  return displayName({ title: detail.title ?? ours?.title ?? '', service: ours?.service });
}

/** Without a service for private channels, only the private issues in our store are known. */
async function isReachable(number: IssueNumber, { store, services }: Deps): Promise<boolean> {
  return services.has(atService(number).organization) || (await store.issues.byNumber(number)) !== null;
}

/** The private issue with the same number that may be shown here, in case it was meant; `null` if there is none. */
export async function privateNamesake(
  number: IssueNumber,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<IssueNumber | null> {
  if (typeof number !== 'number') return null;
  const namesake: IssueNumber = `P${number}`;
  const issue = await store.issues.byNumber(namesake);
  return issue !== null && (await mayBeShownIn(store, issue.channel, channel)) ? namesake : null;
}

/**
 * An issue as it may be referred to in a channel. If it lives in another, private channel, that is only its number and
 * status (DESIGN section 4, *Filing*).
 */
export async function issueReference(
  issue: Issue,
  channel: string,
  { store, permalink }: Pick<ListenerDeps, 'store' | 'permalink'>,
): Promise<IssueReference> {
  const isElsewhere = issue.channel !== channel;
  const isHidden = isElsewhere && (await store.channels.get(issue.channel)).isPrivate;
  return {
    number: issueNumber(issue),
    status: issue.state === 'created' ? issue.status : instead[issue.state],
    title: isHidden ? null : displayName(issue),
    url: isHidden || issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs),
  };
}

const instead = { pending: 'filing', failed: 'failed', gone: 'deleted' } as const;
