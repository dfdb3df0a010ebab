import type { ActionsBlock, ContextActionsBlock } from '@slack/types';
import { type VoteSubject, voteKey } from '../../../lib/vote-subject.ts';
import { actionIds } from '../action-ids.ts';
import { plain } from '../inputs.ts';
import { actions, button } from '../rendered.ts';

/** 👍 and 👎 under results or an answer: small, in Slack's own form. `plainFeedback` is for when that is refused. */
export function feedbackBlock(subject: VoteSubject): ContextActionsBlock {
  const key = voteKey(subject);
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: actionIds.vote,
        positive_button: {
          text: plain('Helpful'),
          value: `up:${key}`,
          accessibility_label: 'This was helpful',
        },
        negative_button: {
          text: plain('Not helpful'),
          value: `down:${key}`,
          accessibility_label: 'This was not helpful',
        },
      },
    ],
  };
}

/** The same as ordinary buttons; `null` for another block of that kind. */
export function plainFeedback(block: ContextActionsBlock): ActionsBlock | null {
  const [element] = block.elements;
  if (element?.type !== 'feedback_buttons') return null;
  const { positive_button: up, negative_button: down } = element;
  return actions([button('👍', actionIds.voteUp, up.value), button('👎', actionIds.voteDown, down.value)]);
}
