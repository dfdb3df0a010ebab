import type { Selectable } from 'kysely';
import type { Issue } from './issues.ts';
import type { Database, Tables } from './tables.ts';

export type SilenceRow = Selectable<Tables['silences']>;

/** Alertmanager silences that Gumshoe has made, or is about to make. */
export function silenceStore(db: Database) {
  return {
    all: (): Promise<SilenceRow[]> => db.selectFrom('silences').selectAll().orderBy('key').execute(),

    /** Issues muted beyond `now`, the next to end first. */
    mutedBeyond: (now: number): Promise<Issue[]> =>
      db
        .selectFrom('issues')
        .selectAll()
        .where('status', '=', 'muted')
        .where('mutedUntil', '>', now)
        .orderBy('mutedUntil')
        .limit(1_000)
        .execute(),

    /** Stores the wanted silence, or the Alertmanager's answer. */
    put: async (row: SilenceRow): Promise<void> => {
      const { key, ...rest } = row;
      await db
        .insertInto('silences')
        .values(row)
        .onConflict((c) => c.column('key').doUpdateSet(rest))
        .execute();
    },

    remove: async (key: string): Promise<void> => {
      await db.deleteFrom('silences').where('key', '=', key).execute();
    },
  };
}
