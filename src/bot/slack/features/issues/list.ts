import { z } from 'zod';
import type { IssueSummary } from '../../../../contract/answers.ts';
import type { Organization } from '../../../../contract/client/client.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import type { IssueFilter } from '../../../../contract/client/issues.ts';
import { ISSUE_STATUSES } from '../../../../contract/schema.ts';
import { displayName, nearest } from '../../../../lib/text.ts';
import type { Deps } from '../../../deps.ts';
import { causeOf, shownStatus } from '../../../issues/cause.ts';
import { type IssueRow, renderIssueList, unknownStatus } from '../../../render/issues/issue-list.ts';
import { serviceFailure, windowIsStale } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { issueNumber } from '../../../shared/issue-number.ts';
import { rankOf } from '../../../shared/severity.ts';
import { isPrivateNow } from '../../access/channel-access.ts';
import { type Belonging, belongingOfListed } from '../../access/may-read.ts';
import { readablePage } from '../../access/readable-page.ts';
import type { Register } from '../../listening/feature.ts';
import { readModalState } from '../../listening/modals.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { onButton } from '../../listening/press.ts';
import { symptomsFor } from '../../messages/cards.ts';
import type { Viewer } from './find.ts';

/** Whether a channel's list may contain issues of the private organization. */
export async function listsPrivate(channel: string, deps: Deps): Promise<boolean> {
  if (await deps.store.issues.livesIn(channel, 'private')) return true;
  return deps.services.has('private') && isPrivateNow(channel, deps);
}

/** A private channel's issue is only listed there, also to its members; one without a record is shown to members only. */
function mayList(belonging: Belonging, { channel, userId }: Viewer, { mayRead }: Deps): Promise<boolean> {
  return mayRead(belonging.kind === 'ours' ? { channel } : { channel, person: userId }, belonging);
}

const PER_PAGE = 10;

const words = z.string().nullable();

/** Which page of the list: its filter and its cursor, stored as JSON in the buttons. */
const PageWish = z.object({
  command: z.string(),
  filter: z.object({ status: words, environment: words, search: words }),
  organization: z.enum(['default', 'private']).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
});
type PageWish = z.infer<typeof PageWish>;

/**
 * A page of `/issue list` with what somebody may see, or a sentence about what went wrong. Only asks the service for
 * statuses of the contract, since its reaction to others is not to be shown.
 */
export async function issuePage(
  wish: PageWish,
  viewer: Viewer,
  deps: Deps,
): Promise<{ page: Rendered; isEmpty: boolean } | { refused: Rendered }> {
  const { status } = wish.filter;
  if (status !== null && !ISSUE_STATUSES.some((known) => known === status)) return noSuchStatus(status);
  try {
    const { rows, previous, next, fromTheTop } = await fetchPage(wish, viewer, deps);
    const { command, filter, organization = 'default' } = wish;
    const { simulated } = deps;
    return {
      page: renderIssueList({ command, organization, filter, rows, previous, next, fromTheTop, simulated }),
      isEmpty: rows.length === 0,
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ err: error }, 'could not list issues');
    return { refused: serviceFailure(explainServiceError(error)) };
  }
}

interface Shown {
  /** The most severe first. */
  rows: IssueRow[];
  /** Wishes for the pages beside this one. */
  previous: string | null;
  next: string | null;
  /** The page began at an issue that no longer exists, so this is the first one. */
  fromTheTop: boolean;
}

