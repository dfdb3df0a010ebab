import { isBefore, type Moment } from '../shared/moment.ts';
import type { Database } from './tables.ts';

/** What somebody did, and when. */
export interface Act extends Moment {
  /** What was acted on; a later act on the same subject replaces this one: `issue:<uuid>`, `filing`. */
  subject: string;
  who: string;
  /** What they did, as text for people or as one of its values: `resolved it`. */
  what: string;
}

/**
 * The newest act on each subject. Deliveries are handled in any order: an act older than the newest one is obsolete.
 */
export function actStore(db: Database) {
  const newest = async (subject: string): Promise<Act | null> => {
    const row = await db.selectFrom('acts').selectAll().where('subject', '=', subject).executeTakeFirst();
    if (row === undefined) return null;
    const { receivedAt, ...act } = row;
    return { ...act, receivedAt };
  };

  return {
    newest,

    /**
     * Records an act as the newest on its subject, in the transaction that carries it out. The same act again does not
     * count as newer.
     *
     * @param now our clock, which may have been set back: stored acts from the future supersede nothing
     * @returns the newer act that was done already, if any: this one is obsolete, and nothing is recorded
     */
    take: async (act: Act, now: number): Promise<Act | null> => {
      const standing = await newest(act.subject);
      const isBySlack = act.ts !== null && standing?.ts != null;
      if (standing !== null && (isBySlack || standing.receivedAt <= now) && isBefore(act, standing)) {
        return standing;
      }
      const { subject, ts, who, what, receivedAt } = act;
      const values = { ts, receivedAt: receivedAt, who, what };
      await db
        .insertInto('acts')
        .values({ subject, ...values })
        .onConflict((c) => c.column('subject').doUpdateSet(values))
        .execute();
      return null;
    },
  };
}
