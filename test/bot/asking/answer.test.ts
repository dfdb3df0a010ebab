import { describe, expect, it } from 'vitest';
import { StreamFailedError, TimedOutError, UnreachableError } from '../../../src/contract/client/errors.ts';
import { rejected } from '../../support/fake-service.ts';
import { addCreated } from '../../support/issues.ts';
import { until } from '../../support/until.ts';
import { asking, breaking, done, failing, saying, waiting } from './support.ts';

const STARTED_ANEW = 'The service had lost this conversation, so I started a new one.';
const facts = { operation: 'query.stream', ambiguous: false };
const INCOMPLETE = 'The answer was cut off. Try again to get all of it.';

describe('a question', () => {
  it('is answered, with what the agent found, and its message is asked to show that', async () => {
    await using test = await asking();
    const artifacts = [{ id: 'a1', tool_name: 'metrics' }];
    test.service.answers.push(
      saying({
        kind: 'done',
        response: { answer: 'The pool is full.', conversation_id: 'conversation-1', artifacts },
        text: 'The pool is full.',
        complete: true,
      }),
    );
    test.answerer.start();
    await test.ask('q1');
    expect(await test.reached('q1', 'complete')).toMatchObject({
      answer: 'The pool is full.',
      artifacts: JSON.stringify(artifacts),
      note: null,
    });
    expect(test.service.questions).toEqual([{ question: 'about q1' }]);
    expect(await test.store.outbox.get('answer:q1')).toMatchObject({ wanted: 3, state: 'due' });
  });

  it.each([
    ['the series that it gives, two at most', ['metric', 'metric', 'metric'], ['a1', 'a2']],
    ['none where series are only part of what it found', ['metric', 'change'], []],
  ])('is shown with charts: %s', async (_which, types, drawn) => {
    await using test = await asking();
    const artifacts = types.map((data_type, i) => ({ id: `a${i + 1}`, data_type }));
    test.service.answers.push(
      saying({ kind: 'done', response: { answer: 'x', artifacts }, text: 'x', complete: true }),
    );
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'complete');
    const wanted = await test.store.artifacts.due(test.opened.clock.now(), 9);
    expect(wanted.map(({ owner, id }) => [owner, id])).toEqual(drawn.map((id) => ['question:q1', id]));
  });

  it('in an issue’s thread carries what the thread is about, but only the first', async () => {
    await using test = await asking();
    await addCreated(test.store, 1, { number: 7, service: 'checkout' });
    const results = { rootCause: { rootCauseSummary: 'The pool\nis full.' } };
    await test.store.results.save('issue-1', 1, JSON.stringify(results), 1);
    test.service.answers.push(saying(done('one')), saying(done('two')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'complete');
    await test.ask('q2');
    await test.reached('q2', 'complete');
    expect(test.service.questions.map((asked) => asked.question)).toEqual([
      'This is about issue #7: CPU is high\n' +
        'Environment: production. Status: investigating. Service: checkout.\n' +
        'Root cause: The pool is full.\n\nThe question:\nabout q1',
      'about q2',
    ]);
  });

  it.each([
    ['C1', 1_000],
    ['D1', 200],
  ])(
    'in %s shows the first words of its answer at once, then as it grows, every %i ms',
    async (channel, everyMs) => {
      await using test = await asking();
      const { clock, store } = test.opened;
      const answer = waiting('The pool is full.', 'The ', 'pool ');
      test.service.answers.push(answer.answering);
      test.answerer.start();
      const from = clock.slept.length;
      await test.ask('q1', { channel });
      await until('all is shown', () => clock.slept.length === from + 2);
      expect(await store.questions.get('q1')).toMatchObject({ answer: 'The pool ' });
      expect(clock.slept.slice(from)).toEqual([everyMs, everyMs]);
      // Asked for, taken up, and shown twice.
      expect(await test.wanted('q1')).toBe(4);
      answer.release();
      expect(await test.reached('q1', 'complete')).toMatchObject({ answer: 'The pool is full.' });
      expect(await test.wanted('q1')).toBe(5);
    },
  );
});

