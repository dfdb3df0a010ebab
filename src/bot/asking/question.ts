import { z } from 'zod';
import { QueryArtifact } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { answerKey } from '../store/intents/keys.ts';
import { type AnswerToPost, answerIntent } from '../store/intents/thread-intents.ts';
import type { Aggregates } from '../store/open.ts';
import type { Question } from '../store/questions.ts';

/** A file that somebody attached to a question, as Slack describes it. Its words and its address are untrusted. */
export const AskedFile = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string(),
  /** Slack's own name of the kind, e.g. `python`, `text`, `png`. */
  filetype: z.string(),
  /** Bytes. */
  size: z.number(),
  /** `null` if Slack gives none. */
  url: z.string().nullable(),
});
export type AskedFile = z.infer<typeof AskedFile>;

/** Reads the `files` column of a question. */
export function readAskedFiles(json: string): AskedFile[] {
  return z.array(AskedFile).parse(JSON.parse(json));
}

const LookingAt = z.object({ channel: z.string(), messageTs: z.string().nullable() });

/** What somebody has open in Slack while they ask: a channel, or one message of it. Slack says so; they may not see it. */
export type LookingAt = z.infer<typeof LookingAt>;

/** As stored with a question; `null` if empty or unreadable. */
export function readLookingAt(json: string | null): LookingAt | null {
  return json === null ? null : decodeStored(LookingAt, json);
}

const Artifacts = z.array(QueryArtifact);

/** What an answer refers to (contract 2.9), from the `artifacts` column; none if that cannot be read any more. */
export function artifactsOf({ artifacts }: Pick<Question, 'artifacts'>): QueryArtifact[] {
  return decodeStored(Artifacts, artifacts) ?? [];
}

/** Slack shows so many charts in a message. */
const MOST_CHARTS = 2;

/** The artifacts that an answer shows as charts: where all that it found are series, these are what was asked for. */
export function chartedIn(artifacts: readonly QueryArtifact[]): string[] {
  if (artifacts.some(({ data_type }) => data_type !== 'metric')) return [];
  return [...new Set(artifacts.flatMap(({ id }) => (id === undefined || id === '' ? [] : [id])))].slice(
    0,
    MOST_CHARTS,
  );
}

type Messages = Pick<Aggregates, 'outbox' | 'questions'>;

/** Requests the message with the answer, once per question. */
export function wantAnswer(tx: Messages, answer: AnswerToPost, now: number): Promise<void> {
  return tx.outbox.want(answerIntent(answer, now));
}

/** Asks for an edit of an answer's message. */
export function refreshAnswer(tx: Messages, questionId: string): Promise<void> {
  return tx.outbox.again(answerKey(questionId));
}

/** A question has left the queue: those behind it now show how many are ahead of them. */
export async function refreshQueued(tx: Messages, conversation: string): Promise<void> {
  for (const id of await tx.questions.queued(conversation)) await refreshAnswer(tx, id);
}
