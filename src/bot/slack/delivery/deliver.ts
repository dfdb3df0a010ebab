import { ZodError } from 'zod';
import { backoffMs } from '../../../lib/clock.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../../lib/worker-loop.ts';
import type { Rendered } from '../../render/rendered.ts';
import { traced } from '../../shared/tracing/spans.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { classifySlackError } from '../errors.ts';
import { reasonOf, shareFile } from '../uploads/files.ts';
import { call, mayHaveHappened, TooEarly } from './calls.ts';
import type { Content, DeliverOptions, Placed } from './content.ts';
import { editMessage, findMessage, postMessage, type Where } from './messages.ts';
import { endUnreadable } from './outcomes.ts';
import { contentHash, readSent, type SentMessage } from './sent.ts';
import { endAgain, throughStream } from './stream.ts';
import { observeWait } from './waits.ts';

/** How long an intent waits for the message it belongs under. */
const LATER_MS = 500;
/**
 * A storm changes its message with every alert: many changes become one edit, so that other edits get their share of
 * Slack's rate limit.
 */
const restMs: Partial<Record<OutboxRow['kind'], number>> = { held: 4_000 };
/** Edits of this priority or lower leave room for answers, and for a storm’s message. */
const BACKGROUND = 2;
const RETRY = { firstMs: 1_000, maxMs: 60_000 };
/** It may be repaired in the meantime: about ten minutes. */
const MAX_READINGS = 15;

/** Delivers one intent to Slack: posts what is missing, edits what has changed, and records both. */
export async function deliver(row: OutboxRow, options: DeliverOptions): Promise<void> {
  const { slack, store } = options;
  try {
    const content = await options.contentOf(row);
    if (content.kind === 'later')
      return await store.outbox.postpone(row.key, slack.clock.now() + (content.ms ?? LATER_MS), null);
    await send(row, content, options);
    await recordDelivered(row, content, options);
    slack.metrics.count('gumshoe_posts_total', { kind: row.kind, outcome: 'delivered' });
  } catch (error) {
    await failed(row, error, options).catch((second) => tryLater(row, second, options));
  }
}

async function send(stored: OutboxRow, content: Content, options: DeliverOptions): Promise<void> {
  const { store } = options;
  if (content.kind === 'reaction') return react(stored, content, options);
  if (content.kind === 'file') return shareFile(stored, content, options);
  if (content.kind !== 'messages') return;
  const kept = readSent(stored.sent);
  // What is in Slack is no longer known: look for it there.
  const row = kept === null ? { ...stored, sending: 0 } : { ...stored };
  const sent = kept ?? [];
  if (row.kind === 'answer' && (await throughStream(row, content, sent, options))) return;
  for (const [index, part] of content.parts.entries()) {
    const hash = contentHash(part);
    const current = sent[index] ?? (await place(row, content, index, part, sent, options));
    if (current.hash === hash) continue;
    await edit(row, content.channel, index, part, sent, options);
    sent[index] = { ...current, hash };
    await store.outbox.recordSent(row.key, JSON.stringify(sent), row.sending);
  }
}

/** A follow-up edit is requested in the same transaction, so that no crash loses it. */
async function recordDelivered(
  { key, kind, wanted }: OutboxRow,
  content: Content,
  { slack, store }: DeliverOptions,
): Promise<void> {
  const at = slack.clock.now();
  if (content.kind !== 'messages' || content.editFollows !== true) {
    return store.outbox.delivered(key, wanted, at, restMs[kind]);
  }
  await store.transaction(async (tx) => {
    await tx.outbox.delivered(key, wanted, at, restMs[kind]);
    await tx.outbox.again(key);
  });
}

async function edit(
  row: OutboxRow,
  channel: string,
  index: number,
  part: Rendered,
  sent: SentMessage,
  options: DeliverOptions,
): Promise<void> {
  const { ts = '', stream } = sent[index] ?? {};
  const key = stream === undefined ? {} : { key: `${row.key}#${index}` };
  const which = { channel, ts, background: row.priority >= BACKGROUND, ...key };
  await editMessage(options.slack, which, part).catch(async (error: unknown) => {
    await endAgain(row, error, sent, options);
    throw error;
  });
}

/**
 * Posts a part that is not in Slack yet, or finds it there after an attempt with an unknown outcome; and records it.
 */
