import type { Selectable } from 'kysely';
import type { Organization } from '../../contract/client/client.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type Conversation = Selectable<Tables['conversations']>;

/** Which thread continues which `conversationId`. */
export function conversationStore(db: Database, wake: Wake = wakeNobody) {
  const byThread = async (channel: string, threadTs: string): Promise<Conversation | null> => {
    const row = await db
      .selectFrom('conversations')
      .selectAll()
      .where((e) => e.and({ channel, threadTs }))
      .executeTakeFirst();
    return row ?? null;
  };
  return {
    byThread,
    get: async (id: string): Promise<Conversation | null> =>
      (await db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    /** Starts a conversation, or returns the thread's existing one. */
    start: async (
      c: Omit<Conversation, 'conversationId' | 'updatedAt' | 'listening' | 'organization'>,
    ): Promise<Conversation> => {
      const existing = c.threadTs === null ? null : await byThread(c.channel, c.threadTs);
      if (existing) return existing;
      return db
        .insertInto('conversations')
        .values({ ...c, conversationId: null, updatedAt: c.createdAt })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ channel: c.channel }))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** Sends its questions to this organization from now on; decided once. */
    belongTo: async (id: string, organization: Organization): Promise<void> => {
      const undecided = db.updateTable('conversations').set({ organization }).where('id', '=', id);
      await undecided.where('organization', 'is', null).execute();
    },

    /** The service's id, from its first answer; `null` when the service no longer knows it. */
    continueAs: async (id: string, conversationId: string | null, at: number): Promise<void> => {
      await db
        .updateTable('conversations')
        .set({ conversationId, updatedAt: at })
        .where('id', '=', id)
        .execute();
    },

    /** Whether replies in its thread are questions. */
    listen: async (id: string, listening: boolean, at: number): Promise<void> => {
      await db.updateTable('conversations').set({ listening, updatedAt: at }).where('id', '=', id).execute();
    },

    /** A command's conversation gets its thread once its first answer has been posted. */
    place: async (id: string, channel: string, threadTs: string): Promise<void> => {
      await db
        .updateTable('conversations')
        .set({ channel, threadTs })
        .where('id', '=', id)
        .where('threadTs', 'is', null)
        .execute();
      wake('sessions');
    },
  };
}
