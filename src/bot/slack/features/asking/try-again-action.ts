import { askAgain } from '../../../asking/ask.ts';
import { notAskedAgain } from '../../../render/asking/asking-notices.ts';
import { onQuestionAction } from './on-question-action.ts';

/** *Try again* under an answer that failed or was stopped. If a limit is reached, the answer itself says so. */
export const tryAgain = onQuestionAction('tryAgain', async ({ question, userId, moment }, deps) => {
  const outcome = await askAgain(question.id, userId, { ...deps, ...deps.asking }, moment.ts);
  return outcome === 'not_now' ? notAskedAgain() : null;
});
