import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** A remediation step that somebody has done: who, and when (milliseconds). */
export type CompletedStep = Selectable<Tables['checklistSteps']>;

/** Remediation checklist steps that people have done. */
export function checklistStepStore(db: Database) {
  return {
    /** @returns false if somebody had already ticked the step: their tick stays */
    add: async (tick: CompletedStep): Promise<boolean> => {
      const added = await db
        .insertInto('checklistSteps')
        .values(tick)
        .onConflict((c) => c.doNothing())
        .returning('step')
        .executeTakeFirst();
      return added !== undefined;
    },

    /** Removes exactly the tick made `at`; @returns false if it is already gone */
    remove: async ({ issueId, step, at }: Omit<CompletedStep, 'who'>): Promise<boolean> => {
      const removed = await db
        .deleteFrom('checklistSteps')
        .where((e) => e.and({ issueId, step, at }))
        .returning('step')
        .executeTakeFirst();
      return removed !== undefined;
    },

    ofIssue: (issueId: string): Promise<CompletedStep[]> =>
      db.selectFrom('checklistSteps').selectAll().where('issueId', '=', issueId).orderBy('at').execute(),
  };
}
