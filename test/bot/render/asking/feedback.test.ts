import { describe, expect, it } from 'vitest';
import { feedbackBlock, nothingToVoteOn, thanksForVote } from '../../../../src/bot/render/asking/feedback.ts';

const thumb = (text: string, value: string, accessibility_label: string) => ({
  text: { type: 'plain_text', text, emoji: true },
  value,
  accessibility_label,
});

describe('feedback', () => {
  it('is Slack’s own pair of thumbs, each with what it is about', () => {
    expect(feedbackBlock({ issueId: 'i1', version: 2 })).toEqual({
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'vote:cast',
          positive_button: thumb('Helpful', 'up:result:i1:2', 'This was helpful'),
          negative_button: thumb('Not helpful', 'down:result:i1:2', 'This was not helpful'),
        },
      ],
    });
  });
});

describe('who votes', () => {
  it('is thanked, and told what counts', () => {
    expect([
      thanksForVote(1, 'new').text,
      thanksForVote(1, 'same').text,
      thanksForVote(1, 'changed').text,
      thanksForVote(-1, 'new').text,
    ]).toEqual([
      'Thanks. Your 👍 is counted.',
      'Your 👍 is already counted.',
      'Thanks. Your vote is now 👍.',
      'Thanks. Your 👎 is counted. If something was wrong, say so in the thread so your team sees it.',
    ]);
  });

  it('is told where there is nothing to vote on any more', () => {
    expect(nothingToVoteOn().text).toMatch(/cannot count your vote/);
  });
});