async function place(
  row: OutboxRow,
  { channel, threadTs, broadcast = false }: Content & { kind: 'messages' },
  index: number,
  part: Rendered,
  sent: SentMessage,
  options: DeliverOptions,
): Promise<SentMessage[number]> {
  // Whatever follows a message that started a thread goes into that thread.
  const where = {
    channel,
    threadTs: threadTs ?? sent[0]?.ts ?? null,
    key: `${row.key}#${index}`,
    broadcast: broadcast && index === 0,
  };
  const found = row.sending === index ? await findMessage(options.slack, where, row.createdAt) : null;
  const ts = found ?? (await post(row, where, index, part, options));
  // A message found after a crash may be out of date: no hash, so that it is edited.
  const current = { ts, hash: found === null ? contentHash(part) : '' };
  sent[index] = current;
  if (index === 0) observeWait(row, { ts, threadTs }, options.slack.metrics);
  // If one is found, the next may be there too, from the same unfinished attempt.
  row.sending = found === null ? null : index + 1;
  await record(row, sent, index === 0 ? { row, channel, ts } : null, options);
  return current;
}

async function post(
  row: OutboxRow,
  where: Where,
  index: number,
  part: Rendered,
  options: DeliverOptions,
): Promise<string> {
  const { slack, store, checkpoint, onPosted } = options;
  // Asked before the mark is set: our own waiting must not look like a post with an unknown outcome.
  const earliest = slack.pace.earliest(
    { method: 'chat.postMessage', channel: where.channel },
    slack.clock.now(),
  );
  if (earliest > slack.clock.now()) {
    await store.outbox.holdPosts(where.channel, earliest);
    throw new TooEarly(earliest);
  }
  await store.outbox.sending(row.key, index);
  await checkpoint(`${row.kind}: before send`);
  const ts = await postMessage(slack, where, part).catch(async (error: unknown) => {
    if (!mayHaveHappened(error)) await store.outbox.notSending(row.key);
    throw error;
  });
  await checkpoint(`${row.kind}: sent`);
  await onPosted(where.channel);
  if (ts === null) throw new ParentGone();
  return ts;
}

async function record(
  row: OutboxRow,
  sent: SentMessage,
  placed: Placed | null,
  options: DeliverOptions,
): Promise<void> {
  await options.store.transaction(async (tx) => {
    await tx.outbox.recordSent(row.key, JSON.stringify(sent), row.sending);
    if (placed) await options.onPlaced(tx, placed);
  });
  await options.checkpoint(`${row.kind}: recorded`);
}

/**
 * One reaction takes the place of the other; the new one comes first, so that there is always one. It is stored before it
 * is sent, after those that it replaces: if the process ends in between, the next attempt removes whatever may be there.
 */
async function react(
  row: OutboxRow,
  { ts, name }: { ts: string; name: string },
  { slack, store, checkpoint }: DeliverOptions,
): Promise<void> {
  const { channel } = row;
  const names = (readSent(row.sent) ?? []).map(({ hash }) => hash);
  const replaced = [...new Set(names)].filter((other) => other !== name);
  if (names.length === 1 && replaced.length === 0) return;
  const record = (some: readonly string[]) =>
    store.outbox.recordSent(row.key, JSON.stringify(some.map((hash) => ({ ts, hash }))));
  // Twice until it is certain to be there: Slack may have taken what failed here, and another may come in its place.
  if (!names.includes(name)) await record(replaced.length > 0 ? [...replaced, name] : [name, name]);
  const unless = (tolerated: string) => (error: unknown) => {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused' || failure.error !== tolerated) throw error;
  };
  await checkpoint('reaction: before send');
  await call(slack, { method: 'reactions.add', channel }, (client) =>
    client.reactions.add({ channel, timestamp: ts, name }),
  ).catch(unless('already_reacted'));
  await checkpoint('reaction: sent');
  for (const other of replaced) {
    await call(slack, { method: 'reactions.remove', channel }, (client) =>
      client.reactions.remove({ channel, timestamp: ts, name: other }),
    ).catch(unless('no_reaction'));
  }
  await record([name]);
}

/** The thread's first message was deleted: there is no place left to post. */
class ParentGone extends Error {
  override name = 'ParentGone';
}

