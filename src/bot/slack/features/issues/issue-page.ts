import { z } from 'zod';
import type { IssuePage, IssueSummary } from '../../../../contract/answers.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import type { IssueFilter } from '../../../../contract/client/issues.ts';
import { ISSUE_STATUSES } from '../../../../contract/schema.ts';
import { displayName } from '../../../../lib/display-name.ts';
import { issueNumber, type Organization } from '../../../../lib/issue-number.ts';
import { nearest } from '../../../../lib/nearest.ts';
import { type IssueRow, renderIssueList, unknownStatus } from '../../../render/issues/issue-list.ts';
import { serviceFailure } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import type { Viewer } from '../../access/issue-access.ts';
import { belongingOf } from '../../access/listed-issue.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { privatePage } from './private-issue-page.ts';

const PER_PAGE = 10;
/** How many pages with nothing to show are skipped in one go. */
const MOST_TURNED = 5;

const words = z.string().nullable();

/** Which page of the list: its filter and its cursor, stored as JSON in the buttons. */
export const PageWish = z.object({
  command: z.string(),
  filter: z.object({ status: words, environment: words, search: words }),
  organization: z.enum(['default', 'private']).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
});
export type PageWish = z.infer<typeof PageWish>;

type Deps = Pick<
  ListenerDeps,
  'store' | 'services' | 'access' | 'isPrivateChannel' | 'log' | 'permalink' | 'simulated'
>;

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
    const { page, fromTheTop } = await fetchPage(wish, viewer, deps);
    const { after: _after, before: _before, ...top } = wish;
    const { rows, previous, next } = await firstWithRows(fromTheTop ? top : wish, page, viewer, deps);
    const { command, filter, organization = 'default' } = wish;
    const { simulated } = deps;
    return {
      page: renderIssueList({ command, organization, filter, rows, previous, next, fromTheTop, simulated }),
      isEmpty: page.data.length === 0,
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ err: error }, 'could not list issues');
    return { refused: serviceFailure(explainServiceError(error)) };
  }
}

interface Shown {
  rows: IssueRow[];
  previous: string | null;
  next: string | null;
}

/** Skips up to `MOST_TURNED` pages that have nothing this person may see. */
async function firstWithRows(wish: PageWish, page: IssuePage, viewer: Viewer, deps: Deps): Promise<Shown> {
  const begun = neighbours(wish, page);
  let { previous, next } = begun;
  let rows = await rowsOf(wish, page, viewer, deps);
  for (let turned = 0; rows.length === 0 && turned < MOST_TURNED; turned += 1) {
    const onward: PageWish | null = readModalState(PageWish, wish.before === undefined ? next : previous);
    if (onward === null) break;
    const further = await fetchPage(onward, viewer, deps);
    if (further.fromTheTop) break;
    rows = await rowsOf(wish, further.page, viewer, deps);
    const beside = neighbours(onward, further.page);
    // The opposite direction still leads to what was before the first skipped page.
    if (wish.before === undefined) next = beside.next;
    else previous = beside.previous;
  }
  return { rows, previous, next };
}

async function rowsOf(
  { filter, organization = 'default' }: PageWish,
  page: IssuePage,
  viewer: Viewer,
  deps: Deps,
): Promise<IssueRow[]> {
  const rows = await Promise.all(page.data.map((issue) => rowOf(issue, organization, viewer, deps)));
  const shown = rows.filter((row) => row !== null);
  // Being found by a search would reveal what a private channel's issue says.
  return filter.search === null ? shown : shown.filter(({ title }) => title !== null);
}

/** The page (contract 4.1), or the first one if its cursor is no longer valid. */
async function fetchPage(
  wish: PageWish,
  viewer: Viewer,
  deps: Deps,
): Promise<{ page: IssuePage; fromTheTop: boolean }> {
  if (wish.organization === 'private') return fetchPrivatePage(wish, viewer, deps);
  const { filter, after, before } = wish;
  const { issues } = deps.services.for('default');
  const asked = { limit: PER_PAGE, ...stated(filter) };
  const cursor = {
    ...(after === undefined ? {} : { startingAfter: after }),
    ...(before === undefined ? {} : { endingBefore: before }),
  };
  try {
    const page = await issues.page({ ...asked, ...cursor });
    if (page.data.length > 0 || Object.keys(cursor).length === 0) return { page, fromTheTop: false };
  } catch (error) {
    if (!isRefusal(error) || Object.keys(cursor).length === 0) throw error;
  }
  return { page: await issues.page(asked), fromTheTop: true };
}

async function fetchPrivatePage(
  { filter, after, before }: PageWish,
  viewer: Viewer,
  deps: Deps,
): Promise<{ page: IssuePage; fromTheTop: boolean }> {
  const found = await privatePage(stated(filter), { after, before }, PER_PAGE, viewer, deps);
  const { issues, fromTheTop } = found;
  const cursors = {
    ...(found.before === null ? {} : { before: found.before }),
    ...(found.after === null ? {} : { after: found.after }),
  };
  return { page: { object: 'list', data: issues, has_more: false, ...cursors }, fromTheTop };
}

function stated({ status, environment, search }: PageWish['filter']): IssueFilter {
  return {
    ...(status === null ? {} : { status }),
    ...(environment === null ? {} : { environment }),
    ...(search === null ? {} : { search }),
  };
}

/** `has_more` refers to the direction of travel. The cursors are issue ids, and a service may omit them. */
function neighbours(wish: PageWish, page: IssuePage): { previous: string | null; next: string | null } {
  const { after, before, ...same } = wish;
  const backwards = before !== undefined;
  const first = page.before ?? page.data.at(0)?.uuid;
  const last = page.after ?? page.data.at(-1)?.uuid;
  const hasPrevious = page.before !== undefined || (backwards ? page.has_more : after !== undefined);
  const hasNext = page.after !== undefined || (backwards ? true : page.has_more);
  return {
    previous: hasPrevious && first !== undefined ? JSON.stringify({ ...same, before: first }) : null,
    next: hasNext && last !== undefined ? JSON.stringify({ ...same, after: last }) : null,
  };
}

/** `null` for an issue that the person may not know about. */
async function rowOf(
  issue: IssueSummary,
  organization: Organization,
  viewer: Viewer,
  deps: Deps,
): Promise<IssueRow | null> {
  const belonging = await belongingOf(issue, organization, deps);
  const ours = belonging.kind === 'ours' ? belonging.issue : null;
  const mayTell = await deps.access.maySee(belonging, viewer, 'remembered');
  if (ours === null && !mayTell) return null;
  const thread = mayTell ? (ours?.threadTs ?? null) : null;
  // Nobody else can open a direct message.
  const isElsewhere = ours?.channel.startsWith('D') === true && ours.channel !== viewer.channel;
  return {
    number: issueNumber({ ...issue, organization }),
    status: issue.status,
    severity: issue.severity,
    environment: issue.environment,
    title: mayTell ? displayName({ title: issue.title, service: ours?.service }) : null,
    url: ours === null || thread === null || isElsewhere ? null : deps.permalink(ours.channel, thread),
    triggeredAt: Date.parse(issue.triggeredAt),
  };
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServiceError && (error.status === 400 || error.status === 404 || error.status === 422)
  );
}

function noSuchStatus(status: string): { refused: Rendered } {
  return { refused: unknownStatus(status, ISSUE_STATUSES, nearest(status, ISSUE_STATUSES)) };
}
