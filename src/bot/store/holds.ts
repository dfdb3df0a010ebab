import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

/** Alerts held back under one rolling message. */
export type Hold = Selectable<Tables['holds']>;

/** Those without a rolling message: they end with the pause or the plan that they belong to. */
const APART: Hold['reason'][] = ['paused', 'planned'];

/** Of a moment that is said to be the end of a storm: later than now. */
const CERTAINLY_LATER_MS = 10 * 60_000;

export function holdStore(db: Database, wake: Wake = wakeNobody) {
  const all = db.selectFrom('holds').selectAll();
  return {
    get: async (id: string): Promise<Hold | null> =>
      (await all.where('id', '=', id).executeTakeFirst()) ?? null,

    /**
     * The hold that the next alert joins: open, of the same kind, and added to since `since`; during a pause, that
     * pause's hold.
     */
    current: async (channel: string, paused: boolean, since: number): Promise<Hold | null> =>
      (await all
        .where('channel', '=', channel)
        .where('state', 'in', paused ? ['rolling'] : ['rolling', 'quiet'])
        .where('reason', paused ? 'in' : 'not in', paused ? ['paused'] : APART)
        .where('lastAt', '>', since)
        .orderBy('createdAt', 'desc')
        .executeTakeFirst()) ?? null,

    /** The same cause at the same moment is the same hold: a dry run meets its own holds again. */
    add: async (hold: Omit<Hold, 'dismissedBy'>): Promise<void> => {
      await db
        .insertInto('holds')
        .values({ ...hold, dismissedBy: null })
        .onConflict((c) => c.column('id').doUpdateSet(hold))
        .execute();
      wake('timers');
    },

    /** One more alert was held. Does not restart the pause that the hold belongs to. */
    grow: async (id: string, at: number): Promise<void> => {
      await db
        .updateTable('holds')
        .set((e) => ({
          lastAt: at,
          state: e
            .case()
            .when('reason', 'in', APART)
            .then(e.ref('state'))
            .else('rolling' as const)
            .end(),
        }))
        .where('id', '=', id)
        .execute();
    },

    /** Who dismissed the waiting alerts. */
    dismissed: async (id: string, by: string): Promise<void> => {
      await db.updateTable('holds').set({ dismissedBy: by }).where('id', '=', id).execute();
    },

    /** Quiet holds with nothing waiting: everything recovered or was filed one by one. */
    doneWith: (): Promise<Hold[]> =>
      all
        .where('state', '=', 'quiet')
        .where((e) =>
          e.not(
            e.exists(
              e
                .selectFrom('alerts')
                .select('alerts.id')
                .whereRef('alerts.holdId', '=', 'holds.id')
                .where('alerts.outcome', 'is', null),
            ),
          ),
        )
        .execute(),

    become: async (id: string, state: Hold['state']): Promise<void> => {
      await db.updateTable('holds').set({ state }).where('id', '=', id).execute();
    },

    /** Rolling holds with nothing added since then, or by a clock that was wrong: the storm is over. */
    calm: (since: number): Promise<Hold[]> =>
      all
        .where('state', '=', 'rolling')
        .where('reason', 'not in', APART)
        .where((e) => e.or([e('lastAt', '<=', since), e('lastAt', '>', since + CERTAINLY_LATER_MS)]))
        .execute(),

    /** Whether there is one that is not closed. */
    isAnyOpen: async (): Promise<boolean> => {
      const open = db.selectFrom('holds').select('id').where('state', 'in', ['rolling', 'quiet']);
      return (await open.limit(1).executeTakeFirst()) !== undefined;
    },

    /** What planned work holds back, and waits for its end with no message. */
    ofPlans: (): Promise<Hold[]> =>
      all.where((e) => e.and({ reason: 'planned', state: 'rolling' })).execute(),

    /** What a pause held back, one hold per channel. */
    ofPause: (): Promise<Hold[]> =>
      all.where('reason', '=', 'paused').where('state', '!=', 'closed').execute(),
  };
}