async function failed(row: OutboxRow, error: unknown, options: DeliverOptions): Promise<void> {
  const { slack, store } = options;
  const failure = classifySlackError(error);
  if (error instanceof TooEarly) return store.outbox.postpone(row.key, error.until, null);
  if (error instanceof ParentGone || failure.kind === 'refused') {
    const name = failure.kind === 'refused' ? failure.error : 'thread_gone';
    if (await options.onRefused(row, name)) return;
    if (await options.onParked(row, error)) {
      slack.metrics.count('gumshoe_posts_total', { kind: row.kind, outcome: 'parked' });
      return;
    }
    slack.metrics.count('gumshoe_posts_total', { kind: row.kind, outcome: name });
    slack.log.error(
      { err: error, key: row.key, channel: row.channel },
      'Slack rejected a message; giving up on it',
    );
    return options.onGone(row, name);
  }
  if (isUnreadable(error) && row.attempts >= MAX_READINGS) {
    slack.metrics.count('gumshoe_posts_total', { kind: row.kind, outcome: 'unreadable' });
    slack.log.error({ err: error, key: row.key }, 'stored data of a message cannot be read; giving up on it');
    return store.transaction((tx) => endUnreadable(tx, row, slack.clock.now()));
  }
  await tryLater(row, error, options);
}

/** The stored data is damaged, or from an unknown version. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof ZodError;
}

async function tryLater(row: OutboxRow, error: unknown, options: DeliverOptions): Promise<void> {
  const { slack, store } = options;
  const failure = classifySlackError(error);
  const wait = backoffMs(row.attempts, RETRY, options.random);
  slack.metrics.count('gumshoe_posts_total', { kind: row.kind, outcome: 'retried' });
  slack.log.warn({ ...reasonOf(error), key: row.key, waitMs: wait }, 'could not deliver a message; retrying');
  await store.outbox.postpone(
    row.key,
    slack.clock.now() + wait,
    'error' in failure ? failure.error : 'failed',
  );
}

const BATCH = 100;
/** Nobody reads the metric more often. */
const COUNT_MS = 1_000;

/**
 * Works through the outbox: most urgent first, one message at a time per channel. Channels are independent: none waits
 * for a slow call in another.
 */
export function createDelivery(options: DeliverOptions & { wakeup: Wakeup }): Worker {
  const { store, slack, wakeup } = options;
  const working = new Map<string, Promise<void>>();
  let countedAt = Number.NEGATIVE_INFINITY;

  async function round(signal: AbortSignal): Promise<number> {
    const now = slack.clock.now();
    const due = await store.outbox.due(now, BATCH, [...working.keys()]);
    for (const [channel, rows] of Map.groupBy(due, (row) => row.channel)) {
      working.set(channel, inOrder(channel, rows, now, signal));
    }
    const isCounted = now >= countedAt + COUNT_MS;
    // A channel whose outcome could not be recorded wakes nobody.
    const isSettled = isCounted && working.size === 0;
    if (isCounted) {
      countedAt = now;
      slack.metrics.gauge('gumshoe_outbox_due', await store.outbox.countDue());
    }
    if (due.length === BATCH) return 0;
    const later = await store.outbox.untilNext(now);
    return isSettled ? later : Math.min(later, COUNT_MS);
  }

  /**
   * @param now when the rows were read. One that has been postponed since waits for the next round, even if it is due
   *   again by then: the messages before it were postponed as well, and must stay ahead of it.
   */
  async function inOrder(
    channel: string,
    rows: OutboxRow[],
    now: number,
    signal: AbortSignal,
  ): Promise<void> {
    let isRecorded = true;
    for (const row of rows) {
      if (signal.aborted) break;
      try {
        const fresh = await store.outbox.get(row.key);
        if (fresh?.state === 'due' && fresh.nextAt <= now) await deliverTraced(fresh, options);
      } catch (error) {
        isRecorded = false;
        slack.log.error({ err: error, key: row.key }, 'could not record the outcome of a message');
      }
    }
    working.delete(channel);
    // What arrived in the meantime was left alone. If nothing can be recorded, it would be due at once again.
    if (isRecorded) wakeup.wake();
  }

  const rounds = createQueueWorker({
    round,
    wakeup,
    onError: (error) => slack.log.error({ err: error }, 'could not process the outbox'),
  });

  return {
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.all(working.values());
    },
  };
}

function deliverTraced(row: OutboxRow, options: DeliverOptions): Promise<void> {
  const { issueId, questionId, kind } = row;
  const work = () => deliver(row, options);
  if (questionId !== null) return traced(`question:${questionId}`, `deliver ${kind}`, work);
  return issueId === null ? work() : traced(`issue:${issueId}`, `deliver ${kind}`, work);
}
