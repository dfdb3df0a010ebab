import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/open.ts';
import { refreshAnswer, refreshWaiting } from './wanted.ts';

interface StopOptions {
  store: Store;
  clock: Clock;
}

/**
 * *Stop*: the answer ends with what has arrived of it, or never begins. The answerer hears of it by its bell.
 *
 * @returns false where there is nothing to stop (any more)
 */
export function stopAnswer(questionId: string, who: string, options: StopOptions): Promise<boolean> {
  return options.store.transaction(async (tx) => {
    if (!(await tx.questions.stop(questionId, who, options.clock.now()))) return false;
    const question = await tx.questions.get(questionId);
    await refreshAnswer(tx, questionId);
    if (question?.state === 'stopped') await refreshWaiting(tx, question.conversation);
    return true;
  });
}

/**
 * *Stop listening*: replies in the thread are people's own until somebody mentions the bot or presses *Ask*; a line says
 * who wanted that. What was asked before is answered.
 *
 * @param cause what the press is known by, so that a second delivery of it says nothing twice
 * @returns false where it did not listen
 */
export function stopListening(
  conversationId: string,
  who: string,
  cause: string,
  options: StopOptions,
): Promise<boolean> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const conversation = await tx.conversations.get(conversationId);
    if (conversation?.listening !== 1) return false;
    await tx.conversations.listen(conversation.id, false, now);
    const { issue_id: issueId } = conversation;
    // Of a thread without an issue the line itself is the record.
    if (issueId !== null) {
      await tx.audit.add({ at: now, who, what: 'had me stop listening in its thread', issueId });
    }
    await tx.outbox.want({
      key: `not_listening:${cause}`,
      kind: 'aside',
      channel: conversation.channel,
      threadTs: conversation.thread_ts,
      payload: JSON.stringify({ aside: 'not_listening', conversation: conversation.id, who }),
      at: now,
    });
    return true;
  });
}
