import { expect, it } from 'vitest';
import { LogTemplates } from '../../../src/service/investigation/log-templates.ts';

const word = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
/** Lines that begin alike and then have nothing in common. */
const line = (n: number) =>
  `the request failed ${Array.from({ length: 20 }, (_, at) => word(n * 31 + at * 977)).join(' ')}`;

it('lines that differ in their parameters are one template', () => {
  const templates = new LogTemplates();
  const [first, second] = ['order 17 of alice was charged 12 EUR', 'order 18 of bob was charged 9 EUR'].map(
    (message) => templates.of('info', message),
  );
  expect(second).toBe(first);
  expect(first?.words.join(' ')).toBe('order # of * was charged # EUR');
});

it('lines that begin alike and then differ make a bounded number of templates', () => {
  const templates = new LogTemplates();
  const ids = new Set(Array.from({ length: 5_000 }, (_, n) => templates.of('error', line(n)).id));
  expect(ids.size).toBe(101);
  expect(templates.at('100')?.words.join(' ')).toBe('the request failed *');
});
