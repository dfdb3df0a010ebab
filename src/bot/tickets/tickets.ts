import { z } from 'zod';
import { backoffMs, type Checkpoint, type Clock, hasCome } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { hasReference, referenceOf } from '../filing/reference.ts';
import type { Problems } from '../problems/registry.ts';
import type { Logger } from '../shared/log.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import type { TicketRow } from '../store/tickets.ts';
import { CAUSE, commentOf, draftOf, nextSaying, type Saying } from './draft.ts';
import { type Ticket, type Tracker, TrackerError } from './tracker.ts';

const EVERY_MS = 2_000;
/** A ticket's state is looked up this often, so that it is never older than five minutes. */
const LOOK_MS = 4 * 60_000;
/** Once the issue has been resolved for a week, its ticket is looked at once a day. */
const LONG_RESOLVED_MS = 7 * 24 * 60 * 60_000;
const LOOK_RARELY_MS = 24 * 60 * 60_000;
const AT_ONCE = 10;
const RETRY = { firstMs: 5_000, maxMs: 10 * 60_000 };
/** As long as a tracker may ask to be left alone. */
const LONGEST_WAIT_MS = 25 * 60 * 60_000;
/** How long what was sent may still be on its way, or missing in the tracker's index. */
const SETTLES_MS = 10_000;
/** An alert that keeps firing is a comment an hour. */
const QUIET_MS = 60 * 60_000;
const RULE_EVERY_MS = 30_000;
/** So many failed requests in a row are no single ticket's. */
const FAILING = 3;

interface TicketOptions {
  store: Store;
  tracker: Tracker;
  clock: Clock;
  random: () => number;
  log: Logger;
  checkpoint: Checkpoint;
  permalink: (channel: string, ts: string) => string;
  simulated?: boolean;
  redact?: (text: string) => string;
  /** Whom a ticket by rule is attributed to. */
  identity: { botUserId: string };
  isPrivateChannel: (channel: string) => Promise<boolean>;
  /** Called after each request to the tracker, with whether it did what was asked. */
  onAnswer?: (isGood: boolean) => void;
  /** Tells whoever wanted a ticket, once, why there will be none until it is fixed. */
  onRefused?: (issue: Issue, row: TicketRow, failure: string) => Promise<void>;
}

/**
 * Makes the tickets that people want, one per issue however often the process is killed; then brings their state back,
 * and comments when the issue is resolved or fires again.
 */
