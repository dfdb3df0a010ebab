import { expect, test } from 'vitest';
import { Count, openEnum, PositiveInteger, Timestamp } from '../../../src/contract/schema/primitives.ts';

test.each([
  '2026-03-17T12:30Z',
  '2026-03-17T12:30:15Z',
  '2026-03-17T12:30:15.5Z',
  '2026-03-17T12:30:15.123456789Z',
  '2026-03-17T12:30:15+00:00',
])('%s is a timestamp, kept as it is', (text) => {
  expect(Timestamp.parse(text)).toBe(text);
});

test.each(['2026-03-17', '12:30Z', '2026-03-17T12:30', 'yesterday', '', 1742212800])(
  '%s is no timestamp',
  (value) => {
    expect(Timestamp.safeParse(value).success).toBe(false);
  },
);

test('integers go up to 9007199254740991, numbers from 1 and counts from 0', () => {
  const accepted = (value: number): boolean[] =>
    [PositiveInteger, Count].map((schema) => schema.safeParse(value).success);
  expect([-1, 0, 1, 1.5, 9007199254740991, 9007199254740992].map(accepted)).toEqual([
    [false, false],
    [false, true],
    [true, true],
    [false, false],
    [true, true],
    [false, false],
  ]);
});

test('an open enum takes any string and nothing else', () => {
  const schema = openEnum(['low', 'high']);
  expect(['low', 'unheard-of', 3].map((value) => schema.safeParse(value).success)).toEqual([
    true,
    true,
    false,
  ]);
});
