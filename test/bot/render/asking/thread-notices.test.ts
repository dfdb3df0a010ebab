import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import {
  lateAnswersAskedFor,
  offerToAnswer,
  stoppedListening,
} from '../../../../src/bot/render/asking/thread-notices.ts';
import { actions, button, section } from '../../../../src/bot/render/rendered.ts';

describe('what is said beside answers', () => {
  it('offers to answer what came late', () => {
    const questions = [
      { asker: 'U0ALICE', text: 'Why is <checkout>\nslow?' },
      { asker: 'U0BOB', text: '' },
    ];
    expect(offerToAnswer('late:C1:1.0', questions)).toEqual({
      text: '2 questions came in while I was down, more than an hour ago:',
      blocks: [
        section(
          '2 questions came in while I was down, more than an hour ago:\n• <@U0ALICE>: Why is &lt;checkout&gt; slow?\n• <@U0BOB>: a file',
        ),
        actions([button('Answer them', actionIds.answerLate, 'late:C1:1.0')]),
      ],
    });
  });

  it('offers to answer one, and counts what is too many to list', () => {
    const question = { asker: 'U0ALICE', text: 'why?' };
    expect(offerToAnswer('late:1', [question]).blocks).toEqual([
      section('A question came in while I was down, more than an hour ago:\n• <@U0ALICE>: why?'),
      actions([button('Answer it', actionIds.answerLate, 'late:1')]),
    ]);
    const [many] = offerToAnswer(
      'late:1',
      Array.from({ length: 12 }, () => question),
    ).blocks;
    expect(JSON.stringify(many).split('• ').length - 1).toBe(10);
    expect(JSON.stringify(many)).toContain('\\n… and 2 more');
  });

  it('says who wanted the answers', () => {
    expect(lateAnswersAskedFor('U0ALICE').text).toBe(
      '<@U0ALICE> asked me to answer what came in while I was down.',
    );
    expect(lateAnswersAskedFor(null).text).toBe('Somebody asked me to answer what came in while I was down.');
  });

  it('says who wanted it to stop listening, and how to go on', () => {
    expect(stoppedListening('U0ALICE', false)).toEqual({
      text: '<@U0ALICE> asked me to stop listening here. Mention me to continue.',
      blocks: [section('<@U0ALICE> asked me to stop listening here. Mention me to continue.')],
    });
    expect(stoppedListening('U0ALICE', true).text).toBe(
      '<@U0ALICE> asked me to stop listening here. Send me a new message to continue.',
    );
  });
});
