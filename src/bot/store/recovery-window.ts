import { expressionsOf } from './dialects/expressions.ts';
import type { Database } from './tables.ts';

/**
 * What may have been done before the restart without being in the file: its last commits were damaged with the
 * write-ahead log, or an older backup was restored.
 */
export interface RecoveryWindow {
  /** Anything with an older cause may already have been done, in milliseconds. */
  before: number;
  /** By then everything has been re-read, in milliseconds. */
  until: number;
}

/**
 * Whether something requested now must be looked up before it is done.
 *
 * @param cause when its cause was posted or due (milliseconds)
 */
export function isInRecoveryWindow(doubt: RecoveryWindow | null, cause: number, now: number): boolean {
  return doubt !== null && now < doubt.until && cause < doubt.before;
}

/**
 * Anything requested and not done may have been done after all: its mark, made beforehand, may be lost. So may the words of
 * the answer to an open question, even if its message is up to date as far as the file knows: it may have grown.
 */
export async function openRecoveryWindow(db: Database): Promise<void> {
  const openQuestions = db.selectFrom('questions').select('id').where('state', 'in', ['queued', 'asking']);
  await db
    .updateTable('outbox')
    .set({ sending: expressionsOf(db).jsonLength('sent') })
    .where((e) =>
      e.or([
        e('state', 'in', ['due', 'parked']),
        e.and([e('kind', '=', 'answer'), e('state', '=', 'idle'), e('questionId', 'in', openQuestions)]),
      ]),
    )
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
