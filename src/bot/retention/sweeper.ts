import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Aggregates, Store } from '../store/open.ts';

const DAY_MS = 86_400_000;
/** For handled deliveries, and for messages that are no longer edited. */
const SPENT_MS = 14 * DAY_MS;
/** The reads at startup have the database to themselves. */
const FIRST_AFTER_MS = 60_000;
const ROWS_AT_ONCE = 200;
/** Between two transactions, so that no delivery waits for more than one. */
const PAUSE_MS = 50;

/** In this order: dependent rows go first, or together with what they depend on. */
const parts = [
  'issues',
  'conversations',
  'alerts',
  'holds',
  'files',
  'outbox',
  'inbox',
  'changes',
  'acts',
  'sessions',
  'webhooks',
  'receivedAlerts',
] as const satisfies (keyof Aggregates['sweep'])[];

export interface SweeperOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  /** How long closed issues are kept. */
  retentionDays: number;
}

/**
 * Deletes expired data once a day, in small transactions. A shutdown in between loses nothing: the next sweep
 * continues.
 */
export function createSweeper({ store, clock, log, retentionDays }: SweeperOptions): Worker {
  let isFirst = true;

  async function sweep(part: (typeof parts)[number], signal: AbortSignal): Promise<number> {
    const now = clock.now();
    const ages = { over: now - retentionDays * DAY_MS, spent: now - SPENT_MS };
    let all = 0;
    for (;;) {
      const went = await store.transaction((tx) => tx.sweep[part](ages, ROWS_AT_ONCE));
      all += went;
      if (went === 0) return all;
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    if (isFirst) await clock.sleep(FIRST_AFTER_MS, signal);
    isFirst = false;
    await store.setup.endIfOver(clock.now());
    const swept: Partial<Record<(typeof parts)[number], number>> = {};
    for (const part of parts) {
      try {
        swept[part] = await sweep(part, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error, part }, 'could not delete expired data');
      }
    }
    while (await store.giveBack()) await clock.sleep(PAUSE_MS, signal);
    await store.truncateLog();
    log.info({ swept }, 'deleted expired data');
  }

  return createWorkerLoop({
    // A wait that the shutdown ended rejects.
    round: (signal) => round(signal).catch((error) => (signal.aborted ? undefined : Promise.reject(error))),
    rest: (signal) => clock.sleep(DAY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not delete expired data'),
  });
}
