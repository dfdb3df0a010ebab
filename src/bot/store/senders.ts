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

    /** What was received has a message now. */
    place: async ({ channel, ts: awaited }: { channel: string; ts: string }, ts: string): Promise<void> => {
      const rows = db.updateTable('senderMessages').set({ ts });
      await rows.where('channel', '=', channel).where('ts', '=', awaited).execute();
    },

    /** Who posts such messages in a channel, and how many are kept of each; the most first. */
    in: async (channel: string): Promise<{ sender: string; messages: number }[]> => {
      const rows = await db
        .selectFrom('senderMessages')
        .select(({ fn }) => ['sender', fn.countAll<number>().as('messages')])
        .where('channel', '=', channel)
        .groupBy('sender')
        .orderBy('messages', 'desc')
        .orderBy('sender')
        .execute();
      return rows.map(({ sender, messages }) => ({ sender, messages: Number(messages) }));
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
