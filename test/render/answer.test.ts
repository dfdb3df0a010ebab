import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderAnswer, renderAnswerParts } from '../../src/render/answer.ts';
import { clean, escapeAngles } from '../../src/render/escape.ts';
import { feedbackBlock } from '../../src/render/feedback.ts';
import { honestLinks } from '../../src/render/markdown/links.ts';
import { context, type Rendered, section } from '../../src/render/rendered.ts';
import { anyAnswer } from '../support/arbitrary-views.ts';
import { answerView } from '../support/views.ts';

function spoken(messages: readonly Rendered[]): string[] {
  return messages.flatMap((message) =>
    message.blocks.flatMap((block) => (block.type === 'markdown' ? [block.text] : [])),
  );
}

describe('an answer', () => {
  it('is the agent’s Markdown, who asked, and what was found on the way', () => {
    const view = answerView({
      askedBy: 'U0ALICE',
      answer: 'The pool is **full** & `a -> b`, see [the runbook](https://r.example/a?x=1&y=2).',
      artifacts: [
        { provider: 'datadog', data_type: 'metric', summary: 'pool_waiting rose to 35' },
        { provider: 'kubernetes', tool_name: 'get_events' },
        {},
      ],
    });
    expect(renderAnswer(view)).toEqual({
      text: 'The pool is ∗∗full∗∗ &amp; ˋa -&gt; bˋ, see [the runbook](https://r.example/a?x=1&amp;y=2).',
      blocks: [
        context('Asked by <@U0ALICE>'),
        {
          type: 'markdown',
          text: 'The pool is **full** & `a -&gt; b`, see [the runbook](https://r.example/a?x=1&y=2).',
        },
        section(
          '*Found on the way*\n• pool_waiting rose to 35 (datadog · metric)\n• kubernetes · getˍevents'.replace(
            'ˍ',
            '_',
          ),
        ),
        feedbackBlock({ questionId: 'question-1' }),
      ],
    });
  });

  it('shows a question that nobody else could see', () => {
    const [asked] = renderAnswer(answerView({ askedBy: 'U0ALICE', question: 'why <now>?' })).blocks;
    expect(asked).toEqual(context('<@U0ALICE> asked: why &lt;now&gt;?'));
  });

  it('has a sign while it grows, and no artifacts yet', () => {
    const growing = answerView({ state: 'growing', artifacts: [{ summary: 'x' }] });
    expect(renderAnswer(growing).blocks).toEqual([{ type: 'markdown', text: 'The pool is full. ▍' }]);
    expect(renderAnswer(answerView({ state: 'queued', answer: '' }))).toEqual({
      text: '… thinking',
      blocks: [context('… thinking')],
    });
  });

  it('keeps what had arrived when it failed, and says why', () => {
    const view = answerView({ state: 'failed', note: 'The service took too long (request r1).' });
    expect(renderAnswer(view).blocks).toEqual([
      { type: 'markdown', text: 'The pool is full.' },
      section('⚠️ The service took too long (request r1).'),
    ]);
  });

  it('says so where there is none', () => {
    expect(renderAnswer(answerView({ answer: ' \n' })).blocks).toEqual([
      section('The agent gave no answer.'),
    ]);
    expect(renderAnswer(answerView({ answer: '', state: 'failed' })).blocks).toEqual([
      section('⚠️ The question could not be answered. Please ask again.'),
    ]);
  });

  it('bears a note in small print, and that it is simulated', () => {
    const view = answerView({ note: 'This is a new conversation.', simulated: true });
    expect(renderAnswer(view)).toEqual({
      text: 'Simulated: not your systems. The pool is full.',
      blocks: [
        context('Simulated: not your systems'),
        { type: 'markdown', text: 'The pool is full.' },
        context('This is a new conversation.'),
        feedbackBlock({ questionId: 'question-1' }),
      ],
    });
  });
});

describe('an answer that exceeds one message', () => {
  const answer = Array.from({ length: 120 }, (_, index) => `${index}: ${'word '.repeat(60).trim()}`).join(
    '\n',
  );

  it('goes on in further messages', () => {
    const messages = renderAnswerParts(answerView({ answer }));
    expect(messages.length).toBe(4);
    expect(spoken(messages).join('\n')).toBe(answer);
    expect(messages[0].blocks.at(-1)).toEqual(context('Continues below (1 of 4)'));
    expect(messages[3]?.blocks[0]).toEqual(context('The answer, continued (4 of 4)'));
  });

  it('shows only its beginning while it grows', () => {
    const messages = renderAnswerParts(answerView({ answer, state: 'growing' }));
    expect(messages.length).toBe(1);
    expect(spoken(messages)[0]?.endsWith(' ▍')).toBe(true);
    expect(messages[0].blocks.at(-1)).toEqual(
      context('… the answer goes on; the rest follows when it is whole'),
    );
  });

  it('loses nothing, whatever it says, and begins in the first message', () => {
    const bare = (text: string): string => text.replace(/\s|`{3,}.*|~{3,}.*/gu, '');
    fc.assert(
      fc.property(anyAnswer, (any) => {
        const messages = renderAnswerParts({ ...any, state: 'complete' });
        const whole = escapeAngles(honestLinks(clean(any.answer).trim()));
        // Code that goes on in the next message is closed and opened again; all else is as it was.
        expect(bare(spoken(messages).join('\n')) === bare(whole)).toBe(true);
        if (whole !== '') expect(spoken([messages[0]]).length).toBe(1);
      }),
      { numRuns: 300 },
    );
  });
});
