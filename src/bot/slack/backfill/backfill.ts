import { backoffMs } from '../../../lib/backoff.ts';
import type { BackfillDeps } from './deps.ts';
import type { Gaps } from './gaps.ts';
import { createReader } from './reader.ts';

const AGAIN_MS = 60 * 60_000;
/** After a transient failure of the network or the disk. */
const RETRY = { firstMs: 1_000, maxMs: 5 * 60_000 };
const GRACE_MS = 3_000;

export interface Backfill {
  start(): void;
  /** A sentence for `/readyz` while it is reading; otherwise `null`. */
  degraded(): string | null;
  /** Ends at once; the next start reads the rest. */
  stop(): Promise<void>;
}

/**
 * Reads what was missed while deliveries could not be received, and decides on it as if live (DESIGN sections 4 and
 * 5): after each gap, soon again after a transient failure, and hourly for channels it cannot read.
 */
export function createBackfill(options: Omit<BackfillDeps, 'signal'> & { gaps: Gaps }): Backfill {
  const { gaps, listeners } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const reader = createReader({ ...options, signal }, gaps);
  let loop: Promise<void> = Promise.resolve();
  let readUpTo = 0;
  let failures = 0;

  async function run(): Promise<void> {
    for (;;) {
      await gaps.waitForEnd(
        failures === 0 ? AGAIN_MS : backoffMs(failures - 1, RETRY, options.random),
        signal,
      );
      if (signal.aborted) return;
      const upTo = gaps.ended();
      try {
        const isWhole = await reader.read(readUpTo < upTo);
        readUpTo = upTo;
        failures = isWhole ? 0 : failures + 1;
      } catch (error) {
        failures += 1;
        if (!signal.aborted) {
          listeners.log.warn({ err: error }, 'could not finish the backfill');
        }
      }
    }
  }

  return {
    start: () => {
      loop = run();
    },
    degraded: () => {
      const channels = reader.remaining();
      if (channels === 0) return null;
      return `catching up on ${channels} ${channels === 1 ? 'channel' : 'channels'}`;
    },
    stop: async () => {
      stopping.abort();
      gaps.releaseAll();
      const late = new AbortController();
      await Promise.race([loop, listeners.clock.sleep(GRACE_MS, late.signal).catch(() => undefined)]);
      late.abort();
    },
  };
}
