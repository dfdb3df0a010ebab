import { expect, it } from 'vitest';
import { regrouped } from '../../../../src/service/telemetry/prometheus/targets.ts';

const add = { more: ['pod'], prepare: (operand: string) => `f(${operand})` };

it('aggregates by more labels, everywhere in an expression', () => {
  expect(
    regrouped(
      '(sum by (job, ns) (rate(x{a="5.."}[2m])) or 0 * sum by (job, ns) (y)) / z',
      ['job', 'ns'],
      add,
    ),
  ).toBe('(sum by (job, ns, pod) (f(rate(x{a="5.."}[2m]))) or 0 * sum by (job, ns, pod) (f(y))) / z');
});

it('keeps what an aggregation has beside the labels, with the bucket at the end', () => {
  expect(regrouped('q(0.95, sum by (job, server, le) (rate(x[2m])))', ['job'], add)).toBe(
    'q(0.95, sum by (job, server, pod, le) (f(rate(x[2m]))))',
  );
});

it('is not misled by parentheses in strings', () => {
  expect(regrouped('sum by (job) (x{a=~"(5..)|)\\")"})', ['job'], add)).toBe(
    'sum by (job, pod) (f(x{a=~"(5..)|)\\")"}))',
  );
});

it.each(['sum by (app) (x)', 'x', 'sum by (job', 'sum by (job) x', 'sum by (job) (x'])(
  'leaves %s as it is',
  (text) => {
    expect(regrouped(text, ['job'], add)).toBe(text);
  },
);
