import type { ContextActionsBlock } from '@slack/types';
import { type VoteSubject, voteKey } from '../../shared/vote-subject.ts';
import { actionIds } from '../action-ids.ts';
import { notice } from '../fit.ts';
import { plain } from '../inputs.ts';
import type { Rendered } from '../rendered.ts';

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

/** Thanks for a vote; `same` if the person had already voted so, `overtaken` if they have changed their vote since. */
export function thanksForVote(value: 1 | -1, outcome: 'new' | 'changed' | 'same' | 'overtaken'): Rendered {
  const thumb = value === 1 ? '👍' : '👎';
  if (outcome === 'overtaken') return notice('You have voted again since; that vote counts.');
  return notice(wordsFor(value, outcome, thumb));
}

function wordsFor(value: 1 | -1, outcome: 'new' | 'changed' | 'same', thumb: string): string {
  if (outcome === 'same') return `Your ${thumb} is already counted.`;
  const counted = outcome === 'changed' ? `Your vote is now ${thumb}` : `Your ${thumb} is counted`;
  return value === 1
    ? `Thanks. ${counted}.`
    : `Thanks. ${counted}. If something was wrong, say so in the thread so your team sees it.`;
}

export function nothingToVoteOn(): Rendered {
  return notice('I no longer have what this was about, so I cannot count your vote.');
}
