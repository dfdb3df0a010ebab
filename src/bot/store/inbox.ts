import { expressionsOf } from './dialects/expressions.ts';
import { AT_ONCE, countOf, isDue, untilNext } from './due.ts';
import type { Database } from './tables.ts';

/** A Slack delivery, stored before it is acknowledged. */
export interface Delivery {
  key: string;
  /** The body as JSON. */
  body: string;
  receivedAt: number;
}

export interface OpenDelivery extends Delivery {
  attempts: number;
}

/** No delivery waits longer for its next attempt. */
export const LONGEST_WAIT_MS = 15 * 60_000;

/** @param owner the replica that handles the deliveries it stores; empty if there is only one */
export function inboxStore(db: Database, owner = '') {
  const { valuesOf, arrival } = expressionsOf(db);
  return {
    /** Stores deliveries, and returns the new keys. */
    add: async (deliveries: readonly Delivery[]): Promise<Set<string>> => {
      const rows = await db
        .insertInto('inbox')
        .values(deliveries.map((one) => ({ ...one, attempts: 0, nextAt: AT_ONCE, state: 'open', owner })))
        .onConflict((c) => c.doNothing())
        .returning('key')
        .execute();
      return new Set(rows.map((row) => row.key));
    },

    /**
     * Unfinished deliveries that this replica stored or took over, oldest first: read at start, and when a retry is
     * due. Limited in number, and without those in `besides`.
     */
    open: (
      now: number,
      { most, besides = [] }: { most: number; besides?: Iterable<string> },
    ): Promise<OpenDelivery[]> =>
      db
        .selectFrom('inbox')
        .select(['key', 'body', 'receivedAt', 'attempts'])
        .where((e) => e.and({ state: 'open', owner }))
        .where(isDue(now, LONGEST_WAIT_MS))
        .where('key', 'not in', valuesOf([...besides]))
        .orderBy('receivedAt')
        .orderBy(arrival)
        .limit(most)
        .execute(),

    /** Milliseconds until the next of those that wait is due. */
    untilNext: (now: number): Promise<number> =>
      untilNext(db.selectFrom('inbox').where('state', '=', 'open').where('owner', '=', owner), now),

    countOpen: (): Promise<number> => countOf(db.selectFrom('inbox').where('state', '=', 'open')),

    /** How many wait for something to be fixed. */
    countPostponed: (): Promise<number> =>
      countOf(
        db
          .selectFrom('inbox')
          .where((e) => e.and({ state: 'open', attempts: 0 }))
          .where('error', 'is not', null),
      ),

    /** Handled. Deletes the bodies: the keys suffice to recognize a redelivery. */
    done: async (keys: readonly string[]): Promise<void> => {
      await db
        .updateTable('inbox')
        .set({ state: 'done', body: '', error: null })
        .where('key', 'in', valuesOf(keys))
        .execute();
    },

    /** Handling failed: retried at `nextAt`, or given up (`null`; the body is kept for people to inspect). */
    failed: async (key: string, error: string, nextAt: number | null): Promise<void> => {
      await db
        .updateTable('inbox')
        .set((e) => ({
          attempts: e('attempts', '+', 1),
          error,
          ...(nextAt === null ? { state: 'dead' as const } : { nextAt }),
        }))
        .where('key', '=', key)
        .execute();
    },

    /**
     * It cannot be handled yet: retried at `nextAt`, without counting as a failure.
     *
     * @param error what has to be fixed first; `null` if nothing is wrong
     */
    postpone: async (key: string, error: string | null, nextAt: number): Promise<void> => {
      await db.updateTable('inbox').set({ error, nextAt }).where('key', '=', key).execute();
    },
  };
}
