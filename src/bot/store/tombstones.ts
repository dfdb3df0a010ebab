import type { Selectable } from 'kysely';
import type { Issue } from './issues.ts';
import type { Database, Tables } from './tables.ts';

export type Tombstone = Selectable<Tables['tombstones']>;

/** The remains of issues that are past their retention here, but still exist at the service. */
export function tombstoneStore(db: Database) {
  return {
    byUuid: async (uuid: string): Promise<Tombstone | null> =>
      (await db.selectFrom('tombstones').selectAll().where('uuid', '=', uuid).executeTakeFirst()) ?? null,

    /** Those not looked up at the service since `before`, longest first. */
    unchecked: (before: number, limit: number): Promise<Tombstone[]> =>
      db
        .selectFrom('tombstones')
        .selectAll()
        .where('checkedAt', '<', before)
        .orderBy('checkedAt')
        .limit(limit)
        .execute(),

    /** The service still has the issue. */
    checked: async (uuid: string, at: number): Promise<void> => {
      await db.updateTable('tombstones').set({ checkedAt: at }).where('uuid', '=', uuid).execute();
    },

    /** The service no longer has the issue. */
    remove: async (uuid: string): Promise<void> => {
      await db.deleteFrom('tombstones').where('uuid', '=', uuid).execute();
    },
  };
}

/** Before an issue's record is deleted: records where it belongs, unless the service does not have it. */
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
