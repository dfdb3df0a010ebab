import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AckFn } from '@slack/bolt';
import { z } from 'zod';
import type { Checkpoint, Clock } from '../../../lib/clock.ts';
import { createQueueWorker, createWakeup } from '../../../lib/worker-loop.ts';
import type { Logger } from '../../shared/log.ts';
import type { Metrics } from '../../shared/metrics.ts';
import { arriving } from '../../shared/tracing/spans.ts';
import { type Delivery, LONGEST_WAIT_MS, type OpenDelivery } from '../../store/inbox.ts';
import type { Store } from '../../store/open.ts';
import { causesOf, NotYetError, waitForRepair } from '../errors.ts';

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 2_000;
/** How often to look for what was taken over from another replica. */
const LOOK_MS = 5_000;
const GRACE_MS = 3_000;
/** The rest wait in the database. */
const MOST_AT_ONCE = 1_000;
const Body = z.record(z.string(), z.unknown());

interface Incoming {
  body: Record<string, unknown>;
  envelopeId?: string;
  ack: AckFn<unknown>;
}

/** Handling failed before Slack got a response. Slack is told at once, and the inbox retries the delivery. */
export class NotAnsweredError extends Error {
  override name = 'NotAnsweredError';
}

/** A delivery that cannot be read; retrying is pointless. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/** What handles a stored delivery: Bolt's `processEvent`. Rejects when handling failed. */
export type Handle = (delivery: {
  body: Record<string, unknown>;
  ack: AckFn<unknown>;
  /** When it arrived, in milliseconds; unique, so that arrivals keep their order. Defaults to now. */
  receivedAt?: number;
}) => Promise<void>;

type CanMatter = (body: Record<string, unknown>) => Promise<boolean>;
const everything: CanMatter = async () => true;

export interface Inbox {
  /**
   * Stores the delivery. Resolves once it is acknowledged; rejects without acknowledging if it cannot be stored: Slack
   * sends it again.
   */
  accept(incoming: Incoming): Promise<void>;
  /**
   * Resumes what an earlier process stored and did not finish, and from then on retries what is due.
   *
   * @param canMatter whether handling a delivery can change anything; others are acknowledged, and not stored
   */
  start(handle: Handle, canMatter?: CanMatter): void;
  /** A sentence while deliveries wait for Slack; `null` otherwise. */
  degraded(): string | null;
  /** Resolves when the deliveries in progress are handled, or after a grace period: the next start resumes the rest. */
  stop(): Promise<void>;
}

/** A period in which deliveries may be missing. */
interface Gap {
  /** Stores where it begins. */
  begins(): Promise<void>;
  ended(): void;
}

export interface InboxOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  checkpoint: Checkpoint;
  /**
   * Slack resends what could not be stored for a few minutes only, and a disk may stay full for longer. So before anything
   * newer is stored, the gap is stored, and then backfilled.
   */
  gap: Gap;
}

/**
 * The inbox between the receivers and Bolt: stores a delivery before Slack gets a response and before Bolt sees it. An
 * event is acknowledged, and the worker takes it from the database, oldest first. Behind a command or a button a person
 * waits, so it is handled at once, and its listener acknowledges it.
 */
