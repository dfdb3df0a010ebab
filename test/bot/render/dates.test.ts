import { expect, it } from 'vitest';
import { date } from '../../../src/bot/render/dates.ts';

it('a moment is shown in the reader’s zone, and in UTC where that cannot be', () => {
  expect(date(Date.parse('2026-11-20T08:15:59.999Z'))).toBe(
    '<!date^1795162559^{time} {date_short_pretty}|2026-11-20 08:15 UTC>',
  );
});

it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 1e18])('%d is no moment', (ms) => {
  expect(date(ms)).toBe('unknown time');
});
