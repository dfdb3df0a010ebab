import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type Question = Selectable<Tables['questions']>;
export type QuestionStore = ReturnType<typeof questionStore>;

/** Questions to the agent with their answers, in order per conversation (DESIGN section 4, *Asking*). */
export function questionStore(db: Database) {
  return {
    get: async (id: string): Promise<Question | null> =>
      (await db.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    /** Queues a question; false when this very message is a question already (twin events). */
    add: async (q: {
      id: string;
      conversation: string;
      asker: string;
      text: string;
      createdAt: number;
      refused?: string;
    }): Promise<boolean> => {
      const row = await db
        .insertInto('questions')
        .values({
          id: q.id,
          conversation: q.conversation,
          asker: q.asker,
          text: q.text,
          state: q.refused === undefined ? 'queued' : 'failed',
          answer: '',
          artifacts: '[]',
          note: q.refused ?? null,
          created_at: q.createdAt,
          updated_at: q.createdAt,
        })
        .onConflict((c) => c.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The next question of each conversation that has none under way. */
    next: (limit: number): Promise<Question[]> =>
      db
        .selectFrom('questions as q')
        .selectAll('q')
        .where('q.state', '=', 'queued')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('questions as earlier')
                .select('earlier.id')
                .whereRef('earlier.conversation', '=', 'q.conversation')
                .where((e) =>
                  e.or([
                    e('earlier.state', '=', 'asking'),
                    e.and([
                      e('earlier.state', '=', 'queued'),
                      e.or([
                        e('earlier.created_at', '<', e.ref('q.created_at')),
                        e.and([
                          e('earlier.created_at', '=', e.ref('q.created_at')),
                          e('earlier.id', '<', e.ref('q.id')),
                        ]),
                      ]),
                    ]),
                  ]),
                ),
            ),
          ),
        )
        .orderBy('q.created_at')
        .limit(limit)
        .execute(),

    update: async (
      id: string,
      change: Partial<Pick<Question, 'state' | 'answer' | 'artifacts' | 'note'>>,
      at: number,
    ): Promise<void> => {
      await db
        .updateTable('questions')
        .set({ ...change, updated_at: at })
        .where('id', '=', id)
        .execute();
    },

    /** After a crash: what was being asked is asked again; its answer is a keyed message, so never two. */
    requeueAsking: async (at: number): Promise<void> => {
      await db
        .updateTable('questions')
        .set({ state: 'queued', answer: '', updated_at: at })
        .where('state', '=', 'asking')
        .execute();
    },

    /** How many questions a person asked since `since`. */
    countBy: async (asker: string, since: number): Promise<number> => {
      const row = await db
        .selectFrom('questions')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('asker', '=', asker)
        .where('created_at', '>', since)
        .where('state', '!=', 'failed')
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },

    /** How many questions were asked in a channel since `since`. */
    countIn: async (channel: string, since: number): Promise<number> => {
      const row = await db
        .selectFrom('questions')
        .innerJoin('conversations', 'conversations.id', 'questions.conversation')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('conversations.channel', '=', channel)
        .where('questions.created_at', '>', since)
        .where('questions.state', '!=', 'failed')
        .executeTakeFirstOrThrow();
      return Number(row.n);
    },
  };
}
