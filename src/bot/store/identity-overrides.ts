import type { Database } from './tables.ts';

export type IdentityOverrideStore = ReturnType<typeof identityOverrideStore>;

/** Stands for every alert of an identity. */
const ALL = '';

/**
 * Which identities people told apart (*Split off*) or joined (*Attach to #n*). `detail` tells alerts of one
 * fingerprint apart. Every row names its final identity, so that one look suffices.
 */
export function identityOverrideStore(db: Database) {
  return {
    /** The identity that an alert counts for. */
    resolve: async (identity: string, detail: string): Promise<string> => {
      const rows = await db
        .selectFrom('joins')
        .select(['detail', 'becomes'])
        .where('identity', '=', identity)
        .where('detail', 'in', [detail, ALL])
        .execute();
      const own = rows.find((row) => row.detail === detail) ?? rows[0];
      return own?.becomes ?? identity;
    },

    /** From now on, alerts of this identity and detail count for another one. */
    apart: async (identity: string, detail: string, becomes: string): Promise<void> => {
      await db
        .insertInto('joins')
        .values({ identity, detail, becomes })
        .onConflict((c) => c.columns(['identity', 'detail']).doUpdateSet({ becomes }))
        .execute();
    },

    /** From now on, everything that counts for `identity` counts for `target`. */
    join: async (identity: string, target: string): Promise<void> => {
      await db.updateTable('joins').set({ becomes: target }).where('becomes', '=', identity).execute();
      await db
        .insertInto('joins')
        .values({ identity, detail: ALL, becomes: target })
        .onConflict((c) => c.columns(['identity', 'detail']).doUpdateSet({ becomes: target }))
        .execute();
      // What counts for itself needs no row; a row of a detail still stands against that of all.
      await db.deleteFrom('joins').whereRef('identity', '=', 'becomes').where('detail', '=', ALL).execute();
    },
  };
}
