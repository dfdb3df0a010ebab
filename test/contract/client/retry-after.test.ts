import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/contract/client/transport.ts';

const NOW = Date.parse('2026-03-17T12:00:00Z');

test.each([
  ['seconds', '30', 30_000],
  ['a fraction of a second', '0.5', 500],
  ['no wait', '0', 0],
  ['a date to come', 'Tue, 17 Mar 2026 12:01:00 GMT', 60_000],
  ['a date gone by', 'Tue, 17 Mar 2026 11:00:00 GMT', 0],
  ['words', 'soon', null],
  ['a negative number', '-5', null],
  ['nothing', '', null],
])('reads %s', (_, header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});

test('reads a missing header as no wish', () => {
  expect(retryAfterMs(null, NOW)).toBeNull();
});
