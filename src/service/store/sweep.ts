import type { Database } from './database.ts';

export function createSweep({ query }: Database) {
  return {
    /** Issues that were resolved before a time, with everything about them. */
    issues: async (before: number, limit: number): Promise<number> => {
      const some = query
        .selectFrom('issues')
        .select('id')
        .where('status', '=', 'resolved')
        .where('updatedAt', '<', before)
        .where((e) =>
          e.not(
            e.exists(
              e
                .selectFrom('versions')
                .select('versions.uuid')
                .whereRef('versions.issue', '=', 'issues.uuid')
                .where('versions.startedAt', '>=', before),
            ),
          ),
        )
        .limit(limit);
      return gone(await query.deleteFrom('issues').where('id', 'in', some).executeTakeFirst());
    },
    /** Conversations without a question since. */
    conversations: async (before: number, limit: number): Promise<number> => {
      const some = query
        .selectFrom('conversations')
        .select('uuid')
        .where('createdAt', '<', before)
        .where((e) =>
          e.not(
            e.exists(
              e
                .selectFrom('turns')
                .select('turns.position')
                .whereRef('turns.conversation', '=', 'conversations.uuid')
                .where('turns.askedAt', '>=', before),
            ),
          ),
        )
        .limit(limit);
      return gone(await query.deleteFrom('conversations').where('uuid', 'in', some).executeTakeFirst());
    },
    /** What answers found before. */
    artifacts: async (before: number, limit: number): Promise<number> => {
      const some = query
        .selectFrom('artifacts')
        .select('id')
        .where('version', 'is', null)
        .where('addedAt', '<', before)
        .limit(limit);
      return gone(await query.deleteFrom('artifacts').where('id', 'in', some).executeTakeFirst());
    },
    /** Changes that were reported for a time before. */
    changes: async (before: number, limit: number): Promise<number> => {
      const some = query.selectFrom('changes').select('id').where('at', '<', before).limit(limit);
      return gone(await query.deleteFrom('changes').where('id', 'in', some).executeTakeFirst());
    },
    /** Requests to the model before. */
    modelRequests: async (before: number, limit: number): Promise<number> => {
      const some = query.selectFrom('modelRequests').select('id').where('at', '<', before).limit(limit);
      return gone(await query.deleteFrom('modelRequests').where('id', 'in', some).executeTakeFirst());
    },
    /** What was sent in such requests before; that something was sent remains. */
    modelPayloads: async (before: number, limit: number): Promise<number> => {
      const some = query
        .selectFrom('modelRequests')
        .select('id')
        .where('at', '<', before)
        .where('payload', 'is not', null)
        .limit(limit);
      const erased = await query
        .updateTable('modelRequests')
        .set({ payload: null })
        .where('id', 'in', some)
        .executeTakeFirst();
      return Number(erased.numUpdatedRows);
    },
  };
}

/** Deletes what has expired, a few rows a call: each returns how many went, 0 when nothing is left. */
export type Sweep = ReturnType<typeof createSweep>;

function gone(result: { numDeletedRows: bigint }): number {
  return Number(result.numDeletedRows);
}
