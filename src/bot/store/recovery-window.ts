import { expressionsOf } from './dialects/expressions.ts';
import type { Database } from './tables.ts';

/**
 * What an earlier life of the program may have done although the file knows nothing of it: its last commits were
 * damaged with the write-ahead log, or an older backup was put in its place.
 */
export interface RecoveryWindow {
  /** What is about something older may have been done, in milliseconds. */
  before: number;
  /** By then all of it has been read again, in milliseconds. */
  until: number;
}

/**
 * Whether what is asked for now has to be looked for before it is done.
 *
 * @param cause when that was posted, or was due, which it is about (milliseconds)
 */
export function isInRecoveryWindow(doubt: RecoveryWindow | null, cause: number, now: number): boolean {
  return doubt !== null && now < doubt.until && cause < doubt.before;
}

/** What is asked for and not done yet may have been done as well: the mark that is made before may be lost. */
export async function openRecoveryWindow(db: Database): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ sending: expressionsOf(db).jsonLength('sent') })
    .where('state', 'in', ['due', 'parked'])
    .where('sending', 'is', null)
    .where('kind', '!=', 'reaction')
    .execute();
  await db
    .updateTable('issues')
    .set({ attemptedAt: 0 })
    .where('state', '=', 'pending')
    .where('attemptedAt', 'is', null)
    .execute();
}
