import type { IsolationLevel, Kysely, Transaction } from 'kysely';
import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { LONGEST_ABSENCE_MS } from './dialect.ts';
import { isConflict, isUnavailable } from './errors.ts';

const RETRY = { firstMs: 5, maxMs: 500 };

interface RetryOptions {
  clock: Clock;
  random: () => number;
  /** Once aborted, failures are not retried. */
  signal?: AbortSignal;
}

/**
 * Runs `work` as if no other transaction ran, here or on another replica (`serializable`): after a conflict, or a
 * connection lost before the commit, all of it runs again. So it must only read and write the database.
 *
 * @throws the failure that persists after a minute: a conflict, or an unavailable server
 */
export function runSerializable<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  return runTransaction(db, work, { ...options, isolationLevel: 'serializable' });
}

/** The same at another isolation level: `work` must lock what it relies on. */
export async function runTransaction<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  { clock, random, signal, isolationLevel }: RetryOptions & { isolationLevel: IsolationLevel },
): Promise<T> {
  const until = clock.now() + LONGEST_ABSENCE_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel(isolationLevel).execute(work);
    } catch (error) {
      const mayPass = isConflict(error) || isUnavailable(error);
      if (!mayPass || clock.now() >= until || signal?.aborted) throw error;
      await clock.sleep(backoffMs(attempt, RETRY, random));
    }
  }
}
