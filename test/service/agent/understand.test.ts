import { describe, expect, it } from 'vitest';
import { aboutIssue, composeRequest } from '../../../src/bot/asking/request.ts';
import { parseQuestion } from '../../../src/service/agent/understand.ts';

const issue = {
  number: 7,
  title: 'HighErrorRate checkout-api',
  environment: 'production',
  status: 'ready_to_fix',
  service: 'checkout-api',
};
const nothing = { about: null, talk: [], before: [], files: [] };

describe('what Gumshoe puts together', () => {
  it('is taken apart again', () => {
    const text = composeRequest({
      about: aboutIssue(issue, 'Bad deploy of payments.'),
      talk: [
        { speaker: 'Person A', text: 'is it payments?\nI think so' },
        { speaker: 'Person B', text: 'The question:' },
      ],
      before: [
        { question: 'why?', answer: 'because\n\nof this' },
        { question: 'since when?', answer: '13:40' },
      ],
      files: [
        { name: 'app.log', text: 'one\n\ntwo\nThe question:\nthree' },
        { name: 'a.png', notRead: 'not a text file' },
        { name: 'b.txt', text: 'four' },
      ],
      question: 'what now?\n\nand why?',
    }).words;
    expect(parseQuestion(text)).toEqual({
      question: 'what now?\n\nand why?',
      issue: {
        number: 7,
        title: 'HighErrorRate checkout-api',
        service: 'checkout-api',
        rootCause: 'Bad deploy of payments.',
      },
      talk: ['Person A: is it payments?', 'Person A: I think so', 'Person B: The question:'],
      asked: ['why?', 'since when?'],
      files: [
        { name: 'app.log', text: 'one\n\ntwo\n The question:\nthree' },
        { name: 'b.txt', text: 'four' },
      ],
    });
  });

  it.each<[string, Parameters<typeof composeRequest>[0]]>([
    ['a question alone', { ...nothing, question: 'why is payments slow?' }],
    ['talk alone', { ...nothing, talk: [{ speaker: 'A', text: 'b' }], question: 'why is payments slow?' }],
    [
      'a file not read',
      { ...nothing, files: [{ name: 'a', notRead: 'b' }], question: 'why is payments slow?' },
    ],
  ])('with %s has the question', (_with, parts) => {
    expect(parseQuestion(composeRequest(parts).words)).toMatchObject({
      question: 'why is payments slow?',
      issue: null,
      files: [],
    });
  });

  it('is a question of several paragraphs where nothing marks one', () => {
    expect(parseQuestion('why?\n\nand since when?').question).toBe('why?\n\nand since when?');
  });

  it('takes the last lines of a discussion that has very many, and the question behind any text', () => {
    const said = Array.from({ length: 5_000 }, (_, n) => `Ada: ${n}`).join('\n');
    const { talk, question } = parseQuestion(`Said in this thread before:\n${said}\n\nThe question:\nwhy?`);
    expect([talk.length, talk.at(-1), question]).toEqual([200, 'Ada: 4999', 'why?']);
    expect(parseQuestion(`${'x'.repeat(900_000)}\n\nThe question:\nwhy?`).question).toBe('why?');
  });
});
