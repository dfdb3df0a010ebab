import type { ContextActionsBlock } from '@slack/types';
import { type VoteSubject, voteKey } from '../../shared/vote-subject.ts';
import { actionIds } from '../action-ids.ts';
import { plain } from '../inputs.ts';

/** 👍 and 👎 under results or an answer: small, in Slack's own form. */
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
