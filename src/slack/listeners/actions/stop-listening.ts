import { stopListening as stop } from '../../../asking/stop.ts';
import { listensNoMore } from '../../../render/asking-notices.ts';
import { onQuestionButton } from '../question-pressed.ts';

/** *Stop listening* under an answer: replies in its thread are people's own from now on. */
export const stopListening = onQuestionButton(
  'stopListening',
  async ({ conversation, userId, cause }, deps) =>
    (await stop(conversation.id, userId, cause, deps)) ? null : listensNoMore(),
);
