import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/bot/store/open.ts';
import { until } from '../../support/until.ts';
import { asking, done, saying, waiting } from './support.ts';

const NOT_KEPT =
  'I could not store the answer. Try again; if it keeps happening, tell whoever operates me to check the disk.';

/** A store whose transactions fail while its disk is full. */
function disk() {
  let full = 0;
  return {
    fill: (times: number) => {
      full = times;
    },
    left: () => full,
    through: (store: Store): Store => ({
      ...store,
      transaction: (work) => {
        if (full === 0) return store.transaction(work);
        full -= 1;
        return Promise.reject(new Error('database or disk is full'));
      },
    }),
  };
}

describe('an answer that cannot be stored', () => {
  it('is kept until it can be, and asked for but once', async () => {
    const { through, fill } = disk();
    await using test = await asking({ through });
    const answer = waiting('The pool is full.');
    test.service.answers.push(answer.answering);
    test.answerer.start();
    await test.ask('q1');
    await until('it is being asked', () => test.service.questions.length === 1);
    const from = test.opened.clock.slept.length;
    fill(5);
    answer.release();
    expect(await test.reached('q1', 'complete')).toMatchObject({ answer: 'The pool is full.' });
    expect(test.opened.clock.slept.slice(from)).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(test.service.questions).toHaveLength(1);
  });

  it('is given up after a while, which is said, and the thread goes on', async () => {
    const { through, fill } = disk();
    await using test = await asking({ through });
    const answer = waiting('one');
    test.service.answers.push(answer.answering, saying(done('two')));
    test.answerer.start();
    await test.ask('q1');
    await test.ask('q2');
    await until('it is being asked', () => test.service.questions.length === 1);
    fill(8);
    answer.release();
    expect(await test.reached('q1', 'failed')).toMatchObject({ answer: '', note: NOT_KEPT });
    await test.reached('q2', 'complete');
  });

  it('even where that cannot be said, does not block its thread: it is asked again once there is room', async () => {
    const { through, fill, left } = disk();
    await using test = await asking({ through });
    const answer = waiting('one');
    test.service.answers.push(answer.answering, saying(done('one again')), saying(done('two')));
    test.answerer.start();
    await test.ask('q1');
    await test.opened.clock.sleep(1);
    await test.ask('q2');
    await until('it is being asked', () => test.service.questions.length === 1);
    fill(10);
    answer.release();
    expect(await test.reached('q2', 'complete')).toMatchObject({ answer: 'two' });
    expect(await test.store.questions.get('q1')).toMatchObject({ state: 'complete', answer: 'one again' });
    expect(left()).toBe(0);
  });
});

describe('what people see while they wait', () => {
  it('is that it goes on, where the agent says nothing for long', async () => {
    await using test = await asking();
    const { clock } = test.opened;
    test.service.answers.push(waiting('never').answering);
    test.answerer.start();
    await test.ask('q1');
    await until('it is being asked', () => test.service.questions.length === 1);
    const before = await test.wanted('q1');
    const shows = async (ms: number, wanted: number) => {
      await clock.sleep(ms);
      test.asked.wake();
      await until(
        `it was refreshed ${wanted} times`,
        async () => (await test.wanted('q1')) === before + wanted,
      );
    };
    await shows(5_000, 1);
    await shows(10_000, 2);
    await clock.sleep(9_999);
    test.asked.wake();
    await test.ask('q2', { threadTs: '2.0' });
    await until('a round has passed', () => test.service.questions.length === 2);
    expect(await test.wanted('q1')).toBe(before + 2);
  });

  it('is how many are ahead, and fewer when one has ended', async () => {
    await using test = await asking();
    const first = waiting('one');
    const second = waiting('two');
    test.service.answers.push(first.answering, second.answering);
    for (const id of ['q1', 'q2', 'q3']) {
      await test.ask(id);
      await test.opened.clock.sleep(1);
    }
    test.answerer.start();
    await test.reached('q1', 'asking');
    const before = await test.wanted('q3');
    first.release();
    await test.reached('q2', 'asking');
    expect(await test.wanted('q3')).toBe(before + 1);
    const q3 = await test.store.questions.get('q3');
    expect(q3 && (await test.store.questions.ahead(q3))).toBe(1);
  });
});
