import { describe, expect, it } from 'vitest';
import { answerLate, askAgain } from '../../../src/bot/asking/ask.ts';
import { rejected } from '../../support/fake-service.ts';
import { until } from '../../support/until.ts';
import { asking, breaking, done, failing, saying } from './support.ts';

const HOUR = 60 * 60_000;

describe('Try again', () => {
  it('asks a question anew whose answer broke off: one answer stands there in the end', async () => {
    await using test = await asking();
    test.service.answers.push(breaking(rejected(500, 'x'), 'The po'), saying(done('The pool is full.')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'failed');
    expect(await test.again('q1')).toBe('asked');
    expect(await test.reached('q1', 'complete')).toMatchObject({ answer: 'The pool is full.', note: null });
    expect(test.service.questions).toEqual([{ question: 'about q1' }, { question: 'about q1' }]);
  });

  it('that fails where what the last try found is damaged ends, and is not asked for ever', async () => {
    await using test = await asking();
    test.service.answers.push(breaking(rejected(500, 'x'), 'The po'), failing(rejected(500, 'y')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'failed');
    await test.store.questions.update('q1', { artifacts: '[{"id":' }, 0);
    await test.again('q1');
    await until('it was asked again', () => test.service.questions.length === 2);
    expect(await test.reached('q1', 'failed')).toMatchObject({ answer: 'The po', artifacts: '[]' });
    await test.ask('q2');
    await until('the next is asked', () => test.service.questions.length === 3);
    expect(test.service.questions.at(-1)?.question).toMatch(/about q2$/u);
  });

  it('is once, however often it is pressed, and nothing once it is answered', async () => {
    await using test = await asking();
    test.service.answers.push(failing(rejected(500, 'x')), saying(done('one')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'failed');
    expect(await Promise.all([test.again('q1'), test.again('q1', 'U2')])).toEqual(['asked', 'not_now']);
    await test.reached('q1', 'complete');
    expect([await test.again('q1'), await test.again('unknown')]).toEqual(['not_now', 'not_now']);
    expect(test.service.questions).toHaveLength(2);
  });

  it('takes its place behind what waits by then', async () => {
    await using test = await asking();
    await test.ask('q1');
    await test.stop('q1');
    await test.ask('q2');
    await test.opened.clock.sleep(1);
    await test.again('q1');
    test.service.answers.push(saying(done('two')), saying(done('one')));
    test.answerer.start();
    expect(await test.reached('q1', 'complete')).toMatchObject({ answer: 'one', stoppedBy: null });
    expect(test.service.questions.map(({ question }) => question)).toEqual(['about q2', 'about q1']);
  });

  it('keeps to the ceilings of whoever presses, and says so under the question', async () => {
    await using test = await asking();
    const { clock } = test.opened;
    await test.ask('q1', {}, { askPerUserHour: 1 });
    await clock.sleep(HOUR / 2);
    await test.ask('q2', {}, { askPerUserHour: 1 });
    const before = await test.wanted('q2');
    const again = (who: string) => askAgain('q2', who, { ...test.options, askPerUserHour: 1 });
    expect(await again('U1')).toBe('refused');
    expect(await test.store.questions.get('q2')).toMatchObject({
      state: 'failed',
      note: 'You have asked 1 question in the last hour, the limit per person (ASK_PER_USER_HOUR). Try again in 30 minutes.',
    });
    expect(await test.wanted('q2')).toBe(before + 1);
    expect(await again('U2')).toBe('asked');
  });
});

describe('a question that came late', () => {
  it('is not asked: one line offers to answer all that are late in its thread', async () => {
    await using test = await asking();
    const now = test.opened.clock.now();
    await test.ask('q1', { writtenAt: now - HOUR - 2 });
    await test.ask('q2', { writtenAt: now - HOUR - 1, asker: 'U2' });
    await test.ask('q2', { writtenAt: now - HOUR - 1, asker: 'U2' });
    await test.ask('q3', { writtenAt: now - HOUR });
    expect((await test.store.questions.offeredBy('late:q1')).map(({ id, state }) => [id, state])).toEqual([
      ['q1', 'late'],
      ['q2', 'late'],
    ]);
    expect(await test.store.outbox.get('late:q1')).toMatchObject({
      kind: 'aside',
      channel: 'C1',
      threadTs: '1.0',
      payload: '{"aside":"late","conversation":"q1"}',
      wanted: 2,
    });
    expect(await Promise.all(['q1', 'q2', 'q3'].map(test.wanted))).toEqual([0, 0, 1]);
    expect(await test.store.questions.get('q3')).toMatchObject({ state: 'queued', writtenAt: now - HOUR });
  });

  it('starts no listening again, and counts for no ceiling', async () => {
    await using test = await asking();
    await test.ask('q1');
    await test.store.conversations.listen('q1', false, 1);
    const { clock, store } = test.opened;
    await test.ask('q2', { writtenAt: clock.now() - 2 * HOUR });
    expect(await store.conversations.get('q1')).toMatchObject({ listening: false });
    expect(await store.questions.countBy('U1', clock.now() - HOUR)).toBe(1);
  });

  it('is answered where somebody wants it, the oldest first, each in a message of its own', async () => {
    await using test = await asking();
    const { clock, store } = test.opened;
    await test.ask('b', { writtenAt: clock.now() - 2 * HOUR });
    await test.ask('a', { writtenAt: clock.now() - 1.5 * HOUR, asker: 'U2' });
    expect(await answerLate('late:b', 'U3', test.options)).toBe('asked');
    expect(await answerLate('late:b', 'U3', test.options)).toBe('not_now');
    expect(await store.outbox.get('answer:a')).toMatchObject({
      kind: 'answer',
      questionId: 'a',
      threadTs: '1.0',
      payload: '{"requester":"U2"}',
      wanted: 1,
    });
    // The line tells that it was taken up.
    expect(await store.outbox.get('late:b')).toMatchObject({
      wanted: 3,
      payload: '{"aside":"late","conversation":"b","by":"U3"}',
    });
    test.service.answers.push(saying(done('B')), saying(done('A')));
    test.answerer.start();
    test.asked.wake();
    await test.reached('a', 'complete');
    expect(await store.questions.get('b')).toMatchObject({ state: 'complete', answer: 'B' });
  });

  it('after that is offered by a line of its own', async () => {
    await using test = await asking();
    const writtenAt = test.opened.clock.now() - 2 * HOUR;
    await test.ask('q1', { writtenAt });
    await answerLate('late:q1', 'U3', test.options);
    await test.ask('q2', { writtenAt });
    expect(await test.store.outbox.get('late:q2')).toMatchObject({ kind: 'aside' });
  });

  it('is refused in its own message where the ceiling is reached', async () => {
    await using test = await asking();
    const writtenAt = test.opened.clock.now() - 2 * HOUR;
    for (const id of ['q1', 'q2']) await test.ask(id, { writtenAt });
    expect(await answerLate('late:q1', 'U1', { ...test.options, askPerChannelHour: 1 })).toBe('asked');
    expect(await test.store.questions.get('q2')).toMatchObject({
      state: 'failed',
      note: '1 question was asked here in the last hour, the limit per channel (ASK_PER_CHANNEL_HOUR). Try again in 60 minutes.',
    });
    expect(await test.wanted('q2')).toBe(1);
  });
});
