import type { Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { Tombstone } from '../store/tombstones.ts';

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
  'senderMessages',
  'proposals',
] as const satisfies (keyof Aggregates['sweep'])[];

interface SweeperOptions {
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
    while (await store.releaseFreePages()) await clock.sleep(PAUSE_MS, signal);
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

const EVERY_MS = 60_000;
/** Slack sends its events within seconds; during an outage of Slack, later. */
const AFTER_DELETION_MS = 60 * 60_000;

interface LogTruncationOptions {
  store: Pick<Store, 'issues' | 'truncateLog'>;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}

/**
 * Truncates the write-ahead log once a minute for an hour after an issue was deleted. Once, at the deletion, is not
 * enough: our edits of its messages follow, and Slack's events about them repeat what the messages said before. They are
 * stored like any delivery, and their bodies are dropped once they are handled, but not in the log.
 */
export function createLogTruncation({ store, clock, log }: LogTruncationOptions): Worker {
  return createWorkerLoop({
    round: async () => {
      if (await store.issues.isAnyGoneSince(clock.now() - AFTER_DELETION_MS)) await store.truncateLog();
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) =>
      log.error({ err: error }, 'could not truncate the write-ahead log, which still contains deleted text'),
  });
}

const TOMBSTONES_AFTER_MS = 10 * 60_000;
/** How often each is checked; keeping one too long does no harm. */
const CHECKED_EVERY_MS = 30 * DAY_MS;
/** Requests per day, one at a time. */
const BUDGET = 50;
const TOMBSTONES_PAUSE_MS = 1_000;

interface TombstoneCheckOptions {
  store: Store;
  services: Services;
  clock: Clock;
  log: Logger;
}

/**
 * Once a day, asks the service for a few of the issues whose records have expired, and removes the tombstones of those
 * it no longer has. If the service fails, waits until the next day.
 */
export function createTombstoneCheck({ store, services, clock, log }: TombstoneCheckOptions): Worker {
  let isFirst = true;

  async function check({ uuid, organization }: Tombstone, signal: AbortSignal): Promise<void> {
    try {
      await services.for(organization).issues.get(uuid, {}, signal);
      await store.tombstones.checked(uuid, clock.now());
    } catch (error) {
      // Only with the contract's error body: a proxy's own 404 says nothing about the issue.
      if (!(error instanceof ServiceError) || error.status !== 404 || error.type === null) throw error;
      await store.tombstones.remove(uuid);
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    if (isFirst) await clock.sleep(TOMBSTONES_AFTER_MS, signal);
    isFirst = false;
    for (const tombstone of await store.tombstones.unchecked(clock.now() - CHECKED_EVERY_MS, BUDGET)) {
      signal.throwIfAborted();
      if (!services.has(tombstone.organization)) continue;
      await check(tombstone, signal);
      await clock.sleep(TOMBSTONES_PAUSE_MS, signal);
    }
  }

  return createWorkerLoop({
    // A wait that the shutdown ended rejects.
    round: (signal) => round(signal).catch((error) => (signal.aborted ? undefined : Promise.reject(error))),
    rest: (signal) => clock.sleep(DAY_MS, signal),
    onError: (error) =>
      log.warn({ err: error }, 'could not check whether the service still has expired issues'),
  });
}
