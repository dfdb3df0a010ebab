import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** A step of an issue's remediation that somebody has done: who, and when (milliseconds). */
export type CompletedStep = Selectable<Tables['ticks']>;
export type ChecklistStepStore = ReturnType<typeof checklistStepStore>;

/** What people have done of the remediation checklists (DESIGN section 4, *Results*). */
export function checklistStepStore(db: Database) {
  return {
    /** @returns false if somebody has ticked the step before: theirs stays. */
    add: async (tick: CompletedStep): Promise<boolean> => {
      const added = await db
        .insertInto('ticks')
        .values(tick)
        .onConflict((c) => c.doNothing())
        .returning('step')
        .executeTakeFirst();
      return added !== undefined;
    },

    /** Takes back the very tick that was made `at`; @returns false if it is gone already. */
    remove: async ({ issueId, step, at }: Omit<CompletedStep, 'who'>): Promise<boolean> => {
      const removed = await db
        .deleteFrom('ticks')
        .where('issueId', '=', issueId)
        .where('step', '=', step)
        .where('at', '=', at)
        .returning('step')
        .executeTakeFirst();
      return removed !== undefined;
    },

    ofIssue: (issueId: string): Promise<CompletedStep[]> =>
      db.selectFrom('ticks').selectAll().where('issueId', '=', issueId).orderBy('at').execute(),
  };
}
