import { isBefore, type Moment } from '../../lib/moment.ts';
import type { Database } from './tables.ts';

export type ActStore = ReturnType<typeof actStore>;

/** What somebody did to something, and when. */
export interface Act extends Moment {
  /** What it was done to, as far as a later act of the same kind replaces it: `issue:<uuid>`, `filing`. */
  subject: string;
  who: string;
  /** What they did, in words for a person, or as one of its values: `resolved it`. */
  what: string;
}

/**
 * The newest act on each thing that people act on. Deliveries are handled in whatever order: what is older than what has
 * been done already is overtaken.
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
     * Keeps an act as the newest on its subject, in the transaction that does it. The same act again is no newer one, and
     * does not overtake itself.
     *
     * @param now by which our clock tells that it was set back since: what came in the future overtakes nothing
     * @returns the newer act that was done already, if there is one: this one is overtaken, and nothing is kept
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
