import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestedPrompts, threadTitle } from '../../../../src/bot/render/asking/prompts.ts';
import { anyText } from '../../../support/arbitrary-views.ts';

const issue = {
  number: 12,
  title: 'Checkout answers 502',
  status: 'ready_to_fix',
  service: 'checkout',
  environment: 'production',
};

describe('the prompts of the pane', () => {
  it('are about the open issues, then general', () => {
    expect(suggestedPrompts([issue, { ...issue, number: 9, status: 'investigating', title: ' ' }])).toEqual({
      title: 'Ask me about open issues',
      prompts: [
        {
          title: 'Why is #12 happening? Checkout answers 502',
          message: 'What is the root cause of issue #12, and what should we do first?',
        },
        {
          title: 'What do we know about #9? checkout production',
          message: 'What do we know about issue #9 so far?',
        },
        { title: 'What is firing right now?', message: 'Which issues are open right now?' },
        { title: 'What changed recently?', message: 'What was deployed or changed in the last few hours?' },
      ],
    });
  });

  it('are general where nothing is open', () => {
    const { title, prompts } = suggestedPrompts([]);
    expect(title).toBe('Ask me about your systems');
    expect(prompts.map((prompt) => prompt.title)).toEqual([
      'What is firing right now?',
      'What changed recently?',
      'How healthy are the services?',
      'Which issues are muted?',
    ]);
  });

  it('leave room for what is no issue yet', () => {
    const { prompts } = suggestedPrompts([1, 2, 3, 4, 5].map((number) => ({ ...issue, number })));
    expect(prompts.map(({ title }) => title.slice(0, 12))).toEqual([
      'Why is #1 ha',
      'Why is #2 ha',
      'Why is #3 ha',
      'What is firi',
    ]);
  });

  it('are short, plain, and say nothing of an issue in the person’s name, whatever it is called', () => {
    fc.assert(
      fc.property(anyText, anyText, (title, service) => {
        const [first] = suggestedPrompts([{ ...issue, title, service }]).prompts;
        expect(first?.title.length).toBeLessThanOrEqual(75);
        expect(first?.title).toMatch(/^Why is #12 happening\?/u);
        expect(first?.title).not.toMatch(/<[!@#]|[\n\u202e]/u);
        expect(first?.message).toBe('What is the root cause of issue #12, and what should we do first?');
      }),
    );
  });
});

describe('the title of a thread in the pane', () => {
  it.each([
    ['Why is checkout slow?', 'Why is checkout slow?'],
    ['<@U0BOB> why\n is  <!channel> it slow?', 'why is it slow?'],
    ['is p99 < 2 s?', 'is p99 < 2 s?'],
    [' <@U0BOB> ', 'A question'],
    [`Why ${'x'.repeat(80)}`, `Why ${'x'.repeat(55)}…`],
  ])('is its question: %j', (question, expected) => {
    expect(threadTitle(question)).toBe(expected);
  });
});
