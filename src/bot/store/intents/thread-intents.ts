import type { IntentOf, Place, Revision } from './intent.ts';
import { answerKey, notListeningKey, type OutboxKey } from './keys.ts';

/** Where an answer goes, and who it is for. */
export interface AnswerToPost extends Place {
  questionId: string;
  asker: string;
  /** Shown above the answer if the question is not visible in the thread. */
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

/** The offer to answer old questions; `key` is that of the existing open offer, or a new one. */
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

/** Somebody told the bot to stop listening in a thread. */
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
