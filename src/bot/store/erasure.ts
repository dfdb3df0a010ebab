import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';
import { voteKey, voteKeyPrefix } from '../shared/vote-subject.ts';
import { questionOwner } from './artifacts.ts';
import type { Conversation } from './conversations.ts';
import { expressionsOf } from './dialects/expressions.ts';
import type { Issue } from './issues.ts';
import type { Database } from './tables.ts';

/** Erases what was stored about something that people deleted. */
export function erasureStore(db: Database) {
  return {
    /**
     * Erases an issue's results, evidence, files, checklist steps and votes, the questions asked in its thread with their
     * answers, its title and words, and the text of every alert that it counted, in every copy. What stays is the fact
     * that it existed: its number and place, who did what with it, and which messages it counted.
     */
    ofIssue: async (issue: Issue): Promise<void> => {
      const { id } = issue;
      await eraseAlerts(db, issue);
      await dropParts(db, id);
      for (const conversation of await conversationsOf(db, issue)) await dropConversation(db, conversation);
      await db
        .updateTable('issues')
        .set({
          title: ERASED,
          request: '{}',
          note: null,
          earlier: null,
          failure: null,
          alertUrl: null,
          service: null,
          source: null,
        })
        .where('id', '=', id)
        .execute();
      if (issue.number === null) return;
      await db
        .updateTable('issues')
        .set({ earlier: null })
        .where(expressionsOf(db).jsonNumber('earlier', 'number'), '=', issue.number)
        .execute();
    },

    /** Which parts of an issue remain in Slack: how many of our messages, answers and files. */
    leftInSlack: async (issue: Issue): Promise<LeftInSlack> => {
      const conversations = (await conversationsOf(db, issue)).map((one) => one.id);
      const questions = db.selectFrom('questions').select('id').where('conversation', 'in', conversations);
      const posted = db
        .selectFrom('outbox')
        .select(({ fn }) => fn.sum<number | null>(expressionsOf(db).jsonLength('sent')).as('n'))
        .where('kind', 'not in', ['reaction', 'file']);
      const about = await posted
        .where('issueId', '=', issue.id)
        .where('kind', '!=', 'answer')
        .executeTakeFirst();
      const answers = await posted
        .where('kind', '=', 'answer')
        .where('questionId', 'in', questions)
        .executeTakeFirst();
      const files = await db
        .selectFrom('files')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('issueId', '=', issue.id)
        .where('fileId', 'is not', null)
        .executeTakeFirst();
      return {
        messages: Number(about?.n ?? 0),
        answers: Number(answers?.n ?? 0),
        files: Number(files?.n ?? 0),
      };
    },
  };
}

/** Replaces an issue's title. */
const ERASED = 'Deleted issue';

/** Our messages about an issue, answers to questions about it, and its files. */
export interface LeftInSlack {
  messages: number;
  answers: number;
  files: number;
}

/** The fields needed to recognize an edited message that was already decided; the rest of an alert is its text. */
const KEPT_OF_ALERT = new Set(['kind', 'format', 'severity', 'fingerprint']);

/**
 * The text of the alerts counted by an issue, of the messages in its thread, and of the deliveries that brought them.
 */
async function eraseAlerts(db: Database, { id, identity, channel, threadTs }: Issue): Promise<void> {
  if (identity !== null) {
    const received = db.selectFrom('receivedAlerts').select('receivedAt').where('identity', '=', identity);
    await db.deleteFrom('senderMessages').where('at', 'in', received).execute();
    await db.updateTable('receivedAlerts').set({ reading: '{}' }).where('identity', '=', identity).execute();
  }
  const alerts = await db
    .selectFrom('alerts')
    .select(['id', 'channel', 'ts', 'alert'])
    .where((e) =>
      e.or([
        e('issueId', '=', id),
        ...(threadTs === null
          ? []
          : [
              e.and([
                e('channel', '=', channel),
                e.or([e('ts', '=', threadTs), e('threadTs', '=', threadTs)]),
              ]),
            ]),
      ]),
    )
    .execute();
  for (const { id: alertId, channel: place, ts, alert } of alerts) {
    await db
      .updateTable('receivedAlerts')
      .set({ reading: '{}' })
      .where((e) => e.and({ channel: place, ts }))
      .execute();
    await db
      .updateTable('alerts')
      .set({ alert: withoutWords(alert), detail: null, sender: null })
      .where('id', '=', alertId)
      .execute();
    await db.deleteFrom('senderMessages').where('channel', '=', place).where('ts', '=', ts).execute();
    // A delivery that was given up keeps its body, and so the message text.
    await db
      .updateTable('inbox')
      .set({ body: '', error: null })
      .where('state', '=', 'dead')
      .where(expressionsOf(db).positionIn('body', ts), '>', 0)
      .execute();
  }
}

function withoutWords(alert: string): string {
  const read = z.record(z.string(), z.unknown()).safeParse(parseJson(alert));
  const fields = Object.entries(read.data ?? {}).map(([name, value]) => {
    if (KEPT_OF_ALERT.has(name)) return [name, value];
    return [name, Array.isArray(value) ? [] : null];
  });
  return JSON.stringify(Object.fromEntries(fields));
}

function conversationsOf(db: Database, { id, channel, threadTs }: Issue) {
  return db
    .selectFrom('conversations')
    .select(['id', 'channel', 'threadTs'])
    .where((e) =>
      e.or([
        e('issueId', '=', id),
        ...(threadTs === null ? [] : [e.and([e('channel', '=', channel), e('threadTs', '=', threadTs)])]),
      ]),
    )
    .execute();
}

/** An issue's results and progress, evidence, files and checklist steps, and the votes on its results. */
export async function dropParts(db: Database, id: string): Promise<void> {
  for (const table of [
    'results',
    'progress',
    'files',
    'checklistSteps',
    'notes',
    'tickets',
    'verdicts',
  ] as const) {
    await db.deleteFrom(table).where('issueId', '=', id).execute();
  }
  await db.deleteFrom('artifacts').where('owner', '=', id).execute();
  const votes = voteKeyPrefix(id);
  await db
    .deleteFrom('votes')
    .where('subject', '>=', votes)
    .where('subject', '<', afterPrefix(votes))
    .execute();
}

/**
 * Drops a question with its answer and everything that belongs to it. The message in the thread is no longer edited.
 */
export async function dropQuestion(db: Database, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('questionId', '=', id).execute();
  await db
    .deleteFrom('votes')
    .where('subject', '=', voteKey({ questionId: id }))
    .execute();
  await db.deleteFrom('artifacts').where('owner', '=', questionOwner(id)).execute();
  await db.deleteFrom('questions').where('id', '=', id).execute();
}

async function dropConversation(
  db: Database,
  { id, channel, threadTs }: Pick<Conversation, 'id' | 'channel' | 'threadTs'>,
): Promise<void> {
  const questions = await db.selectFrom('questions').select('id').where('conversation', '=', id).execute();
  for (const question of questions) await dropQuestion(db, question.id);
  // Other messages in its thread refer to its questions.
  if (threadTs !== null) {
    await db
      .deleteFrom('outbox')
      .where((e) => e.and({ kind: 'aside', channel, threadTs }))
      .execute();
  }
  await db.deleteFrom('conversations').where('id', '=', id).execute();
}

/** The first text after all those with a prefix: `[prefix, afterPrefix(prefix))` can use an index. */
function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