/** The page, or the first one if its cursor is no longer valid. */
async function fetchPage(wish: PageWish, viewer: Viewer, deps: Deps): Promise<Shown> {
  const { after, before, ...top } = wish;
  if (after === undefined && before === undefined) return turnTo(top, viewer, deps);
  try {
    const shown = await turnTo(wish, viewer, deps);
    if (shown.rows.length > 0) return shown;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return { ...(await turnTo(top, viewer, deps)), fromTheTop: true };
}

async function turnTo(wish: PageWish, viewer: Viewer, deps: Deps): Promise<Shown> {
  const { after, before, ...same } = wish;
  const { filter, organization = 'default' } = wish;
  const { issues } = deps.services.for(organization);
  const { found, isMore } = await readablePage(
    {
      ...(after === undefined ? {} : { startingAfter: after }),
      ...(before === undefined ? {} : { endingBefore: before }),
    },
    PER_PAGE,
    (page) => issues.page({ ...stated(filter), ...page }),
    async (issue) => {
      const row = await rowOf(issue, organization, viewer, deps);
      // Being found by a search would reveal what a private channel's issue says.
      const isHidden = row === null || (filter.search !== null && row.title === null);
      // An incident is one line; a search finds its symptoms too.
      if (!isHidden && filter.search === null && (await isFolded(issue.uuid, viewer, deps))) return null;
      return isHidden ? null : { uuid: issue.uuid, row };
    },
  );
  const hasPrevious = before === undefined ? after !== undefined : isMore;
  const hasNext = before === undefined ? isMore : true;
  const [first, last] = [found.at(0)?.uuid, found.at(-1)?.uuid];
  return {
    rows: found.map(({ row }) => row).toSorted((a, b) => rankOf(b.severity) - rankOf(a.severity)),
    previous: hasPrevious && first !== undefined ? JSON.stringify({ ...same, before: first }) : null,
    next: hasNext && last !== undefined ? JSON.stringify({ ...same, after: last }) : null,
    fromTheTop: false,
  };
}

function stated({ status, environment, search }: PageWish['filter']): IssueFilter {
  return {
    ...(status === null ? {} : { status }),
    ...(environment === null ? {} : { environment }),
    ...(search === null ? {} : { search }),
  };
}

/** `null` for an issue that the person may not know about. */
async function rowOf(
  issue: IssueSummary,
  organization: Organization,
  viewer: Viewer,
  deps: Deps,
): Promise<IssueRow | null> {
  const belonging = await belongingOfListed(issue, organization, deps);
  const ours = belonging.kind === 'ours' ? belonging.issue : null;
  const mayName = await mayList(belonging, viewer, deps);
  // In the private organization, an issue of another channel is left out without a trace.
  if (!mayName && (ours === null || organization === 'private')) return null;
  const cause = ours === null || !mayName ? null : await causeOf(ours, deps.store);
  const thread = mayName ? (ours?.threadTs ?? null) : null;
  // Nobody else can open a direct message.
  const isElsewhere = ours?.channel.startsWith('D') === true && ours.channel !== viewer.channel;
  return {
    number: issueNumber({ ...issue, organization }),
    status:
      ours === null || !mayName
        ? issue.status
        : await shownStatus(issue.status, { issue: ours, cause }, deps.store),
    cause: cause ?? null,
    symptoms: ours === null || !mayName ? [] : await symptomsFor(ours, viewer.channel, deps),
    severity: issue.severity,
    environment: issue.environment,
    title: mayName ? displayName({ title: issue.title, service: ours?.service }) : null,
    url: ours === null || thread === null || isElsewhere ? null : deps.permalink(ours.channel, thread),
    triggeredAt: Date.parse(issue.triggeredAt),
  };
}

/** Whether an issue is a symptom of one that is in the same list, with its symptoms. */
async function isFolded(uuid: string, viewer: Viewer, deps: Deps): Promise<boolean> {
  const issue = await deps.store.issues.byUuid(uuid);
  const head = issue?.symptomOf == null ? null : await deps.store.issues.get(issue.symptomOf);
  return (
    head !== null && head.status === issue?.status && (await deps.mayRead({ channel: viewer.channel }, head))
  );
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServiceError && (error.status === 400 || error.status === 404 || error.status === 422)
  );
}

function noSuchStatus(status: string): { refused: Rendered } {
  return { refused: unknownStatus(status, ISSUE_STATUSES, nearest(status, ISSUE_STATUSES)) };
}

/** *Previous* and *Next* under `/issue list`: replaces the message with that page. */
const turning = (name: 'previousIssues' | 'nextIssues'): Register =>
  onButton(name, async ({ value, userId, channel, respond }, deps) => {
    const wish = readModalState(PageWish, value);
    if (wish === null) return windowIsStale();
    const shown = await issuePage(wish, { userId, channel }, deps);
    // A failure does not replace the page that is shown.
    if ('refused' in shown) return shown.refused;
    await notifyPerson(respond, shown.page, deps, true);
    return undefined;
  });

export const previousIssues: Register = turning('previousIssues');
export const nextIssues: Register = turning('nextIssues');
