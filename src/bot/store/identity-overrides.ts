import type { Database } from './tables.ts';

export type IdentityOverrideStore = ReturnType<typeof identityOverrideStore>;

/** Means every alert of an identity. */
const ALL = '';

/**
 * Identities that people split (*Split off*) or joined (*Attach to #n*). `detail` distinguishes alerts of one
 * fingerprint. Every row names its final identity, so one lookup suffices.
 */
export function identityOverrideStore(db: Database) {
  return {
    /** The identity that an alert counts as. */
    resolve: async (identity: string, detail: string): Promise<string> => {
      const rows = await db
        .selectFrom('identityOverrides')
        .select(['detail', 'becomes'])
        .where('identity', '=', identity)
        .where('detail', 'in', [detail, ALL])
        .execute();
      const own = rows.find((row) => row.detail === detail) ?? rows[0];
      return own?.becomes ?? identity;
    },

    /** From now on, alerts of this identity and detail count as another one. */
    apart: async (identity: string, detail: string, becomes: string): Promise<void> => {
      await db
        .insertInto('identityOverrides')
        .values({ identity, detail, becomes })
        .onConflict((c) => c.columns(['identity', 'detail']).doUpdateSet({ becomes }))
        .execute();
    },

    /** From now on, everything that counts as `identity` counts as `target`. */
    join: async (identity: string, target: string): Promise<void> => {
      await db
        .updateTable('identityOverrides')
        .set({ becomes: target })
        .where('becomes', '=', identity)
        .execute();
      await db
        .insertInto('identityOverrides')
        .values({ identity, detail: ALL, becomes: target })
        .onConflict((c) => c.columns(['identity', 'detail']).doUpdateSet({ becomes: target }))
        .execute();
      // An identity that counts as itself needs no row; a row for a detail still overrides the one for all.
      await db
        .deleteFrom('identityOverrides')
        .whereRef('identity', '=', 'becomes')
        .where('detail', '=', ALL)
        .execute();
    },
  };
}
