import { expect, it } from 'vitest';
import { rootCauseLine } from '../../../src/bot/shared/root-cause.ts';

it.each([
  [undefined, 'Root cause: not found yet'],
  [{ rootCauseSummary: ' ' }, 'Root cause: not found yet'],
  [{ rootCauseSummary: 'Bad deploy of payments' }, 'Root cause: Bad deploy of payments'],
  [
    { rootCauseSummary: 'Unexplained degradation of catalog', isUnexplained: true },
    'Root cause unknown: Unexplained degradation of catalog',
  ],
])('of %j, a ticket and a page say: %s', (found, line) => {
  expect(rootCauseLine(found)).toBe(line);
});
