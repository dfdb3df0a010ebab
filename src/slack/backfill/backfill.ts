import { createBell } from '../../lib/bell.ts';
import { type ReadChannel, readChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import type { Gaps } from './gaps.ts';
import { tellLeftOut } from './left-out.ts';
import { readThreads } from './threads.ts';
import { inWords, outcomeOf } from './trouble.ts';

const AGAIN_MS = 60 * 60_000;
const GRACE_MS = 3_000;

export interface Backfill {
  start(): void;
  /** Deliveries come in again: reads what was missed, after a reading that is under way. */
  gapEnded(): void;
  /** A sentence for `/readyz` while it reads; else `null`. */
  degraded(): string | null;
  /** Ends at once; the next start reads the rest. */
  stop(): Promise<void>;
}

/**
 * Reads what was missed while deliveries could not come in, and decides on it as if live (DESIGN sections 4 and 5):
 * after each gap, and hourly where a channel could not be read. One reading at a time.
 */
export function createBackfill(options: Omit<BackfillDeps, 'signal'> & { gaps: Gaps }): Backfill {
  const { gaps, listeners } = options;
  const { store, clock, log, metrics } = listeners;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deps: BackfillDeps = { ...options, signal };
  const bell = createBell();
  const troubles = new Map<string, string>();
  let loop: Promise<void> = Promise.resolve();
  let toRead = 0;
  let ended = 0;
  let threadsReadFor = 0;

  async function round(begun: number): Promise<void> {
    const open = (await store.channels.watched()).flatMap(({ channel, gapFrom }) =>
      gapFrom === null ? [] : [{ channel, gapFrom }],
    );
    toRead = open.length;
    const read: ReadChannel[] = [];
    for (const one of open) {
      const result = await attempt(one);
      if (gaps.begun() === begun) gaps.release(one.channel);
      if (result === null) toRead -= 1;
      else read.push(result);
    }
    if (threadsReadFor !== ended) {
      const upTo = ended;
      await readThreads(read, deps);
      threadsReadFor = upTo;
    }
    for (const one of read) {
      await tellLeftOut(one, deps);
      await deps.step('backfill: before close');
      // A gap that has begun since is as old as this one, and is read next.
      if (gaps.begun() === begun) await store.channels.closeGap(one.channel);
      toRead -= 1;
    }
  }

  async function attempt(one: { channel: string; gapFrom: string }): Promise<ReadChannel | null> {
    try {
      const read = await readChannel(one, deps);
      metrics.count('gumshoe_backfilled_channels_total', { outcome: 'ok' });
      troubles.delete(one.channel);
      return read;
    } catch (error) {
      signal.throwIfAborted();
      const outcome = outcomeOf(error);
      metrics.count('gumshoe_backfilled_channels_total', { outcome });
      // Once, not again each hour.
      if (troubles.get(one.channel) !== outcome) {
        const { detail, fix } = await inWords(error, one.channel, listeners.client);
        log.warn({ channel: one.channel, detail, fix }, 'what was missed in a channel could not be read');
      }
      troubles.set(one.channel, outcome);
      return null;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await bell.wait(AGAIN_MS, signal);
      if (signal.aborted) return;
      const begun = gaps.begun();
      try {
        await round(begun);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'what was missed could not be read to its end');
      }
      toRead = 0;
      if (gaps.begun() === begun) gaps.releaseAll();
    }
  }

  return {
    start: () => {
      loop = run();
    },
    gapEnded: () => {
      ended += 1;
      bell.ring();
    },
    degraded: () => {
      if (toRead === 0) return null;
      return `reading what was missed in ${toRead} ${toRead === 1 ? 'channel' : 'channels'}`;
    },
    stop: async () => {
      stopping.abort();
      gaps.close();
      const late = new AbortController();
      await Promise.race([loop, clock.sleep(GRACE_MS, late.signal).catch(() => undefined)]);
      late.abort();
    },
  };
}
