import type { IntentOf, Place, Revision } from './intent.ts';
import { answerKey, notListeningKey, type OutboxKey } from './keys.ts';

/** Where an answer goes, and for whom. */
export interface AnswerToPost extends Place {
  questionId: string;
  asker: string;
  /** Stands above the answer if nobody has written the question down in the thread. */
  shown?: string;
}

export function answerIntent(
  { questionId, channel, threadTs, asker, shown }: AnswerToPost,
  at: number,
): IntentOf<'answer'> {
  return {
    key: answerKey(questionId),
    kind: 'answer',
    channel,
    threadTs,
    questionId,
    payload: { requester: asker, shown },
    at,
  };
}

/** The offer to answer what was asked too long ago; `key` is that of the offer which is open already, or a new one. */
export function lateIntent(
  key: OutboxKey,
  { channel, threadTs }: Place,
  conversation: string,
  at: number,
): IntentOf<'aside'> {
  return { key, kind: 'aside', channel, threadTs, payload: { aside: 'late', conversation }, at };
}

/** Somebody wants the answers that a message offers. */
export function lateAnswersWanted(key: OutboxKey, conversation: string | undefined, by: string): Revision {
  return { key, kind: 'aside', payload: { aside: 'late', conversation, by } };
}

/** Somebody had the bot stop listening in a thread. */
export function notListeningIntent(
  cause: string,
  { id, channel, threadTs }: Place & { id: string },
  who: string,
  at: number,
): IntentOf<'aside'> {
  return {
    key: notListeningKey(cause),
    kind: 'aside',
    channel,
    threadTs,
    payload: { aside: 'not_listening', conversation: id, who },
    at,
  };
}
