import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { createWakeup } from '../../../lib/worker-loop.ts';
import type { Logger } from '../../shared/log.ts';
import type { Store } from '../../store/open.ts';

const MessageDelivery = z.object({
  event: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
});

/** How long a live message waits at most for what came before it. */
const MOST_WAIT_MS = 20_000;

/** Where older messages may still be missing: in watched channels. */
export interface Gaps {
  /** Deliveries may be missed from now on: records where, before anything newer is taken. */
  begin(): Promise<void>;
  begun(): number;
  /** Deliveries arrive again: what was missed is to be read, after any reading in progress. */
  end(): void;
  ended(): number;
  /** Resolves when a gap ends, or has ended since the last wait; after `ms` milliseconds; or on abort. */
  waitForEnd(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves once everything older than a delivery's message in its channel has been decided, or is not to be waited
   * for; otherwise a recovery could be decided before its alert.
   */
  caughtUp(delivery: Record<string, unknown>): Promise<void>;
  /** Everything older has been decided, or cannot be for now. */
  release(channel: string): void;
  /** Releases everything that waits. */
  releaseAll(): void;
  /** The program is stopping: the next start knows about any gap that begins now. */
  close(): void;
}

export function createGaps({
  store,
  clock,
  lead = { isHeld: () => true },
}: {
  store: Store;
  clock: Clock;
  /** Where others take deliveries too, only the one that reads what was missed looks for gaps. */
  lead?: { isHeld(): boolean };
}): Gaps {
  const waitingFor = new Map<string, { from: string; over: PromiseWithResolvers<void> }>();
  const wakeup = createWakeup();
  let begun = 0;
  let ended = 0;
  let isClosed = false;
  let opening: Promise<void> = Promise.resolve();

  async function open(): Promise<void> {
    await store.channels.openGaps();
    for (const { channel, gapFrom } of await store.channels.watched()) {
      if (gapFrom === null || waitingFor.has(channel)) continue;
      waitingFor.set(channel, { from: gapFrom, over: Promise.withResolvers() });
    }
  }

  function release(channel: string): void {
    waitingFor.get(channel)?.over.resolve();
    waitingFor.delete(channel);
  }

  function releaseAll(): void {
    for (const channel of [...waitingFor.keys()]) release(channel);
  }

  return {
    begin: async () => {
      if (isClosed || !lead.isHeld()) return;
      begun += 1;
      const opened = opening.then(open);
      opening = opened.catch(() => undefined);
      await opened;
    },
    begun: () => begun,
    end: () => {
      ended += 1;
      wakeup.wake();
    },
    ended: () => ended,
    waitForEnd: wakeup.wait,
    caughtUp: async (delivery) => {
      const message = MessageDelivery.safeParse(delivery);
      if (!message.success) return;
      const { channel, ts } = message.data.event;
      await opening;
      const gap = waitingFor.get(channel);
      if (gap === undefined || ts <= gap.from) return;
      const enough = new AbortController();
      await Promise.race([gap.over.promise, clock.sleep(MOST_WAIT_MS, enough.signal).catch(() => undefined)]);
      enough.abort();
    },
    release,
    releaseAll,
    close: () => {
      isClosed = true;
      releaseAll();
    },
  };
}

/**
 * Records the gaps that begin when Slack's connection ends. The database is often away then too, so a gap may only be
 * recorded once it is back.
 */
export function createGapRecorder(gaps: Pick<Gaps, 'begin' | 'end'>, log: Pick<Logger, 'error'>) {
  let recording = Promise.resolve(true);

  async function record(): Promise<boolean> {
    try {
      await gaps.begin();
      return true;
    } catch (error) {
      log.error({ err: error }, 'could not record a gap yet');
      return false;
    }
  }

  async function isRecorded(): Promise<boolean> {
    if (await recording) return true;
    recording = record();
    return recording;
  }

  return {
    begins: (): void => {
      recording = record();
    },
    /** Whether the last gap is recorded; if not, tries again. Without that, nobody would know where to read on. */
    isRecorded,
    ends: async (): Promise<void> => {
      await isRecorded();
      gaps.end();
    },
  };
}
