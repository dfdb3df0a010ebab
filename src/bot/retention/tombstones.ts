import type { Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Store } from '../store/open.ts';
import type { Tombstone } from '../store/tombstones.ts';

const DAY_MS = 86_400_000;
const FIRST_AFTER_MS = 10 * 60_000;
/** How often each is checked; keeping one too long does no harm. */
const CHECKED_EVERY_MS = 30 * DAY_MS;
/** Requests per day, one at a time. */
const BUDGET = 50;
const PAUSE_MS = 1_000;

export interface TombstoneCheckOptions {
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
    if (isFirst) await clock.sleep(FIRST_AFTER_MS, signal);
    isFirst = false;
    for (const tombstone of await store.tombstones.unchecked(clock.now() - CHECKED_EVERY_MS, BUDGET)) {
      signal.throwIfAborted();
      if (!services.has(tombstone.organization)) continue;
      await check(tombstone, signal);
      await clock.sleep(PAUSE_MS, signal);
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
