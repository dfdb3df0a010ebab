import type { Selectable } from 'kysely';
import type { Organization } from '../../lib/issue-number.ts';
import type { Database, Tables } from './tables.ts';

export type Conversation = Selectable<Tables['conversations']>;
export type ConversationStore = ReturnType<typeof conversationStore>;

/** Which thread continues which `conversation_id` (DESIGN section 4, *Asking*). */
export function conversationStore(db: Database) {
  const byThread = async (channel: string, threadTs: string): Promise<Conversation | null> => {
    const row = await db
      .selectFrom('conversations')
      .selectAll()
      .where('channel', '=', channel)
      .where('thread_ts', '=', threadTs)
      .executeTakeFirst();
    return row ?? null;
  };
  return {
    byThread,
    get: async (id: string): Promise<Conversation | null> =>
      (await db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    /** Those in a thread that went on since then, the newest first. */
    activeSince: (since: number, limit: number): Promise<Conversation[]> =>
      db
        .selectFrom('conversations')
        .selectAll()
        .where('thread_ts', 'is not', null)
        .where('updated_at', '>', since)
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute(),

    /** Starts a conversation; the thread's own, where it has one already. */
    start: async (
      c: Omit<Conversation, 'conversation_id' | 'updated_at' | 'listening' | 'organization'>,
    ): Promise<Conversation> => {
      const existing = c.thread_ts === null ? null : await byThread(c.channel, c.thread_ts);
      if (existing) return existing;
      return db
        .insertInto('conversations')
        .values({ ...c, conversation_id: null, updated_at: c.created_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ channel: c.channel }))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** Its questions go to this organisation from now on; decided once. */
    belongTo: async (id: string, organization: Organization): Promise<void> => {
      const undecided = db.updateTable('conversations').set({ organization }).where('id', '=', id);
      await undecided.where('organization', 'is', null).execute();
    },

    /** The service's own id, from its first answer; `null` when the service no longer knows it. */
    continueAs: async (id: string, conversationId: string | null, at: number): Promise<void> => {
      await db
        .updateTable('conversations')
        .set({ conversation_id: conversationId, updated_at: at })
        .where('id', '=', id)
        .execute();
    },

    /** Whether replies in its thread are questions. */
    listen: async (id: string, listening: boolean, at: number): Promise<void> => {
      await db
        .updateTable('conversations')
        .set({ listening: listening ? 1 : 0, updated_at: at })
        .where('id', '=', id)
        .execute();
    },

    /** A command's conversation gets its thread once its first answer has been posted. */
    place: async (id: string, channel: string, threadTs: string): Promise<void> => {
      await db
        .updateTable('conversations')
        .set({ channel, thread_ts: threadTs })
        .where('id', '=', id)
        .where('thread_ts', 'is', null)
        .execute();
    },
  };
}