export function createTicketer(options: TicketOptions & { problems: Problems }): Worker {
  const { store, clock, log } = options;
  let ruledAt = 0;
  let quietUntil = 0;
  let failures = 0;
  options.problems.watch({
    name: 'tickets',
    fixedBy: 'operator',
    sentence: () =>
      failures < FAILING
        ? null
        : `the last ${failures} requests to the ticket tracker failed; cards and the log say why, and npm run doctor checks it`,
  });
  const counting: TicketOptions = {
    ...options,
    onAnswer: (isGood) => {
      failures = isGood ? 0 : failures + 1;
    },
  };
  return createWorkerLoop({
    round: async (signal) => {
      if (hasCome(ruledAt + RULE_EVERY_MS, clock.now(), RULE_EVERY_MS)) {
        ruledAt = clock.now();
        await wantByRule(options);
      }
      // A limit is the token's and not the ticket's.
      if (!hasCome(quietUntil, clock.now(), LONGEST_WAIT_MS)) return;
      for (const row of await store.tickets.due(clock.now(), AT_ONCE)) {
        if (signal.aborted) return;
        const waitMs = await advanceTicket(row, counting, signal);
        if (waitMs === null) continue;
        quietUntil = clock.now() + waitMs;
        return;
      }
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not process tickets'),
  });
}

/** Channels may want a ticket of each severe issue that nobody has resolved in an hour; private ones may not. */
export async function wantByRule({
  store,
  clock,
  log,
  identity,
  isPrivateChannel,
}: Pick<TicketOptions, 'store' | 'clock' | 'log' | 'identity' | 'isPrivateChannel'>): Promise<void> {
  const channels = (await store.channels.watched())
    .filter(({ settings, isPrivate }) => settings.tickets === true && !isPrivate)
    .map(({ channel }) => channel);
  for (const { id, channel } of await store.tickets.missing(channels, clock.now())) {
    // It may have become private since.
    if (await isPrivateNow(channel, { isPrivateChannel, log })) continue;
    await store.transaction(async (tx) => {
      const at = clock.now();
      if (!(await tx.tickets.want(id, identity.botUserId, at))) return;
      const what = 'wanted a ticket, by the rule of the channel';
      await tx.audit.add({ at, who: identity.botUserId, what, issueId: id });
      await tx.outbox.refreshCards(id);
    });
  }
}

/** What Slack does not say counts as private. */
function isPrivateNow(
  channel: string,
  { isPrivateChannel, log }: Pick<TicketOptions, 'isPrivateChannel' | 'log'>,
): Promise<boolean> {
  return isPrivateChannel(channel).catch((error: unknown) => {
    log.warn(
      { err: error, channel },
      'Slack does not say whether a channel is private; its tickets say less',
    );
    return true;
  });
}

/**
 * Makes one ticket, or looks at it.
 *
 * @returns how long the tracker is to be left alone, in milliseconds; `null` if it works
 */
export async function advanceTicket(
  row: TicketRow,
  options: TicketOptions,
  signal?: AbortSignal,
): Promise<number | null> {
  const { store, clock, log, redact = (text) => text } = options;
  const issue = await store.issues.get(row.issueId);
  if (issue === null || issue.state === 'gone') {
    await store.tickets.update(row.issueId, { state: 'failed' });
    return null;
  }
  // Of another tracker or project, from before the settings were changed: it stays as it is.
  if (row.key !== null && row.url !== null && !options.tracker.owns({ key: row.key, url: row.url })) {
    await store.tickets.update(issue.id, { attempts: 1, nextAt: clock.now() + LOOK_RARELY_MS });
    return null;
  }
  try {
    await (row.key === null
      ? make(issue, row, options, signal)
      : follow(issue, row, row.key, options, signal));
    options.onAnswer?.(true);
    return null;
  } catch (error) {
    if (signal?.aborted) return 0;
    if (!(error instanceof TrackerError)) throw error;
    options.onAnswer?.(false);
    const failure = redact(error.message);
    log.warn({ issue: issue.id, reason: failure }, 'ticket request failed');
    const isOver = error.isFinal && row.key === null;
    await store.transaction(async (tx) => {
      await tx.tickets.update(issue.id, {
        ...(isOver ? { state: 'failed' } : {}),
        attempts: row.attempts + 1,
        failure,
        nextAt: clock.now() + (error.retryAfterMs ?? backoffMs(row.attempts, RETRY, options.random)),
      });
      if (row.failure !== failure || isOver) await tx.outbox.refreshCards(issue.id);
    });
    if (isOver) await options.onRefused?.(issue, row, failure);
    return error.retryAfterMs ?? (error.isAmbiguous ? 0 : null);
  }
}

async function make(
  issue: Issue,
  row: TicketRow,
  options: TicketOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, clock, checkpoint } = options;
  // The channel may have become private while the tracker did not answer.
  const isByRule = row.wantedBy === options.identity.botUserId;
  if (isByRule && row.sentAt === null && (await isPrivateNow(issue.channel, options)))
    return store.tickets.update(issue.id, { nextAt: clock.now() + QUIET_MS });
  const found = row.sentAt === null ? null : await findAgain(row, row.sentAt, options, signal);
  if (found === 'not yet') return store.tickets.update(issue.id, { nextAt: clock.now() + SETTLES_MS / 2 });
  const ticket = found ?? (await send(issue, row, options, signal));
  await checkpoint('ticket: made');
  await store.transaction(async (tx) => {
    await tx.tickets.update(issue.id, {
      ...ticket,
      state: 'made',
      status: null,
      sentAt: null,
      said: 'open',
      saidRepeats: issue.repeats,
      failure: null,
      attempts: 0,
      // Its state is looked up at once.
      nextAt: clock.now(),
    });
    await tx.outbox.refreshCards(issue.id);
  });
  await checkpoint('ticket: recorded');
}

