import { expect, it } from 'vitest';
import { LogTemplates } from '../../../src/service/investigation/log-templates.ts';
import { chargesFromLines } from '../../../src/service/investigation/ranking/line-order.ts';
import { growth } from '../../support/cpu-time.ts';

const word = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
const NOW = 1_800_000_000_000;

/** Lines within two seconds that begin alike and then have nothing in common. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    at: NOW - 10_000 + Math.floor((n * 2_000) / count),
    service: 'shop',
    instance: 'shop-1',
    level: 'error',
    message: `the request failed ${Array.from({ length: 20 }, (_, at) => word(n * 31 + at * 977)).join(' ')}`,
    traceId: null,
  }));

it('twice as many lines take twice the work, whatever they say', () => {
  const [few, many] = [lines(3_000), lines(6_000)];
  const templatesOf = (some: typeof few) => {
    const templates = new LogTemplates();
    for (const { level, message } of some) templates.of(level, message);
  };
  expect(
    growth(
      () => templatesOf(few),
      () => templatesOf(many),
      2.5,
    ),
  ).toBeLessThan(2.5);
  expect(
    growth(
      () => chargesFromLines(few, [], NOW),
      () => chargesFromLines(many, [], NOW),
      2.5,
    ),
  ).toBeLessThan(2.5);
});