describe('an answer that does not come whole', () => {
  it('keeps what arrived, and says that it broke off', async () => {
    await using test = await asking();
    test.service.answers.push(
      saying(
        { kind: 'delta', text: 'The po' },
        { kind: 'done', response: null, text: 'The po', complete: false },
      ),
    );
    test.answerer.start();
    await test.ask('q1');
    expect(await test.reached('q1', 'failed')).toMatchObject({ answer: 'The po', note: INCOMPLETE });
  });

  it('leaves the conversation as it was, so that the next question goes on with it', async () => {
    await using test = await asking();
    test.service.answers.push(
      saying(done('one')),
      saying({ kind: 'done', response: null, text: 'hal', complete: false }),
      saying(done('three')),
    );
    test.answerer.start();
    for (const [id, state] of [
      ['q1', 'complete'],
      ['q2', 'failed'],
      ['q3', 'complete'],
    ] as const) {
      await test.ask(id);
      await test.reached(id, state);
    }
    expect(test.service.questions.at(-1)).toEqual({
      question: 'about q3',
      conversation_id: 'conversation-1',
    });
  });

  it.each([
    [
      new TimedOutError({ ...facts, timeoutMs: 180_000 }),
      'The answer was cut off: it took too long. Try again to get all of it.',
    ],
    [
      new UnreachableError({ ...facts, ambiguous: true, code: 'ECONNRESET', requestId: 'req_1' }),
      'The answer was cut off: the connection to the investigation service dropped. Try again to get all of it. (request req_1)',
    ],
    [
      new StreamFailedError({ ...facts, reason: 'Out of credit.' }),
      'The answer was cut off: Out of credit. Try again to get all of it.',
    ],
    [
      new Error('no space left'),
      'Something went wrong in Gumshoe. Try again; if it keeps happening, tell whoever operates Gumshoe.',
    ],
  ])('keeps what arrived before %s, and says why', async (error, note) => {
    await using test = await asking();
    test.service.answers.push(breaking(error, 'The ', 'po'));
    test.answerer.start();
    await test.ask('q1');
    expect(await test.reached('q1', 'failed')).toMatchObject({ answer: 'The po', note });
  });

  it('is none where the agent says nothing at all', async () => {
    await using test = await asking();
    test.service.answers.push(saying(done(' ')));
    test.answerer.start();
    await test.ask('q1');
    expect(await test.reached('q1', 'failed')).toMatchObject({
      note: 'The agent sent an empty answer. Try again or rephrase the question.',
    });
  });

  it('says in one sentence why there is none', async () => {
    await using test = await asking();
    const slow = new TimedOutError({ operation: 'query.stream', ambiguous: false, timeoutMs: 180_000 });
    test.service.answers.push(failing(slow));
    test.answerer.start();
    await test.ask('q1');
    expect(await test.reached('q1', 'failed')).toMatchObject({
      answer: '',
      note: 'The investigation service timed out. Try again in a few minutes.',
    });
    expect(await test.store.outbox.get('answer:q1')).toMatchObject({ wanted: 3, state: 'due' });
  });
});

describe('a conversation that the service no longer knows', () => {
  it.each([404, 410])('(%i) is started anew, and the answer says so', async (status) => {
    await using test = await asking();
    await addCreated(test.store, 1, { number: 7 });
    test.service.answers.push(
      saying(done('one', 'conversation-1')),
      failing(rejected(status, 'no such conversation')),
      saying(done('two', 'conversation-2')),
      saying(done('three', 'conversation-2')),
    );
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'complete');
    await test.ask('q2');
    expect(await test.reached('q2', 'complete')).toMatchObject({ answer: 'two', note: STARTED_ANEW });
    await test.ask('q3');
    expect(await test.reached('q3', 'complete')).toMatchObject({ note: null });
    expect(test.service.questions.slice(1)).toEqual([
      { question: 'about q2', conversation_id: 'conversation-1' },
      {
        question:
          'This is about issue #7: CPU is high\nEnvironment: production. Status: investigating.\n\n' +
          'Asked and answered before:\nQuestion: about q1\nAnswer: one\n\n' +
          'The question:\nabout q2',
        thread: {
          question: 'about q2',
          issue: { number: 7, title: 'CPU is high', service: null, root_cause: null },
          said: [],
          asked: [{ question: 'about q1', answer: 'one' }],
          files: [],
        },
      },
      { question: 'about q3', conversation_id: 'conversation-2' },
    ]);
  });

  it('is no excuse for asking a first question twice', async () => {
    await using test = await asking();
    test.service.answers.push(failing(rejected(404, 'no such page')), saying(done('never')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'failed');
    expect(test.service.questions).toHaveLength(1);
  });
});
