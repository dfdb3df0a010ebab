import { ServiceError } from '../../contract/client/errors.ts';
import type { Services } from '../../contract/client/services.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Store } from '../store/open.ts';
import type { Tombstone } from '../store/tombstones.ts';

const DAY_MS = 86_400_000;
const FIRST_AFTER_MS = 10 * 60_000;
/** Each is looked for once in so long: to keep one that is not needed harms nobody. */
const CHECKED_EVERY_MS = 30 * DAY_MS;
/** Requests a day, one after the other. */
const BUDGET = 50;
const PAUSE_MS = 1_000;

export interface TombstoneCheckOptions {
  store: Store;
  services: Services;
  clock: Clock;
  log: Logger;
}

/**
 * Once a day asks the service for a few of the issues whose records are past their retention, and removes the tombstones
 * of those that it does not have any more. A service that fails is left alone until the next day.
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
    // A wait ends with a rejection where it was the stop that ended it.
    round: (signal) => round(signal).catch((error) => (signal.aborted ? undefined : Promise.reject(error))),
    rest: (signal) => clock.sleep(DAY_MS, signal),
    onError: (error) =>
      log.warn({ err: error }, 'could not check whether the service still has expired issues'),
  });
}
