import { describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { asking, done, saying, waiting } from './support.ts';

describe('the answerer', () => {
  it('asks the questions of one thread in order, one at a time', async () => {
    await using test = await asking();
    const first = waiting('one');
    test.service.answers.push(first.answering, saying(done('two')));
    await test.ask('q1');
    await test.opened.clock.sleep(1);
    await test.ask('q2');
    test.answerer.start();
    await test.reached('q1', 'asking');
    expect(await test.store.questions.get('q2')).toMatchObject({ state: 'queued' });
    expect(test.service.questions).toHaveLength(1);
    first.release();
    await test.reached('q2', 'complete');
    expect(test.service.questions.map((asked) => asked.question)).toEqual(['about q1', 'about q2']);
  });

  it('asks those of different threads side by side', async () => {
    await using test = await asking();
    const first = waiting('one');
    test.service.answers.push(first.answering, saying(done('two')));
    test.answerer.start();
    await test.ask('q1', { threadTs: '1.0' });
    await test.reached('q1', 'asking');
    await test.ask('q2', { threadTs: '2.0' });
    await test.reached('q2', 'complete');
    expect(await test.store.questions.get('q1')).toMatchObject({ state: 'asking' });
    first.release();
    await test.reached('q1', 'complete');
  });

  it('asks no more than four at once', async () => {
    await using test = await asking();
    const held = [1, 2, 3, 4, 5].map((n) => waiting(`answer ${n}`));
    test.service.answers.push(...held.map((h) => h.answering));
    for (const n of [1, 2, 3, 4, 5]) {
      await test.opened.clock.sleep(1);
      await test.ask(`q${n}`, { threadTs: `${n}.0` });
    }
    test.answerer.start();
    await until('four are being asked', () => test.service.questions.length === 4);
    expect(await test.store.questions.get('q5')).toMatchObject({ state: 'queued' });
    for (const { release } of held) release();
    await test.reached('q5', 'complete');
  });

  it('leaves what a shutdown interrupts to be asked again, and asks it again at the next start', async () => {
    await using test = await asking();
    test.service.answers.push(waiting('never').answering);
    test.answerer.start();
    await test.ask('q1');
    await until('it is being asked', () => test.service.questions.length === 1);
    await test.answerer.stop();
    expect(await test.store.questions.get('q1')).toMatchObject({ state: 'asking', note: null });
    test.service.answers.push(saying(done('The pool is full.')));
    test.restarted().start();
    expect(await test.reached('q1', 'complete')).toMatchObject({ answer: 'The pool is full.' });
  });
});
