import type { ActionsBlock, KnownBlock } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { actions, button } from '../rendered.ts';
import type { AnswerView } from '../views.ts';
import { feedbackBlock } from './feedback.ts';

/** *Stop*, under an answer that is queued or in progress. A question stopped in the queue is never asked. */
export function stopButton(questionId: string): ActionsBlock {
  return actions([button('Stop', actionIds.stopAnswer, questionId)]);
}

/** Under an answer that has ended: votes, *Try again* if it is incomplete, *Stop listening*. */
export function closingButtons(view: AnswerView, hasWords: boolean): KnownBlock[] {
  const { questionId, state, listening } = view;
  const buttons = [
    ...(state === 'complete' ? [] : [button('Try again', actionIds.tryAgain, questionId)]),
    ...(listening ? [button('Stop listening', actionIds.stopListening, questionId)] : []),
  ];
  return [
    ...(hasWords ? [feedbackBlock({ questionId })] : []),
    ...(buttons.length === 0 ? [] : [actions(buttons)]),
  ];
}
