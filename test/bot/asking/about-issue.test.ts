import { expect, it } from 'vitest';
import { composeRequest, type IssueAbout } from '../../../src/bot/asking/request.ts';

const issue: IssueAbout = {
  number: 7,
  title: 'CPU\nis high',
  environment: 'production',
  status: 'ready_to_fix',
  service: null,
  rootCause: null,
  how: 'This is about',
};
const told = (about: IssueAbout) =>
  composeRequest({ about, talk: [], before: [], files: [], question: 'why?' });

it('the agent is told which issue a thread is about, on lines of our own and as data', () => {
  expect(told(issue)).toEqual({
    words:
      'This is about issue #7: CPU is high\nEnvironment: production. Status: ready_to_fix.\n\nThe question:\nwhy?',
    thread: {
      question: 'why?',
      issue: { number: 7, title: 'CPU is high', service: null, root_cause: null },
      said: [],
      asked: [],
      files: [],
    },
    notRead: null,
  });
});

it('without a number it is told in words alone', () => {
  const { words, thread } = told({
    ...issue,
    number: null,
    service: 'check\n\nout',
    rootCause: 'The pool\n\nis full.',
  });
  expect(words).toBe(
    'This is about issue #?: CPU is high\n' +
      'Environment: production. Status: ready_to_fix. Service: check out.\n' +
      'Root cause: The pool is full.\n\nThe question:\nwhy?',
  );
  expect(thread?.issue).toBeNull();
});

it('a long root cause is cut', () => {
  const { words } = told({ ...issue, rootCause: 'pool '.repeat(1_000) });
  expect(words.length).toBeLessThan(1_200);
});

it('owners go along as data, and change no word of the question', () => {
  const owners = [{ service: 'cart', name: 'team-cart', channel: null, on_call: [] }];
  expect(composeRequest({ about: null, talk: [], before: [], files: [], question: 'why?', owners })).toEqual({
    words: 'why?',
    thread: { question: 'why?', issue: null, said: [], asked: [], files: [], owners },
    notRead: null,
  });
});
