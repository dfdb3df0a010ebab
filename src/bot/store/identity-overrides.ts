import { createHash } from 'node:crypto';
import type { Database } from './tables.ts';

/** No identity has this form: a fingerprint has only hexadecimal digits. */
function incidentsOf(identity: string): string {
  return `incidents of ${identity}`;
}

/** Means every alert of an identity. */
const ALL = '';

/** Overrides outlive their alerts, whose words they are to recognize and not to keep. */
function hashOf(detail: string): string {
  return detail === ALL ? ALL : createHash('sha256').update(detail).digest('hex');
}

/**
 * Identities that people split (*These are two problems*) or joined (*Attach to #n*). `detail` distinguishes alerts of one
 * fingerprint. Every row names its final identity, so one lookup suffices.
 */
export function identityOverrideStore(db: Database) {
  return {
    /** What people taught about an alert and others: that they are one incident when they fire together, or are not. */
    taughtAbout: async (identity: string | null): Promise<ReadonlyMap<string, 'together' | 'apart'>> => {
      if (identity === null) return new Map();
      const rows = await db
        .selectFrom('identityOverrides')
        .select(['detail', 'becomes'])
        .where('identity', '=', incidentsOf(identity))
        .execute();
      return new Map(rows.map(({ detail, becomes }) => [detail, becomes === 'apart' ? 'apart' : 'together']));
    },

    teachIncident: async (pair: readonly [string, string], becomes: 'together' | 'apart'): Promise<void> => {
      for (const [one, detail] of [pair, pair.toReversed()]) {
        if (one === undefined || detail === undefined) continue;
        await db
          .insertInto('identityOverrides')
          .values({ identity: incidentsOf(one), detail, becomes })
          .onConflict((c) => c.columns(['identity', 'detail']).doUpdateSet({ becomes }))
          .execute();
      }
    },

    /** The identity that an alert counts as. */
    resolve: async (identity: string, detail: string): Promise<string> => {
      const rows = await db
        .selectFrom('identityOverrides')
        .select(['detail', 'becomes'])
        .where('identity', '=', identity)
        .where('detail', 'in', [hashOf(detail), detail, ALL])
        .execute();
      const own = rows.find((row) => row.detail !== ALL) ?? rows[0];
      return own?.becomes ?? identity;
    },

    /** From now on, alerts of this identity and detail count as another one. */
    apart: async (identity: string, detail: string, becomes: string): Promise<void> => {
      await db
        .insertInto('identityOverrides')
        .values({ identity, detail: hashOf(detail), becomes })
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
