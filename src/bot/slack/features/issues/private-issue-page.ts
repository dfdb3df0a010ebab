import type { IssueSummary } from '../../../../contract/answers.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import type { IssueFilter } from '../../../../contract/client/issues.ts';
import { isPrivateNow } from '../../access/channel-access.ts';
import type { Viewer } from '../../access/issue-access.ts';
import { belongingOf } from '../../access/listed-issue.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/** The service's maximum, since most of them may belong to other channels. */
const FETCHED = 100;
const MOST_FETCHES = 5;

type Deps = Pick<ListenerDeps, 'store' | 'services' | 'access' | 'isPrivateChannel' | 'log'>;

interface Cursor {
  after?: string | undefined;
  before?: string | undefined;
}

/** The private organisation's issues that may be shown in a channel, and the page's cursors. */
export interface PrivatePage {
  issues: IssueSummary[];
  /** The issue that the previous page ends before, or the next one starts after; `null` if there is no such page. */
  before: string | null;
  after: string | null;
  /** The requested page began at an issue that no longer exists, so this is the first one. */
  fromTheTop: boolean;
}

/** Whether a channel's list may contain issues of the private organisation. */
export async function listsPrivate(
  channel: string,
  deps: Pick<Deps, 'store' | 'services' | 'isPrivateChannel' | 'log'>,
): Promise<boolean> {
  if (await deps.store.issues.livesIn(channel, 'private')) return true;
  return deps.services.has('private') && isPrivateNow(channel, deps);
}

/**
 * A page of the private organisation's issues for this channel. Issues of other private channels are left out without a
 * trace, so more than one page may have to be fetched.
 *
 * @throws ServiceError if the service does not answer
 */
export async function privatePage(
  filter: IssueFilter,
  cursor: Cursor,
  size: number,
  viewer: Viewer,
  deps: Deps,
): Promise<PrivatePage> {
  const isFirst = cursor.after === undefined && cursor.before === undefined;
  const page = await walk(filter, cursor, size, viewer, deps).catch((error: unknown) => {
    const isRefused = error instanceof ServiceError && [400, 404, 422].includes(error.status ?? 0);
    if (isFirst || !isRefused) throw error;
    return null;
  });
  if (isFirst || (page !== null && page.issues.length > 0)) return page ?? EMPTY;
  return { ...(await walk(filter, {}, size, viewer, deps)), fromTheTop: true };
}

const EMPTY: PrivatePage = { issues: [], before: null, after: null, fromTheTop: false };

async function walk(
  filter: IssueFilter,
  cursor: Cursor,
  size: number,
  viewer: Viewer,
  deps: Deps,
): Promise<PrivatePage> {
  const isBackwards = cursor.before !== undefined;
  const mayStandHere = await shownTo(viewer, deps);
  const found: IssueSummary[] = [];
  let at = cursor.before ?? cursor.after;
  let isMore = true;
  for (let fetches = 0; isMore && found.length <= size && fetches < MOST_FETCHES; fetches += 1) {
    const from = at === undefined ? {} : isBackwards ? { endingBefore: at } : { startingAfter: at };
    const page = await deps.services.for('private').issues.page({ ...filter, limit: FETCHED, ...from });
    const inOrder = isBackwards ? page.data.toReversed() : page.data;
    for (const issue of inOrder) if (await mayStandHere(issue)) found.push(issue);
    at = inOrder.at(-1)?.uuid;
    isMore = page.has_more && at !== undefined;
  }
  const shown = found.slice(0, size);
  // There is a next page if one more issue than fits was found, or if the search stopped early.
  const goesOn = found.length > size ? (shown.at(-1)?.uuid ?? null) : isMore ? (at ?? null) : null;
  const issues = isBackwards ? shown.toReversed() : shown;
  const isFirst = cursor.after === undefined && !isBackwards;
  return isBackwards
    ? { issues, before: goesOn, after: issues.at(-1)?.uuid ?? null, fromTheTop: false }
    : { issues, before: isFirst ? null : (issues[0]?.uuid ?? null), after: goesOn, fromTheTop: false };
}

/** An issue filed elsewhere has no channel: it is shown where the agent that knows about it answers. */
async function shownTo(viewer: Viewer, deps: Deps): Promise<(issue: IssueSummary) => Promise<boolean>> {
  const isPrivate = await isPrivateNow(viewer.channel, deps);
  return async (issue) => {
    const belonging = await belongingOf(issue, 'private', deps);
    return belonging.kind === 'elsewhere' ? isPrivate : deps.access.maySee(belonging, viewer, 'remembered');
  };
}
