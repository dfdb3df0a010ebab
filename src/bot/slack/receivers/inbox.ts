import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AckFn } from '@slack/bolt';
import { z } from 'zod';
import type { Checkpoint, Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import { arriving } from '../../../lib/tracing/spans.ts';
import type { Store } from '../../store/open.ts';
import { waitForRepair } from '../blockers/missing-scopes.ts';
import { isBody, isSlackPayload } from './slack-payload.ts';

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 2_000;
const SWEEP_MS = 5_000;
const GRACE_MS = 3_000;
/** At most this many wait in memory for their turn; the rest wait in the database. */
const MOST_WAITING = 1_000;
const Body = z.record(z.string(), z.unknown());

/** A delivery as it comes from a receiver. */
interface Incoming {
  body: Record<string, unknown>;
  envelopeId?: string;
  ack: AckFn<unknown>;
}

/** Takes a delivery from a receiver. Rejects if it is not stored, or not answered: Slack is to send it again. */
export type Intake = (delivery: Omit<Incoming, 'body'> & { body: unknown }) => Promise<void>;

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
   * Stores the delivery, then handles it; if many are waiting, it stays in the database until its turn. Rejects without
   * acknowledging if it cannot be stored: Slack sends it again.
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

/** The inbox between the receivers and Bolt: a delivery is stored before Slack gets a response, and before Bolt sees it. */
export function createInbox({ store, clock, log, metrics, checkpoint, gap }: InboxOptions): Inbox {
  const running = new Map<string, Promise<void>>();
  let turn: Promise<void> = Promise.resolve();
  let waiting = 0;
  let lastArrival = 0;
  /** How many were left in the database so far, and whether some still are. */
  let left = 0;
  let isBehind = false;
  let isTakingUp = false;
  let isSomethingMissing = false;
  /** Deliveries that were put off, until they are handled. */
  const putOffs = new Set<string>();
  let handle: Handle | null = null;
  let canMatter: CanMatter = everything;
  let stopping: AbortController | null = null;

  async function run(
    key: string,
    body: () => Record<string, unknown>,
    ack: AckFn<unknown>,
    attempts: number,
    isPatient: boolean,
    receivedAt: number,
  ): Promise<void> {
    const listener = handle;
    if (!listener) return;
    let isAcknowledged = false;
    const acknowledge: AckFn<unknown> = async (response) => {
      if (isAcknowledged) return;
      isAcknowledged = true;
      await ack(response);
    };
    try {
      // An acknowledged delivery can wait for its turn; behind a command or a button, a person waits.
      if (isPatient) await waitTurn();
      const delivery = { body: body(), ack: acknowledge, receivedAt };
      await arriving('delivery from Slack', receivedAt, () => listener(delivery));
      // No listener claimed it: acknowledge, so that Slack does not wait for its timeout.
      if (!isAcknowledged) await ack().catch(() => undefined);
      await store.inbox.done([key]);
      putOffs.delete(key);
      await checkpoint('inbox: done');
    } catch (error) {
      const wait = waitForRepair(error);
      if (wait !== null) return await putOff(key, error, wait);
      const last = error instanceof UnreadableError || attempts + 1 >= MAX_ATTEMPTS;
      putOffs.delete(key);
      metrics.count('gumshoe_listener_failures_total');
      log.error(
        { err: error, delivery: key, attempts: attempts + 1, givenUp: last },
        'could not handle a delivery',
      );
      const nextAt = last ? null : clock.now() + FIRST_RETRY_MS * 2 ** attempts;
      await store.inbox.failed(key, error instanceof Error ? error.message : String(error), nextAt);
    }
  }

  /** Waits for somebody to fix what blocks it. However long that takes, it does not count as an attempt. */
  async function putOff(key: string, error: unknown, wait: number): Promise<void> {
    putOffs.add(key);
    log.warn(
      { err: error, delivery: key, waitMs: wait },
      'a delivery waits for a problem in Slack to be fixed',
    );
    await store.inbox.waits(key, error instanceof Error ? error.message : String(error), clock.now() + wait);
  }

  /** Arrivals within one millisecond get distinct fractions, which keep their order. */
  function momentOfArrival(now: number): number {
    const isSame = Math.floor(lastArrival) === now;
    lastArrival = isSame ? Math.min(lastArrival + 1 / 1_024, now + 1_023 / 1_024) : now;
    return lastArrival;
  }

  function track(key: string, work: Promise<void>): Promise<void> {
    const tracked = work
      .catch((error) =>
        log.error({ err: error, delivery: key }, 'could not record the outcome of a delivery'),
      )
      .finally(() => running.delete(key));
    running.set(key, tracked);
    return tracked;
  }

  /** One delivery begins in each turn of the event loop, so that arrivals are stored and acknowledged in between. */
  async function waitTurn(): Promise<void> {
    waiting += 1;
    turn = turn.then(() => nextTurn());
    await turn;
    waiting -= 1;
    if (mayTakeUpMore()) {
      void takeUp().catch((error) => log.error({ err: error }, 'could not read the inbox'));
    }
  }

  /** Loads as many from the database as may wait in memory, oldest first. */
  async function takeUp(): Promise<void> {
    if (isTakingUp) return;
    isTakingUp = true;
    try {
      do {
        const before = left;
        const most = Math.max(0, MOST_WAITING - waiting);
        const rows = await store.inbox.open(clock.now(), { most, besides: running.keys() });
        for (const row of rows) {
          if (running.has(row.key)) continue;
          const body = () => Body.parse(JSON.parse(row.body));
          void track(
            row.key,
            run(row.key, body, async () => undefined, row.attempts, true, row.receivedAt),
          );
        }
        // Arrivals during the read are behind what was read.
        isBehind = rows.length === most || left !== before;
      } while (mayTakeUpMore());
    } finally {
      isTakingUp = false;
    }
  }

  function mayTakeUpMore(): boolean {
    return isBehind && waiting < MOST_WAITING / 2 && !stopping?.signal.aborted;
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await takeUp();
        metrics.gauge('gumshoe_inbox_unfinished', await store.inbox.countOpen());
        await clock.sleep(SWEEP_MS, signal);
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'could not read the inbox');
        await clock.sleep(SWEEP_MS, signal).catch(() => undefined);
      }
    }
  }

  async function storeAndHandle(incoming: Incoming): Promise<void> {
    const key = deliveryKey(incoming);
    const began = clock.now();
    const receivedAt = momentOfArrival(began);
    await checkpoint('inbox: before store');
    // Marked as running before it is stored, so that the sweep does not handle it a second time.
    let settle = () => {};
    const reserved = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const first = !running.has(key);
    if (first) running.set(key, reserved);
    let isAnswered = isEvent(incoming.body);
    try {
      const added = await store.inbox.add([{ key, body: JSON.stringify(incoming.body), receivedAt }]);
      metrics.observe('gumshoe_ack_seconds', (clock.now() - began) / 1000, { operation: 'inbox' });
      await checkpoint('inbox: stored');
      if (!added.has(key)) {
        metrics.count('gumshoe_deliveries_total', { outcome: 'repeated' });
        isAnswered = true;
        await incoming.ack();
        return;
      }
      metrics.count('gumshoe_deliveries_total', { outcome: 'stored' });
      const ack = await ackFor(incoming, log);
      if (isEvent(incoming.body) && (isBehind || waiting >= MOST_WAITING)) {
        isBehind = true;
        left += 1;
        return;
      }
      const answer: AckFn<unknown> = (response) => {
        isAnswered = true;
        return ack(response);
      };
      await track(
        key,
        run(key, () => incoming.body, answer, 0, isEvent(incoming.body), receivedAt),
      );
    } catch (error) {
      metrics.count('gumshoe_deliveries_total', { outcome: 'not_stored' });
      throw error;
    } finally {
      settle();
      if (first && running.get(key) === reserved) running.delete(key);
    }
    if (!isAnswered) throw new NotAnsweredError('a listener failed before it answered');
  }

  return {
    accept: async (incoming) => {
      if (!(await canMatter(incoming.body))) {
        metrics.count('gumshoe_deliveries_total', { outcome: 'ignored' });
        await ackFor(incoming, log);
        return;
      }
      if (isSomethingMissing) {
        await gap.begins();
        isSomethingMissing = false;
        gap.ended();
      }
      try {
        await storeAndHandle(incoming);
      } catch (error) {
        isSomethingMissing = true;
        throw error;
      }
    },
    start: (listener, matters = everything) => {
      handle = listener;
      canMatter = matters;
      stopping = new AbortController();
      void sweep(stopping.signal);
    },
    degraded: () =>
      putOffs.size === 0
        ? null
        : `Slack does not answer what deliveries need: ${putOffs.size} of them are kept and tried again; see the log`,
    stop: async () => {
      stopping?.abort();
      const late = new AbortController();
      await Promise.race([
        Promise.allSettled([...running.values()]),
        clock.sleep(GRACE_MS, late.signal).catch(() => undefined),
      ]);
      late.abort();
    },
  };
}

