import { stopListening as stop } from '../../../asking/stop.ts';
import { calledSince, listensNoMore } from '../../../render/asking/asking-notices.ts';
import { onQuestionAction } from './on-question-action.ts';

/** *Stop listening* under an answer: from now on, replies in its thread are between people. */
export const stopListening = onQuestionAction(
  'stopListening',
  async ({ conversation, userId: who, cause, moment }, deps) => {
    const outcome = await stop(conversation.id, { who, cause, moment }, deps);
    if (outcome === 'stopped') return null;
    return outcome === 'overtaken' ? calledSince() : listensNoMore();
  },
);
