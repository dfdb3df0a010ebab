import type { Selectable } from 'kysely';
import type { Issue } from './issues.ts';
import type { Database, Tables } from './tables.ts';

export type Tombstone = Selectable<Tables['tombstones']>;
export type TombstoneStore = ReturnType<typeof tombstoneStore>;

/** What is left of issues whose records are past their retention, but which the service still has. */
export function tombstoneStore(db: Database) {
  return {
    byUuid: async (uuid: string): Promise<Tombstone | null> =>
      (await db.selectFrom('tombstones').selectAll().where('uuid', '=', uuid).executeTakeFirst()) ?? null,

    /** Those that nobody has looked for at the service since `before`, the longest first. */
    unchecked: (before: number, limit: number): Promise<Tombstone[]> =>
      db
        .selectFrom('tombstones')
        .selectAll()
        .where('checkedAt', '<', before)
        .orderBy('checkedAt')
        .limit(limit)
        .execute(),

    /** The service has the issue still. */
    checked: async (uuid: string, at: number): Promise<void> => {
      await db.updateTable('tombstones').set({ checkedAt: at }).where('uuid', '=', uuid).execute();
    },

    /** The service does not have the issue any more. */
    remove: async (uuid: string): Promise<void> => {
      await db.deleteFrom('tombstones').where('uuid', '=', uuid).execute();
    },
  };
}

/** Before an issue's record goes: where it belongs stays known, unless the service has no such issue. */
export async function leaveTombstone(
  db: Database,
  { state, uuid, number, organization, channel, checkedAt }: Issue,
): Promise<void> {
  if (state !== 'created' || uuid === null || number === null) return;
  await db
    .insertInto('tombstones')
    .values({ uuid, number, organization, channel, checkedAt })
    .onConflict((c) => c.column('uuid').doUpdateSet({ number, channel }))
    .execute();
}
