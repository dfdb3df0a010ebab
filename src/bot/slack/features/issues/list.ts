import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import type { IssuePage, IssueSummary } from '../../../../contract/answers.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import type { IssueFilter } from '../../../../contract/client/issues.ts';
import { ISSUE_STATUSES } from '../../../../contract/schema.ts';
import { issueNumber, type Organization } from '../../../../lib/issue-number.ts';
import { displayName, nearest } from '../../../../lib/text.ts';
import type { Deps } from '../../../deps.ts';
import { rankOf } from '../../../filing/identity.ts';
import { causeOf, shownStatus } from '../../../issues/cause.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { type IssueRow, renderIssueList, unknownStatus } from '../../../render/issues/issue-list.ts';
import { notAllowed, serviceFailure, windowIsStale } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { isPrivateNow } from '../../access/channel-access.ts';
import { type Belonging, belongingOfListed } from '../../access/may-read.ts';
import type { Register } from '../../listening/feature.ts';
import { readModalState } from '../../listening/modals.ts';
import { notifyPerson } from '../../listening/notify.ts';
import type { Viewer } from './find.ts';

/** The service's maximum, since most of them may belong to other channels. */
const FETCHED = 100;
const MOST_FETCHES = 5;

interface Cursor {
  after?: string | undefined;
  before?: string | undefined;
}

/** The private organization's issues that may be shown in a channel, and the page's cursors. */
interface PrivatePage {
  issues: IssueSummary[];
  /** The issue that the previous page ends before, or the next one starts after; `null` if there is no such page. */
  before: string | null;
  after: string | null;
  /** The requested page began at an issue that no longer exists, so this is the first one. */
  fromTheTop: boolean;
}

/** Whether a channel's list may contain issues of the private organization. */
export async function listsPrivate(channel: string, deps: Deps): Promise<boolean> {
  if (await deps.store.issues.livesIn(channel, 'private')) return true;
  return deps.services.has('private') && isPrivateNow(channel, deps);
}

/**
 * A page of the private organization's issues for this channel. Issues of other private channels are left out without a
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
  const found: IssueSummary[] = [];
  let at = cursor.before ?? cursor.after;
  let isMore = true;
  for (let fetches = 0; isMore && found.length <= size && fetches < MOST_FETCHES; fetches += 1) {
    const from = at === undefined ? {} : isBackwards ? { endingBefore: at } : { startingAfter: at };
    const page = await deps.services.for('private').issues.page({ ...filter, limit: FETCHED, ...from });
    const inOrder = isBackwards ? page.data.toReversed() : page.data;
    for (const issue of inOrder) {
      if (await mayList(await belongingOfListed(issue, 'private', deps), viewer, deps)) found.push(issue);
    }
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

/** A private channel's issue is only listed there, also to its members; only they hear of one without a record. */
function mayList(belonging: Belonging, { channel, userId }: Viewer, { mayRead }: Deps): Promise<boolean> {
  return mayRead(belonging.kind === 'ours' ? { channel } : { channel, person: userId }, belonging);
}

const PER_PAGE = 10;
/** How many pages with nothing to show are skipped in one go. */
const MOST_TURNED = 5;

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
  const shown = rows
    .filter((row) => row !== null)
    .toSorted((a, b) => rankOf(b.severity) - rankOf(a.severity));
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
  const belonging = await belongingOfListed(issue, organization, deps);
  const ours = belonging.kind === 'ours' ? belonging.issue : null;
  const mayName = await mayList(belonging, viewer, deps);
  if (ours === null && !mayName) return null;
  const cause = ours === null || !mayName ? null : await causeOf(ours, deps.store);
  const thread = mayName ? (ours?.threadTs ?? null) : null;
  // Nobody else can open a direct message.
  const isElsewhere = ours?.channel.startsWith('D') === true && ours.channel !== viewer.channel;
  return {
    number: issueNumber({ ...issue, organization }),
    status: ours === null || !mayName ? issue.status : shownStatus(issue.status, cause),
    cause: cause ?? null,
    severity: issue.severity,
    environment: issue.environment,
    title: mayName ? displayName({ title: issue.title, service: ours?.service }) : null,
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

/** *Previous* and *Next* under `/issue list`: replaces the message with that page. */
const turning =
  (name: 'previousIssues' | 'nextIssues'): Register =>
  (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, respond }) => {
        await ack();
        const refusal = await deps.people.refusal(body.user.id);
        if (refusal) return notifyPerson(respond, notAllowed(refusal), deps);
        const [action] = body.actions;
        const value = action && 'value' in action ? action.value : undefined;
        const wish = readModalState(PageWish, value);
        if (wish === null) return notifyPerson(respond, windowIsStale(), deps);
        const shown = await issuePage(wish, { userId: body.user.id, channel: body.channel?.id ?? '' }, deps);
        // A failure does not replace the page that is shown.
        if ('refused' in shown) return notifyPerson(respond, shown.refused, deps);
        try {
          await respond({ text: shown.page.text, blocks: shown.page.blocks, replace_original: true });
        } catch (error) {
          deps.log.warn(
            { err: error },
            'could not show a page of issues: its response URL rejected the call',
          );
        }
      },
    );
  };

export const previousIssues: Register = turning('previousIssues');
export const nextIssues: Register = turning('nextIssues');
