import type { Selectable, SelectQueryBuilder } from 'kysely';
import { countOf } from './due.ts';
import type { OutboxKey } from './intents/keys.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type Question = Selectable<Tables['questions']>;

/** Questions to the agent with their answers, in order per conversation. */
export function questionStore(db: Database, wake: Wake = wakeNobody) {
  const all = db.selectFrom('questions').selectAll();
  const asked = (since: number) =>
    db
      .selectFrom('questions')
      .where('questions.createdAt', '>', since)
      .where((e) =>
        e.or([
          e('questions.state', 'not in', ['failed', 'late', 'stopped']),
          e('questions.askedAt', 'is not', null),
        ]),
      );
  const askedBy = (asker: string, since: number) => asked(since).where('questions.asker', '=', asker);
  const askedIn = (channel: string, since: number) =>
    asked(since)
      .innerJoin('conversations', 'conversations.id', 'questions.conversation')
      .where('conversations.channel', '=', channel);
  /** The first question of a conversation, not counting questions on offer. */
  const first = async (conversation: string): Promise<Question | null> => {
    const asked = all.where('conversation', '=', conversation);
    const ordered = asked.where('state', '!=', 'late').orderBy('createdAt').orderBy('id').limit(1);
    return (await ordered.executeTakeFirst()) ?? null;
  };
  return {
    get: async (id: string): Promise<Question | null> =>
      (await all.where('id', '=', id).executeTakeFirst()) ?? null,

    /** Queues a question; false if this message already is a question (twin events). */
    add: async (q: {
      id: string;
      conversation: string;
      asker: string;
      text: string;
      createdAt: number;
      /** Defaults to `createdAt`. */
      writtenAt?: number;
      /** `AskedFile[]` as JSON. */
      files?: string;
      /** Why it is not asked. */
      refused?: string;
      /** Slack's `ts` of the message or press that asks it. */
      askedTs?: string | null;
      /** It came late: the key of the line that offers to answer it. */
      offer?: OutboxKey;
      /** `LookingAt` as JSON. */
      lookingAt?: string | null;
    }): Promise<boolean> => {
      const state = q.refused !== undefined ? 'failed' : q.offer !== undefined ? 'late' : 'queued';
      const row = await db
        .insertInto('questions')
        .values({
          id: q.id,
          conversation: q.conversation,
          asker: q.asker,
          text: q.text,
          state,
          answer: '',
          artifacts: '[]',
          note: q.refused ?? null,
          createdAt: q.createdAt,
          updatedAt: q.createdAt,
          writtenAt: q.writtenAt ?? q.createdAt,
          files: q.files ?? '[]',
          offer: q.offer ?? null,
          lookingAt: q.lookingAt ?? null,
          askedTs: q.askedTs ?? null,
        })
        .onConflict((c) => c.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (row !== undefined && state === 'queued') wake('asked');
      if (row !== undefined && state !== 'failed') wake('sessions');
      return row !== undefined;
    },

    /** The next question of each conversation with none in progress. */
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
                        e('earlier.createdAt', '<', e.ref('q.createdAt')),
                        e.and([
                          e('earlier.createdAt', '=', e.ref('q.createdAt')),
                          e('earlier.id', '<', e.ref('q.id')),
                        ]),
                      ]),
                    ]),
                  ]),
                ),
            ),
          ),
        )
        .orderBy('q.createdAt')
        .limit(limit)
        .execute(),

    /**
     * Marks it as being asked; the outcome of an earlier attempt stays until there is a newer one.
     *
     * @returns the question as of then; `null` if it no longer waits, because somebody stopped it
     */
    begin: async (id: string, at: number): Promise<Question | null> =>
      (await db
        .updateTable('questions')
        .set({ state: 'asking', note: null, askedAt: at, updatedAt: at })
        .where((e) => e.and({ id, state: 'queued' }))
        .returningAll()
        .executeTakeFirst()) ?? null,

    update: async (
      id: string,
      change: Partial<Pick<Question, 'state' | 'answer' | 'artifacts' | 'note' | 'askedAt' | 'stoppedBy'>>,
      at: number,
    ): Promise<void> => {
      await db
        .updateTable('questions')
        .set({ ...change, updatedAt: at })
        .where('id', '=', id)
        .execute();
      if (change.state === 'queued') wake('asked');
      if (change.state === 'queued') wake('sessions');
    },

    /**
     * Requeues questions that nobody is asking any more, unless somebody stopped them; an answer is a keyed message, so
     * it is never posted twice.
     *
     * @param running the ids of the questions being asked right now
     * @returns the questions in their new state
     */
    requeueAsking: (
      running: readonly string[],
      at: number,
    ): Promise<Pick<Question, 'id' | 'conversation' | 'state'>[]> =>
      db
        .updateTable('questions')
        .set((e) => ({
          state: e
            .case()
            .when('stoppedBy', 'is', null)
            .then('queued' as const)
            .else('stopped' as const)
            .end(),
          updatedAt: at,
        }))
        .where('state', '=', 'asking')
        .$if(running.length > 0, (query) => query.where('id', 'not in', running))
        .returning(['id', 'conversation', 'state'])
        .execute(),

    /**
     * Somebody wants the answer to stop.
     *
     * @returns false if it is neither in progress nor waiting any more
     */
    stop: async (id: string, who: string, at: number): Promise<boolean> => {
      const row = await db
        .updateTable('questions')
        .set((e) => ({
          stoppedBy: who,
          updatedAt: at,
          // A question that was not asked yet never will be.
          state: e
            .case()
            .when('state', '=', 'queued')
            .then('stopped' as const)
            .else(e.ref('state'))
            .end(),
        }))
        .where('id', '=', id)
        .where('state', 'in', ['queued', 'asking'])
        .where('stoppedBy', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (row !== undefined) wake('asked');
      return row !== undefined;
    },

    /** The questions among these that are being asked and were stopped. */
    stopped: async (ids: readonly string[]): Promise<string[]> => {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('questions')
        .select('id')
        .where('id', 'in', ids)
        // It may have been stopped while waiting and asked again since.
        .where('state', '=', 'asking')
        .where('stoppedBy', 'is not', null)
        .execute();
      return rows.map(({ id }) => id);
    },

    /**
     * Asks a question again, or at last: after a failure, a stop, or an offer. The same press counts once. It goes to
     * the back of the queue.
     *
     * @param askedTs Slack's `ts` of the press
     * @returns false if its state does not allow that
     */
    askAgain: async (id: string, at: number, askedTs: string | null = null): Promise<boolean> => {
      const row = await db
        .updateTable('questions')
        .set({
          state: 'queued',
          note: null,
          stoppedBy: null,
          offer: null,
          createdAt: at,
          updatedAt: at,
          ...(askedTs === null ? {} : { askedTs: askedTs }),
        })
        .where('id', '=', id)
        .where('state', 'in', ['failed', 'stopped', 'late'])
        .returning('id')
        .executeTakeFirst();
      if (row !== undefined) wake('asked');
      if (row !== undefined) wake('sessions');
      return row !== undefined;
    },

    /**
     * Rules out asking a question again, for a reason that is shown under it. It is no longer on offer.
     *
     * @returns false if its state does not allow that
     */
    refuse: async (id: string, reason: string, at: number): Promise<boolean> => {
      const row = await db
        .updateTable('questions')
        .set({ state: 'failed', note: reason, offer: null, updatedAt: at })
        .where('id', '=', id)
        .where('state', 'in', ['failed', 'stopped', 'late'])
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The questions that a line offers to answer, in the order they were written. */
    offeredBy: (offer: OutboxKey): Promise<Question[]> =>
      all.where('offer', '=', offer).orderBy('writtenAt').orderBy('id').execute(),

    /** A conversation's line that still offers to answer late questions, or `null`. */
    openOffer: async (conversation: string): Promise<OutboxKey | null> => {
      const row = await db
        .selectFrom('questions')
        .select('offer')
        .where((e) => e.and({ conversation, state: 'late' }))
        .orderBy('createdAt', 'desc')
        .executeTakeFirst();
      return row?.offer ?? null;
    },

    /** How many questions are being asked, over all conversations. */
    countAsking: (): Promise<number> => countOf(db.selectFrom('questions').where('state', '=', 'asking')),

    /** A conversation's questions being answered or waiting, in the order of their answers. */
    underWay: (conversation: string): Promise<Question[]> =>
      all
        .where('conversation', '=', conversation)
        .where('state', 'in', ['asking', 'queued'])
        .orderBy('state')
        .orderBy('createdAt')
        .execute(),

    askingIn: (channel: string): Promise<Question[]> =>
      db
        .selectFrom('questions')
        .innerJoin('conversations', 'conversations.id', 'questions.conversation')
        .selectAll('questions')
        .where((e) => e.and({ 'questions.state': 'asking', 'conversations.channel': channel }))
        .execute(),

    /** The ids of the questions waiting in a conversation. */
    queued: async (conversation: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('questions')
        .select('id')
        .where((e) => e.and({ conversation, state: 'queued' }))
        .execute();
      return rows.map(({ id }) => id);
    },

    /** How many questions of its conversation come before this one. */
    ahead: (question: Pick<Question, 'id' | 'conversation' | 'createdAt'>): Promise<number> =>
      countOf(
        db
          .selectFrom('questions')
          .where('conversation', '=', question.conversation)
          .where('id', '!=', question.id)
          .where((e) =>
            e.or([
              e('state', '=', 'asking'),
              e.and([
                e('state', '=', 'queued'),
                e.or([
                  e('createdAt', '<', question.createdAt),
                  e.and([e('createdAt', '=', question.createdAt), e('id', '<', question.id)]),
                ]),
              ]),
            ]),
          ),
      ),

    /** The last questions of a conversation that got an answer, oldest first. */
    answered: async (conversation: string, limit: number): Promise<Question[]> => {
      const rows = await all
        .where('conversation', '=', conversation)
        .where('state', 'in', ['complete', 'stopped', 'failed'])
        .where('answer', '!=', '')
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute();
      return rows.reverse();
    },

    /** Questions asked in a conversation before this one, oldest first. */
    before: ({ id, conversation, createdAt }: Question, limit: number): Promise<Question[]> =>
      all
        .where('conversation', '=', conversation)
        .where('id', '!=', id)
        .where('createdAt', '<=', createdAt)
        .where('state', '!=', 'late')
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute()
        .then((rows) => rows.reverse()),

    first,

    isFirst: async ({ id, conversation }: Question): Promise<boolean> =>
      (await first(conversation))?.id === id,

    /** How many questions a person asked since `since`, not counting those that never reached the service. */
    countBy: (asker: string, since: number): Promise<number> => countOf(askedBy(asker, since)),

    /** How many questions were asked in a channel since `since`. */
    countIn: (channel: string, since: number): Promise<number> => countOf(askedIn(channel, since)),

    /** When the `n`th newest of a person's questions since `since` was asked; `null` if there are fewer. */
    nthBy: (asker: string, since: number, n: number): Promise<number | null> => nth(askedBy(asker, since), n),

    /** The same for a channel. */
    nthIn: (channel: string, since: number, n: number): Promise<number | null> =>
      nth(askedIn(channel, since), n),
  };
}

async function nth(
  questions: SelectQueryBuilder<Tables, 'questions', object>,
  n: number,
): Promise<number | null> {
  const row = await questions
    .select('questions.createdAt')
    .orderBy('questions.createdAt', 'desc')
    .offset(n - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt ?? null;
}