/** The ticket that an attempt may have made whose end nobody saw; `null` once that has become certain not to be. */
async function findAgain(
  { issueId, wantedAt: since }: TicketRow,
  sentAt: number,
  { tracker, clock }: TicketOptions,
  signal: AbortSignal | undefined,
): Promise<Ticket | 'not yet' | null> {
  const isSought = (description: string) => hasReference(description, issueId);
  const found = await tracker.find({ reference: referenceOf(issueId), isSought, since }, signal);
  return found ?? (hasCome(sentAt + SETTLES_MS, clock.now(), SETTLES_MS) ? null : 'not yet');
}

async function send(
  issue: Issue,
  row: TicketRow,
  options: TicketOptions,
  signal: AbortSignal | undefined,
): Promise<Ticket> {
  const { store, tracker, clock, redact = (text) => text, simulated = false } = options;
  const draft = await draftOf(issue, row, { ...options, redact, simulated });
  await store.tickets.update(issue.id, { sentAt: clock.now() });
  try {
    return await tracker.create(draft, signal);
  } catch (error) {
    const isCertain = error instanceof TrackerError && !error.isAmbiguous;
    if (isCertain) await store.tickets.update(issue.id, { sentAt: row.sentAt });
    throw error;
  }
}

/** Looks at a ticket, if it is time to, and comments on what became of the issue. */
async function follow(
  issue: Issue,
  row: TicketRow,
  key: string,
  options: TicketOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, clock, checkpoint, tracker, redact = (text) => text } = options;
  const now = clock.now();
  if (row.nextAt <= now && !(await look(issue, row, key, options, signal))) return;
  const stored = row.saying === null ? null : decodeStored(StoredSaying, row.saying);
  const saying = stored ?? (await nextSaying(issue, row, now, { store, redact }));
  if (saying === null) return;
  if (stored === null) await store.tickets.update(issue.id, { saying: JSON.stringify(saying) });
  // The readers of the tracker are not those of a channel that is private, or has become so since.
  const shorter = { ...saying, text: saying.text.split(CAUSE, 1)[0] ?? '' };
  const isPrivate = saying.text !== shorter.text && (await isPrivateNow(issue.channel, options));
  const comment = commentOf(row, isPrivate ? shorter : saying);
  // One that was stored before may have been made already, in one of the two forms.
  let isThere = false;
  for (const text of stored === null ? [] : new Set([saying.text, shorter.text]))
    isThere ||= await tracker.hasComment(key, commentOf(row, { text }), signal);
  if (!isThere) await tracker.comment(key, comment, signal);
  await checkpoint('ticket: commented');
  const { said, saidRepeats, isFiring } = saying;
  await store.tickets.update(issue.id, {
    said,
    saidRepeats,
    saying: null,
    ...(isFiring ? { quietUntil: now + QUIET_MS } : {}),
  });
}

const StoredSaying: z.ZodType<Saying> = z.object({
  text: z.string(),
  said: z.enum(['open', 'resolved']),
  saidRepeats: z.number(),
  isFiring: z.boolean(),
});

/** @returns whether the ticket is there */
async function look(
  issue: Issue,
  row: TicketRow,
  key: string,
  { store, tracker, clock }: TicketOptions,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const seen = await tracker.stateOf(key, signal);
  const now = clock.now();
  const isOld = issue.status === 'resolved' && now - issue.statusSince > LONG_RESOLVED_MS;
  const set = {
    ...(seen ?? { status: GONE }),
    state: seen === null ? ('gone' as const) : ('made' as const),
    failure: null,
  };
  await store.transaction(async (tx) => {
    await tx.tickets.update(issue.id, {
      ...set,
      attempts: 0,
      nextAt: now + (isOld ? LOOK_RARELY_MS : LOOK_MS),
    });
    const isNew = set.status !== row.status || (seen !== null && seen.key !== key) || row.failure !== null;
    if (isNew) await tx.outbox.refreshCards(issue.id);
  });
  return seen !== null;
}

const GONE = 'deleted, or hidden from me';
