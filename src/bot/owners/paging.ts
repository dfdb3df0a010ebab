import { backoffMs, type Clock } from '../../lib/clock.ts';
import type { Owner } from '../../lib/owners.ts';
import { cutAtWord, displayName, oneLine } from '../../lib/text.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { checklistOf, stepName } from '../issues/checklist.ts';
import { issueNumber } from '../shared/issue-number.ts';
import type { Logger } from '../shared/log.ts';
import { rootCauseLine } from '../shared/root-cause.ts';
import type { PageRow } from '../store/flags.ts';
import { pagedIntent } from '../store/intents/issue-intents.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { TrackerError } from '../tickets/tracker.ts';
import type { Page, Pager } from './pager.ts';

const EVERY_MS = 2_000;
const RETRY = { firstMs: 2_000, maxMs: 60_000 };
/** About a minute: whoever pressed has to learn in time that nobody was woken. */
const MOST_ATTEMPTS = 6;
const MAX_TITLE = 200;
const MAX_LINE = 500;

export interface PagingOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  random: () => number;
  pager: Pager;
  ownerNamed: (name: string) => Owner | null;
  permalink: (channel: string, ts: string) => string;
  /** Rejects if Slack does not say. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
  /** What a person is called; `null` if Slack does not say. */
  nameOf: (id: string) => Promise<string | null>;
  redact: (text: string) => string;
}

/** *Page*: stored once per issue, no matter who presses or how often. Returns whether it is new. */
export async function wantPage(
  tx: Aggregates,
  { issue, owner, by, now }: { issue: Pick<Issue, 'id'>; owner: string; by: string; now: number },
): Promise<boolean> {
  const before = await tx.flags.page(issue.id);
  if (before !== null && before.state !== 'failed') return false;
  // One that seemed to fail may have arrived: the same key is the same incident.
  const key = before?.key ?? `gumshoe-${issue.id}-${now}`;
  await tx.flags.putPage({ issueId: issue.id, key, owner, by, state: 'wanted', attempts: 0, nextAt: now });
  await tx.audit.add({ at: now, who: by, what: `paged ${owner}`, issueId: issue.id });
  await tx.outbox.refreshCards(issue.id);
  return true;
}

/** Wakes whom people want woken, tells the issue's thread what became of it, and ends it with the issue. */
export function createPaging(options: PagingOptions): Worker {
  const { store, clock, log } = options;
  return createWorkerLoop({
    round: async (signal) => {
      for (const row of await store.flags.pages()) if (!signal.aborted) await look(row, options, signal);
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not look at pages'),
  });
}

export async function look(row: PageRow, options: PagingOptions, signal?: AbortSignal): Promise<void> {
  const { store, clock, log, pager, random } = options;
  const issue = await store.issues.get(row.issueId);
  const isOver = issue === null || issue.state === 'gone' || issue.status === 'resolved';
  const isDue = row.state === 'wanted' ? !isOver : row.state === 'sent' && isOver;
  if (isOver && row.state !== 'sent') return store.flags.removePage(row.issueId);
  if (!isDue || row.nextAt > clock.now()) return;
  const owner = options.ownerNamed(row.owner);
  try {
    if (owner === null || !pager.can(owner))
      throw new TrackerError(`OWNERS no longer says how ${row.owner} is paged`, { isFinal: true });
    if (row.state === 'wanted' && issue !== null)
      await pager.open(owner, await pageOf(issue, row, options), signal);
    else await pager.close(owner, row.key, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof TrackerError)) throw error;
    log.warn({ err: error, issue: row.issueId, attempts: row.attempts + 1 }, 'a page was not taken');
    const attempts = row.attempts + 1;
    if (!error.isFinal && attempts < MOST_ATTEMPTS)
      return store.flags.putPage({
        ...row,
        attempts,
        nextAt: clock.now() + backoffMs(row.attempts, RETRY, random),
      });
    return store.transaction((tx) => settle(tx, row, issue, error.what, options));
  }
  await store.transaction((tx) => settle(tx, row, issue, null, options));
}

/** Stores what became of it together with the line in the thread. */
async function settle(
  tx: Aggregates,
  row: PageRow,
  issue: Issue | null,
  failure: string | null,
  { clock, pager }: Pick<PagingOptions, 'clock' | 'pager'>,
): Promise<void> {
  const at = clock.now();
  const isEnd = row.state === 'sent';
  if (isEnd) await tx.flags.removePage(row.issueId);
  else
    await tx.flags.putPage({ ...row, attempts: 0, state: failure === null ? 'sent' : 'failed', nextAt: at });
  if (issue === null || issue.state === 'gone') return;
  const became = { tool: pager.name, owner: row.owner, by: row.by, failure };
  await tx.outbox.want(pagedIntent(issue, `${row.key}:${isEnd ? 'end' : at}`, isEnd, became, at));
  await tx.outbox.refreshCards(issue.id);
}

/** The verdict's lines; of an issue whose channel is private, or may be, only where it is. */
async function pageOf(issue: Issue, row: PageRow, options: PagingOptions): Promise<Page> {
  const { store, permalink, redact, isPrivateChannel, nameOf: calledBy } = options;
  const line = (text: string, max = MAX_LINE) => cutAtWord(oneLine(redact(text)), max);
  const number = `#${issueNumber(issue) ?? ''}`;
  const url = issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs);
  const severity = issue.raisedSeverity ?? issue.severity;
  const common = { key: row.key, url, severity };
  const who = `Paged from Slack by ${line((await calledBy(row.by)) ?? 'somebody', 80)}`;
  if (await isPrivateChannel(issue.channel).catch(() => true))
    return {
      ...common,
      title: `Gumshoe ${number}: you are asked to look at its thread in Slack`,
      lines: [who],
    };
  const results = await store.results.newest(issue.id);
  const overview = results?.rootCause?.incidentOverview;
  const steps = checklistOf(results ?? {}, await store.checklistSteps.ofIssue(issue.id)).flat();
  const next =
    steps.find(({ done, required }) => done === null && required) ?? steps.find(({ done }) => done === null);
  return {
    ...common,
    title: line(`${displayName(issue)} (Gumshoe ${number})`, MAX_TITLE),
    lines: [
      line(rootCauseLine(results?.rootCause)),
      ...(overview ? [line(overview)] : []),
      ...(next === undefined ? [] : [line(`Do first: ${firstWords(next)}`)]),
      who,
    ],
  };
}

/** `Roll back payments to 1.4: check that no migration blocks the rollback`. */
function firstWords({ action, step }: ReturnType<typeof checklistOf>[number][number]): string {
  return [action.title ?? '', stepName(step)].filter((part) => part !== '').join(': ');
}