export function createInbox({ store, clock, log, metrics, checkpoint, gap }: InboxOptions): Inbox {
  /** What is being handled, and what will be once it is stored: the worker takes none of it. */
  const inHand = new Map<string, Promise<unknown>>();
  /** Those in hand whose handling has failed. */
  const unfinished = new Set<string>();
  const wakeup = createWakeup(clock);
  const worker = createQueueWorker({
    round,
    wakeup,
    onError: (error) => log.error({ err: error }, 'could not read the inbox'),
  });
  let lastArrival = 0;
  let postponed = 0;
  let isSomethingMissing = false;
  let handle: Handle | null = null;
  let canMatter: CanMatter = everything;

  /** Begins what is due, one delivery in a turn of the event loop: others are stored and acknowledged in between. */
  async function round(signal: AbortSignal): Promise<number> {
    const room = Math.max(0, MOST_AT_ONCE - inHand.size);
    const due = await store.inbox.open(clock.now(), { most: room, besides: inHand.keys() });
    for (const delivery of due) {
      if (signal.aborted) return 0;
      if (inHand.has(delivery.key)) continue;
      void hold(
        delivery.key,
        run(delivery, async () => undefined),
      );
      await nextTurn();
    }
    metrics.gauge('gumshoe_inbox_unfinished', await store.inbox.countOpen());
    postponed = await store.inbox.countPostponed();
    // More may be due. If too many are in hand for it, the worker is woken once half of them are handled.
    if (due.length === room && inHand.size <= MOST_AT_ONCE / 2) return 0;
    return Math.min(LOOK_MS, await store.inbox.untilNext(clock.now()));
  }

  function hold<T>(key: string, work: Promise<T>): Promise<T> {
    // A second delivery of the same only finds that it is stored.
    if (inHand.has(key)) return work;
    const held = work.finally(() => {
      inHand.delete(key);
      // It may be due again before the worker would look.
      if (unfinished.delete(key) || inHand.size === MOST_AT_ONCE / 2) wakeup.wake();
    });
    inHand.set(key, held);
    return held;
  }

  async function run(delivery: OpenDelivery, ack: AckFn<unknown>): Promise<void> {
    const { key, receivedAt } = delivery;
    const listener = handle;
    if (!listener) return;
    try {
      const body = Body.parse(JSON.parse(delivery.body));
      await arriving('delivery from Slack', receivedAt, () => listener({ body, ack, receivedAt }));
      // No listener claimed it: acknowledge, so that Slack does not wait for its timeout.
      await ack().catch(() => undefined);
      await store.inbox.done([key]);
      await checkpoint('inbox: done');
    } catch (error) {
      await recordFailure(delivery, error).catch((cause) =>
        log.error({ err: cause, delivery: key }, 'could not record the outcome of a delivery'),
      );
      unfinished.add(key);
    }
  }

  async function recordFailure({ key, attempts }: OpenDelivery, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const early = [...causesOf(error)].find((cause) => cause instanceof NotYetError);
    if (early !== undefined) {
      log.info({ delivery: key, reason: early.message }, 'a delivery came too early; retrying');
      return store.inbox.postpone(key, null, clock.now() + early.retryAfterMs);
    }
    const wait = waitForRepair(error);
    if (wait !== null) {
      const waitMs = Math.min(wait, LONGEST_WAIT_MS);
      log.warn({ err: error, delivery: key, waitMs }, 'a delivery waits for a problem in Slack to be fixed');
      // However long that takes, it does not count as an attempt.
      return store.inbox.postpone(key, reason, clock.now() + waitMs);
    }
    const last = error instanceof UnreadableError || attempts + 1 >= MAX_ATTEMPTS;
    metrics.count('gumshoe_listener_failures_total');
    log.error(
      { err: error, delivery: key, attempts: attempts + 1, givenUp: last },
      'could not handle a delivery',
    );
    await store.inbox.failed(key, reason, last ? null : clock.now() + FIRST_RETRY_MS * 2 ** attempts);
  }

  /** Arrivals within one millisecond get distinct fractions, which keep their order. */
  function momentOfArrival(now: number): number {
    const isSame = Math.floor(lastArrival) === now;
    lastArrival = isSame ? Math.min(lastArrival + 1 / 1_024, now + 1_023 / 1_024) : now;
    return lastArrival;
  }

  /** @returns whether it is new */
  async function add(delivery: Delivery, began: number): Promise<boolean> {
    const added = await store.inbox.add([delivery]);
    metrics.observe('gumshoe_ack_seconds', (clock.now() - began) / 1000, { operation: 'inbox' });
    await checkpoint('inbox: stored');
    metrics.count('gumshoe_deliveries_total', { outcome: added.has(delivery.key) ? 'stored' : 'repeated' });
    return added.has(delivery.key);
  }

  async function storeEvent(delivery: Delivery, ack: AckFn<unknown>, began: number): Promise<void> {
    await add(delivery, began);
    await acknowledge(ack, log);
    wakeup.wake();
  }

  async function storeAndAnswer(delivery: Delivery, ack: AckFn<unknown>, began: number): Promise<void> {
    let isAnswered = false;
    const answer: AckFn<unknown> = async (response) => {
      if (isAnswered) return;
      isAnswered = true;
      await ack(response);
    };
    const handled = add(delivery, began).then((isNew) =>
      isNew ? run({ ...delivery, attempts: 0 }, answer) : acknowledge(answer, log),
    );
    await hold(delivery.key, handled);
    if (!isAnswered) throw new NotAnsweredError('a listener failed before it answered');
  }

  return {
    accept: async (incoming) => {
      const { body, ack } = incoming;
      try {
        if (!(await canMatter(body))) {
          metrics.count('gumshoe_deliveries_total', { outcome: 'ignored' });
          return await acknowledge(ack, log);
        }
        if (isSomethingMissing) {
          await gap.begins();
          isSomethingMissing = false;
          gap.ended();
        }
        const began = clock.now();
        const receivedAt = momentOfArrival(began);
        const delivery = { key: deliveryKey(incoming), body: JSON.stringify(body), receivedAt };
        await checkpoint('inbox: before store');
        await (isEvent(body) ? storeEvent : storeAndAnswer)(delivery, ack, began);
      } catch (error) {
        if (!(error instanceof NotAnsweredError)) {
          isSomethingMissing = true;
          metrics.count('gumshoe_deliveries_total', { outcome: 'not_stored' });
        }
        throw error;
      }
    },
    start: (listener, matters = everything) => {
      handle = listener;
      canMatter = matters;
      worker.start();
    },
    degraded: () =>
      postponed === 0
        ? null
        : `Slack does not answer what deliveries need: ${postponed} of them are kept and tried again; see the log`,
    stop: async () => {
      const late = new AbortController();
      await Promise.race([
        worker.stop().then(() => Promise.allSettled(inHand.values())),
        clock.sleep(GRACE_MS, late.signal).catch(() => undefined),
      ]);
      late.abort();
    },
  };
}

async function acknowledge(ack: AckFn<unknown>, log: Logger): Promise<void> {
  await ack().catch((error) => {
    // What matters is stored, so it will be handled; a redelivery is recognized by its key.
    log.warn({ err: error }, 'could not acknowledge a delivery');
  });
}

function isEvent(body: Record<string, unknown>): boolean {
  return body.type === 'event_callback';
}

/** `event_id`, else `envelope_id`, else a hash of the body; a redelivery has the same. */
function deliveryKey({ body, envelopeId }: Incoming): string {
  if (typeof body.event_id === 'string' && body.event_id !== '') return body.event_id;
  return envelopeId ?? createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
