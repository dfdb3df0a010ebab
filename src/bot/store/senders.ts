import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type SenderMessage = Selectable<Tables['senderMessages']>;
export type SenderKind = Selectable<Tables['senderKinds']>;
export type SenderStore = ReturnType<typeof senderStore>;

/** How senders write whose messages no format knows, and what people said about their kinds. */
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

    /** The senders in a channel, those that write the most first. */
    inChannel: async (channel: string, limit: number): Promise<{ sender: string; count: number }[]> => {
      const rows = await db
        .selectFrom('senderMessages')
        .select(['sender', (e) => e.fn.countAll<number>().as('count')])
        .where('channel', '=', channel)
        .groupBy('sender')
        .orderBy('count', 'desc')
        .orderBy('sender')
        .limit(limit)
        .execute();
      return rows.map(({ sender, count }) => ({ sender, count: Number(count) }));
    },

    /** What people said about a sender's kinds. */
    said: (sender: string): Promise<SenderKind[]> =>
      db.selectFrom('senderKinds').selectAll().where('sender', '=', sender).orderBy('kind').execute(),

    say: async (row: SenderKind): Promise<void> => {
      const { says, who, at } = row;
      await db
        .insertInto('senderKinds')
        .values(row)
        .onConflict((c) => c.columns(['sender', 'kind']).doUpdateSet({ says, who, at }))
        .execute();
    },
  };
}