/**
 * Acknowledging an event says only that it is stored, so it happens now, whatever Bolt makes of the event. A command or a
 * button is acknowledged by its listener.
 */
async function ackFor({ body, ack }: Incoming, log: Logger): Promise<AckFn<unknown>> {
  if (!isEvent(body)) return ack;
  await ack().catch((error) => {
    // It is stored, so it will be handled; a redelivery is recognized by its key.
    log.warn({ err: error }, 'could not acknowledge a delivery');
  });
  return async () => undefined;
}

function isEvent(body: Record<string, unknown>): boolean {
  return body.type === 'event_callback';
}

/** `event_id`, else `envelope_id`, else a hash of the body; a redelivery has the same. */
function deliveryKey({ body, envelopeId }: Incoming): string {
  if (typeof body.event_id === 'string' && body.event_id !== '') return body.event_id;
  return envelopeId ?? createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

/** What a receiver does with a delivery: one that Slack would not send is acknowledged, all others go to the inbox. */
export function createIntake({ inbox, log }: { inbox: Inbox; log: Pick<Logger, 'warn'> }): Intake {
  return async ({ body, ...delivery }) => {
    if (isBody(body) && isSlackPayload(body)) return inbox.accept({ body, ...delivery });
    const type = isBody(body) && typeof body.type === 'string' ? body.type : null;
    log.warn({ type }, 'ignored a malformed request');
    await delivery.ack();
  };
}
