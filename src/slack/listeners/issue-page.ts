import { z } from 'zod';
import { mayBeShownIn } from '../../filing/privacy.ts';
import { nearest } from '../../lib/nearest.ts';
import { type IssueRow, renderIssueList, unknownStatus } from '../../render/issue-list.ts';
import { serviceFailure } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { ServiceError } from '../../service/errors.ts';
import { ISSUE_STATUSES, type IssuePage, type IssueSummary } from '../../service/schema/issue.ts';
import { explainServiceError } from '../../service/words.ts';
import type { ListenerDeps } from './deps.ts';
import { ourIssue } from './our-issue.ts';

const PER_PAGE = 10;

const words = z.string().nullable();

/** Which page of the list: its filter, and where it begins. What the buttons carry is this, as JSON. */
export const PageWish = z.object({
  command: z.string(),
  filter: z.object({ status: words, environment: words, search: words }),
  after: z.string().optional(),
  before: z.string().optional(),
});
export type PageWish = z.infer<typeof PageWish>;

type Deps = Pick<ListenerDeps, 'store' | 'service' | 'log' | 'permalink' | 'simulated'>;

/** A page of `/issue list` as it may be shown in a channel, or a sentence about what is in the way. */
export async function issuePage(
  wish: PageWish,
  channel: string,
  deps: Deps,
): Promise<{ page: Rendered } | { refused: Rendered }> {
  const { status, search } = wish.filter;
  const isKnown = status === null || ISSUE_STATUSES.some((known) => known === status);
  try {
    const { page, fromTheTop } = await fetchPage(wish, deps);
    // A service that does not know the status may pass it over: then the list has others.
    if (!isKnown && page.data.some((issue) => issue.status !== status)) return noSuchStatus(status);
    const rows = await Promise.all(page.data.map((issue) => rowOf(issue, channel, deps)));
    const start = fromTheTop ? { command: wish.command, filter: wish.filter } : wish;
    const rendered = renderIssueList({
      command: wish.command,
      filter: wish.filter,
      // Whether it is found tells what a private channel's issue says.
      rows: search === null ? rows : rows.filter(({ title }) => title !== null),
      ...neighbours(start, page),
      fromTheTop,
      simulated: deps.simulated,
    });
    return { page: rendered };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (!isKnown && isRefusal(error)) return noSuchStatus(status);
    deps.log.warn({ err: error }, 'issues could not be listed');
    return { refused: serviceFailure(explainServiceError(error)) };
  }
}

/** The page (contract 4.1); the first one, where its cursor leads nowhere any more. */
async function fetchPage(
  { filter, after, before }: PageWish,
  { service }: Deps,
): Promise<{ page: IssuePage; fromTheTop: boolean }> {
  const asked = {
    limit: PER_PAGE,
    ...(filter.status === null ? {} : { status: filter.status }),
    ...(filter.environment === null ? {} : { environment: filter.environment }),
    ...(filter.search === null ? {} : { search: filter.search }),
  };
  const cursor = {
    ...(after === undefined ? {} : { startingAfter: after }),
    ...(before === undefined ? {} : { endingBefore: before }),
  };
  try {
    const page = await service.issues.page({ ...asked, ...cursor });
    if (page.data.length > 0 || Object.keys(cursor).length === 0) return { page, fromTheTop: false };
  } catch (error) {
    if (!isRefusal(error) || Object.keys(cursor).length === 0) throw error;
  }
  return { page: await service.issues.page(asked), fromTheTop: true };
}

/** `has_more` speaks of the direction that was walked; a service may name no cursors, which are issue ids. */
function neighbours(wish: PageWish, page: IssuePage): { previous: string | null; next: string | null } {
  const { command, filter } = wish;
  const backwards = wish.before !== undefined;
  const first = page.before ?? page.data.at(0)?.uuid;
  const last = page.after ?? page.data.at(-1)?.uuid;
  const hasPrevious = page.before !== undefined || (backwards ? page.has_more : wish.after !== undefined);
  const hasNext = page.after !== undefined || (backwards ? true : page.has_more);
  return {
    previous: hasPrevious && first !== undefined ? JSON.stringify({ command, filter, before: first }) : null,
    next: hasNext && last !== undefined ? JSON.stringify({ command, filter, after: last }) : null,
  };
}

async function rowOf(issue: IssueSummary, channel: string, deps: Deps): Promise<IssueRow> {
  const ours = await ourIssue(issue, deps);
  const isHidden = ours !== null && !(await mayBeShownIn(deps.store, ours.channel, channel));
  const thread = isHidden ? null : (ours?.thread_ts ?? null);
  // A direct message opens for nobody else.
  const isElsewhere = ours?.channel.startsWith('D') === true && ours.channel !== channel;
  return {
    number: issue.number,
    status: issue.status,
    severity: issue.severity,
    environment: issue.environment,
    title: isHidden ? null : issue.title,
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
