import type { Clock } from '../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../lib/worker-loop.ts';
import type { ServiceLog } from './log.ts';
import type { Store } from './store/store.ts';
import type { Sweep } from './store/sweep.ts';

const DAY_MS = 86_400_000;
/** The start has the database to itself. */
const FIRST_AFTER_MS = 60_000;
const ROWS_AT_ONCE = 100;
/** Between two transactions, so that no request waits for more than one. */
const PAUSE_MS = 50;

/** What was sent to a model is kept so long. */
const PAYLOADS_MS = 14 * DAY_MS;

const PARTS = [
  'issues',
  'conversations',
  'artifacts',
  'changes',
  'modelRequests',
  'modelPayloads',
] as const satisfies (keyof Sweep)[];

interface RetentionOptions {
  store: Pick<Store, 'transaction'>;
  /** By which data is old. */
  clock: Pick<Clock, 'now'>;
  /** By which a day passes. */
  timer: Pick<Clock, 'sleep'>;
  log: ServiceLog;
  /** How long what is over is kept. */
  retentionDays: number;
}

/** Deletes expired data once a day, in small transactions; several replicas do each other no harm. */
export function createRetention({ store, clock, timer, log, retentionDays }: RetentionOptions): Worker {
  let isFirst = true;

  async function round(signal: AbortSignal): Promise<void> {
    if (isFirst) await timer.sleep(FIRST_AFTER_MS, signal);
    isFirst = false;
    for (const part of PARTS) {
      const before = clock.now() - (part === 'modelPayloads' ? PAYLOADS_MS : retentionDays * DAY_MS);
      while ((await store.transaction((tx) => tx.sweep[part](before, ROWS_AT_ONCE))) > 0) {
        await timer.sleep(PAUSE_MS, signal);
      }
    }
  }

  return createWorkerLoop({
    // A wait that the shutdown ended rejects.
    round: (signal) => round(signal).catch((error) => (signal.aborted ? undefined : Promise.reject(error))),
    rest: (signal) => timer.sleep(DAY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not delete expired data'),
  });
}
