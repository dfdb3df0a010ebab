import type { Issue } from './issues.ts';
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
      for (const table of ['results', 'files', 'ticks'] as const) {
        await db.deleteFrom(table).where('issue_id', '=', id).execute();
      }
      await db.deleteFrom('artifacts').where('owner', '=', id).execute();
      await db.deleteFrom('votes').where('subject', 'like', `result:${id}:%`).execute();
      const conversations = await db
        .selectFrom('conversations')
        .select('id')
        .where((e) =>
          e.or([
            e('issue_id', '=', id),
            ...(threadTs === null
              ? []
              : [e.and([e('channel', '=', channel), e('thread_ts', '=', threadTs)])]),
          ]),
        )
        .execute();
      for (const conversation of conversations) await dropConversation(db, conversation.id);
      await db
        .updateTable('issues')
        .set({ request: '{}', note: null, earlier: null, failure: null, alert_url: null })
        .where('id', '=', id)
        .execute();
    },
  };
}

async function dropConversation(db: Database, id: string): Promise<void> {
  const questions = await db.selectFrom('questions').select('id').where('conversation', '=', id).execute();
  for (const question of questions) {
    // Its answer stands in the thread; it is edited no more.
    await db.deleteFrom('outbox').where('question_id', '=', question.id).execute();
    await db.deleteFrom('votes').where('subject', '=', `answer:${question.id}`).execute();
    await db.deleteFrom('artifacts').where('owner', '=', `question:${question.id}`).execute();
    await db.deleteFrom('files').where('key', 'like', `chart:question:${question.id}:%`).execute();
    await db.deleteFrom('questions').where('id', '=', question.id).execute();
  }
  await db.deleteFrom('conversations').where('id', '=', id).execute();
}
