import { expect, it } from 'vitest';
import { createKeepalive } from '../../../src/bot/asking/answerer.ts';

/** The seconds at which people are shown that an answer goes on, where something arrived at these. */
function shownAt(...heard: number[]): number[] {
  const silence = createKeepalive(0);
  return Array.from({ length: 40 }, (_, second) => second).filter((second) => {
    if (heard.includes(second)) silence.restart(second * 1_000);
    return silence.due(second * 1_000);
  });
}

it('where nothing arrives, people are shown after 5 seconds that it goes on, and then every 10', () => {
  expect(shownAt()).toEqual([5, 15, 25, 35]);
});

it('where something arrives the silence begins anew', () => {
  expect(shownAt(3, 4, 20)).toEqual([9, 19, 25, 35]);
});
