import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createStreamingAnswer } from '../../../src/bot/asking/answer.ts';
import { manualClock } from '../../support/manual-clock.ts';

function growing(show: (soFar: string) => Promise<void> = async () => undefined) {
  const clock = manualClock();
  const shown: string[] = [];
  const growth = createStreamingAnswer({
    clock,
    everyMs: 1_000,
    show: async (soFar) => {
      shown.push(soFar);
      await show(soFar);
    },
  });
  const pass = async (ms: number) => {
    await turn();
    clock.advance(ms);
    await turn();
  };
  return { growth, shown, pass };
}

it('a growing answer shows its first words at once, and then as much as there is once a second', async () => {
  const { growth, shown, pass } = growing();
  growth.take('The ');
  expect(shown).toEqual(['The ']);
  growth.take('pool ');
  await pass(999);
  growth.take('is ');
  expect(shown).toEqual(['The ']);
  await pass(1);
  expect(shown).toEqual(['The ', 'The pool is ']);
  await pass(1_000);
  await pass(5_000);
  expect(shown).toEqual(['The ', 'The pool is ']);
  growth.take('full.');
  expect(shown.at(-1)).toBe('The pool is full.');
  expect(growth.text).toBe('The pool is full.');
});

it('a growing answer is shown one state after the other, though showing takes its time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { growth, shown, pass } = growing(() => promise);
  growth.take('one ');
  growth.take('two ');
  await pass(10_000);
  expect(shown).toEqual(['one ']);
  resolve();
  await turn();
  await pass(1_000);
  expect(shown).toEqual(['one ', 'one two ']);
});

it('a growing answer that has ended is not shown any more, and its end waits for what is being shown', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { growth, shown, pass } = growing(() => promise);
  growth.take('one ');
  growth.take('two ');
  const order: string[] = [];
  const ended = growth.end().then(() => order.push('ended'));
  await turn();
  order.push('shown');
  resolve();
  await ended;
  await pass(10_000);
  expect({ shown, order }).toEqual({ shown: ['one '], order: ['shown', 'ended'] });
});
