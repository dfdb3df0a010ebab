import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type SenderMessage = Selectable<Tables['senderMessages']>;

/** How senders write whose messages no format knows. */
export function senderStore(db: Database) {
  return {
    /** Keeps a message; an edit replaces what it was. */
    keep: async (row: SenderMessage): Promise<void> => {
      const { observation } = row;
      await db
        .insertInto('senderMessages')
        .values(row)
        .onConflict((c) => c.columns(['channel', 'ts']).doUpdateSet({ observation }))
        .execute();
    },

    /** A sender's last messages before one, oldest first. */
    before: async (sender: string, ts: string, limit: number): Promise<SenderMessage[]> => {
      const rows = await db
        .selectFrom('senderMessages')
        .selectAll()
        .where('sender', '=', sender)
        .where('ts', '<', ts)
        .orderBy('ts', 'desc')
        .limit(limit)
        .execute();
      return rows.reverse();
    },
  };
}
