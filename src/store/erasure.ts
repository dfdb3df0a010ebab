import { questionOwner } from './artifacts.ts';
import type { Conversation } from './conversations.ts';
import type { Issue } from './issues.ts';
import { afterPrefix } from './prefix.ts';
import type { Database } from './tables.ts';

export type ErasureStore = ReturnType<typeof erasureStore>;

/** Takes away what was kept about something that people deleted. */
export function erasureStore(db: Database) {
  return {
    /**
     * An issue's results, evidence, pictures, ticks and votes, the questions that were asked in its thread with their
     * answers, and its own words. What stays is that there was one: its number, title and place, who did what with it,
     * and which messages it counted.
     */
    ofIssue: async ({ id, channel, thread_ts: threadTs }: Issue): Promise<void> => {
      await dropParts(db, id);
      const conversations = await db
        .selectFrom('conversations')
        .select(['id', 'channel', 'thread_ts'])
        .where((e) =>
          e.or([
            e('issue_id', '=', id),
            ...(threadTs === null
              ? []
              : [e.and([e('channel', '=', channel), e('thread_ts', '=', threadTs)])]),
          ]),
        )
        .execute();
      for (const conversation of conversations) await dropConversation(db, conversation);
      await db
        .updateTable('issues')
        .set({ request: '{}', note: null, earlier: null, failure: null, alert_url: null })
        .where('id', '=', id)
        .execute();
    },
  };
}

/** An issue's results, evidence, pictures and ticks, and the votes on its results. */
export async function dropParts(db: Database, id: string): Promise<void> {
  for (const table of ['results', 'files', 'ticks'] as const) {
    await db.deleteFrom(table).where('issue_id', '=', id).execute();
  }
  await db.deleteFrom('artifacts').where('owner', '=', id).execute();
  const votes = `result:${id}:`;
  await db
    .deleteFrom('votes')
    .where('subject', '>=', votes)
    .where('subject', '<', afterPrefix(votes))
    .execute();
}

/** A question with its answer and what belongs to that. The message stands in the thread; it is edited no more. */
export async function dropQuestion(db: Database, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('question_id', '=', id).execute();
  await db.deleteFrom('votes').where('subject', '=', `answer:${id}`).execute();
  await db.deleteFrom('artifacts').where('owner', '=', questionOwner(id)).execute();
  const charts = `chart:${questionOwner(id)}:`;
  await db.deleteFrom('files').where('key', '>=', charts).where('key', '<', afterPrefix(charts)).execute();
  await db.deleteFrom('questions').where('id', '=', id).execute();
}

async function dropConversation(
  db: Database,
  { id, channel, thread_ts: threadTs }: Pick<Conversation, 'id' | 'channel' | 'thread_ts'>,
): Promise<void> {
  const questions = await db.selectFrom('questions').select('id').where('conversation', '=', id).execute();
  for (const question of questions) await dropQuestion(db, question.id);
  // What else was said in its thread tells of its questions.
  if (threadTs !== null) {
    await db
      .deleteFrom('outbox')
      .where('kind', '=', 'aside')
      .where('channel', '=', channel)
      .where('thread_ts', '=', threadTs)
      .execute();
  }
  await db.deleteFrom('conversations').where('id', '=', id).execute();
}
