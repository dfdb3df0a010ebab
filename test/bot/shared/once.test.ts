import { expect, it } from 'vitest';
import { createOnce } from '../../../src/bot/shared/once.ts';

it('says of each key whether it comes up for the first time, and forgets the oldest first', () => {
  const once = createOnce(2);
  expect(['a', 'b', 'a', 'b'].map(once)).toEqual([true, true, false, false]);
  expect(['c', 'b', 'a'].map(once)).toEqual([true, false, true]);
});
