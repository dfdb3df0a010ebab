import { stopAnswer as stop } from '../../../asking/stop.ts';
import { nothingToStop } from '../../../render/asking/asking-notices.ts';
import { onQuestionAction } from './on-question-action.ts';

/** *Stop* under an answer in progress or in the queue, for anybody who can read it. */
export const stopAnswer = onQuestionAction('stopAnswer', async ({ question, userId, moment }, deps) =>
  (await stop(question.id, userId, deps, moment.ts)) ? null : nothingToStop(),
);
