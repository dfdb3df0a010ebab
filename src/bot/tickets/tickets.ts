import { InvestigationResults } from '../../contract/answers.ts';
import { backoffMs, type Checkpoint, type Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { issueNumber } from '../../lib/issue-number.ts';
import type { Logger } from '../../lib/log.ts';
import { cutAtWord, displayName, oneLine } from '../../lib/text.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { referenceOf, withReference } from '../filing/reference.ts';
import { causeOf } from '../issues/cause.ts';
import { checklistOf, nameOf } from '../issues/checklist.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import type { TicketRow } from '../store/tickets.ts';
import { type TicketDraft, type Tracker, TrackerError } from './trackers.ts';

const EVERY_MS = 2_000;
/** A ticket's state is looked up this often, so that it is never older than five minutes. */
const LOOK_MS = 4 * 60_000;
const AT_ONCE = 10;
const RETRY = { firstMs: 5_000, maxMs: 10 * 60_000 };
const MAX_TITLE = 200;

interface TicketOptions {
  store: Store;
  tracker: Tracker;
  clock: Clock;
  random: () => number;
  log: Logger;
  checkpoint: Checkpoint;
  permalink: (channel: string, ts: string) => string;
}

/**
 * Makes the tickets that people want, one per issue however often the process is killed; then brings their state back,
 * and comments when the issue is resolved or fires again.
 */
export function createTicketer(options: TicketOptions): Worker {
  const { store, clock, log } = options;
  return createWorkerLoop({
    round: async (signal) => {
      for (const row of await store.tickets.due(clock.now(), AT_ONCE)) {
        if (!signal.aborted) await advanceTicket(row, options);
      }
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not process tickets'),
  });
}

/** Makes one ticket, or looks at it. */
export async function advanceTicket(row: TicketRow, options: TicketOptions): Promise<void> {
  const { store, clock } = options;
  const issue = await store.issues.get(row.issueId);
  if (issue === null || issue.state === 'gone') return store.tickets.update(row.issueId, { state: 'failed' });
  try {
    await (row.key === null ? make(issue, options) : follow(row, row.key, issue, options));
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    options.log.warn({ issue: issue.id, reason: error.message }, 'a tracker did not do what was asked');
    const isOver = error.isFinal && row.key === null;
    await store.transaction(async (tx) => {
      await tx.tickets.update(issue.id, {
        ...(isOver ? { state: 'failed' } : {}),
        attempts: row.attempts + 1,
        failure: error.message,
        nextAt: clock.now() + (error.retryAfterMs ?? backoffMs(row.attempts, RETRY, options.random)),
      });
      if (row.failure !== error.message) await tx.outbox.refreshCards(issue.id);
    });
  }
}

async function make(issue: Issue, options: TicketOptions): Promise<void> {
  const { store, tracker, clock, checkpoint } = options;
  const draft = await draftOf(issue, options);
  // It may have been made by an attempt whose end nobody saw.
  const made = (await tracker.find(draft.reference)) ?? (await tracker.create(draft));
  await checkpoint('ticket: made');
  await store.transaction(async (tx) => {
    const nextAt = clock.now() + LOOK_MS;
    await tx.tickets.update(issue.id, {
      ...made,
      state: 'made',
      status: null,
      failure: null,
      attempts: 0,
      nextAt,
    });
    await tx.outbox.refreshCards(issue.id);
  });
  await checkpoint('ticket: recorded');
}

async function follow(row: TicketRow, key: string, issue: Issue, options: TicketOptions): Promise<void> {
  const { store, tracker, clock } = options;
  const stands = issue.status === 'resolved' ? 'resolved' : 'open';
  if (stands !== row.said) {
    await tracker.comment(
      key,
      stands === 'resolved' ? 'The issue was resolved in Slack.' : 'The issue is open again.',
    );
    await store.tickets.update(issue.id, { said: stands });
  }
  const status = await tracker.stateOf(key);
  await store.transaction(async (tx) => {
    await tx.tickets.update(issue.id, { status, failure: null, attempts: 0, nextAt: clock.now() + LOOK_MS });
    if (status !== row.status || row.failure !== null) await tx.outbox.refreshCards(issue.id);
  });
}

async function draftOf(issue: Issue, { store, permalink }: TicketOptions): Promise<TicketDraft> {
  const latest = await store.results.latest(issue.id);
  const results = latest === null ? null : decodeStored(InvestigationResults, latest.body);
  const cause = await causeOf(issue, store);
  const steps = checklistOf(results ?? {}, await store.checklistSteps.ofIssue(issue.id)).flat();
  const body = [
    `${issue.severity}, ${issue.environment}${issue.service === null ? '' : `, ${issue.service}`}`,
    `Root cause: ${results?.rootCause?.rootCauseSummary ?? cause ?? 'not found yet'}`,
    steps
      .map(
        ({ action, step, done }) =>
          `- [${done === null ? ' ' : 'x'}] ${oneLine(action.title ?? '')}: ${nameOf(step)}`,
      )
      .join('\n'),
  ].join('\n\n');
  const link = issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs);
  const number = issueNumber(issue);
  return {
    title: cutAtWord(
      oneLine(`${displayName(issue)}${number === null ? '' : ` (Gumshoe #${number})`}`),
      MAX_TITLE,
    ),
    body: withReference(body, issue.id, link),
    reference: referenceOf(issue.id),
  };
}
