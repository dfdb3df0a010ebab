import type { IsolationLevel, Kysely, Transaction } from 'kysely';
import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { LONGEST_ABSENCE_MS } from './dialect.ts';
import { isConflict, isUnavailable } from './errors.ts';

const RETRY = { firstMs: 5, maxMs: 500 };

interface RetryOptions {
  clock: Clock;
  random: () => number;
  /** From now on what fails is not tried again. */
  signal?: AbortSignal;
}

/**
 * Runs `work` as if no other transaction ran, here or on another replica (`serializable`): where one got in the way, or
 * the connection was lost before the commit, all of it runs again. So it must do nothing but read and write.
 *
 * @throws what still stood in the way after a minute: a conflict, or a server that is away
 */
export function runSerializable<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  return runTransaction(db, work, { ...options, isolationLevel: 'serializable' });
}

/** The same at another isolation level: what `work` relies on, it locks itself. */
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
