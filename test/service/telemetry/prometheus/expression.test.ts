import { describe, expect, it } from 'vitest';
import {
  measuredBy,
  regrouped,
  rewritten,
  selectorsIn,
} from '../../../../src/service/telemetry/prometheus/expression.ts';

describe('writing for a server', () => {
  const NOTHING = { metrics: new Map<string, string>(), labels: new Map<string, string>(), matchers: [] };

  it.each([
    ['up', 'up{cluster="us"}'],
    ['up{job="a"}', 'up{job="a",cluster="us"}'],
    ['up{job="a",}', 'up{job="a",cluster="us"}'],
    ['{__name__=~"a|b"}', '{__name__=~"a|b",cluster="us"}'],
    [
      'sum by (job, le) (rate(x_bucket{a="}"}[2m:30s])) / 2e3',
      'sum by (job, le) (rate(x_bucket{a="}",cluster="us"}[2m:30s])) / 2e3',
    ],
    ['sum(x) by (job) > 0', 'sum(x{cluster="us"}) by (job) > 0'],
    ['SUM(up) BY (job)', 'SUM(up{cluster="us"}) BY (job)'],
    ['up # by job', 'up{cluster="us"} # by job'],
    [
      'a * on (pod) group_left () b unless c offset 5m',
      'a{cluster="us"} * on (pod) group_left () b{cluster="us"} unless c{cluster="us"} offset 5m',
    ],
    [
      'label_replace(max(job:x:rate5m), "job", "$1", "exported_job", "(.+)") or vector(1)',
      'label_replace(max(job:x:rate5m{cluster="us"}), "job", "$1", "exported_job", "(.+)") or vector(1)',
    ],
    ['histogram_quantile(0.9, x) == bool NaN', 'histogram_quantile(0.9, x{cluster="us"}) == bool NaN'],
  ])('adds a matcher to each selector of %s', (expression, wanted) => {
    expect(rewritten(expression, { ...NOTHING, matchers: ['cluster="us"'] })).toBe(wanted);
  });

  it('writes metrics and labels as the server calls them, and no text in a string', () => {
    const rewriting = {
      metrics: new Map([['http_server_duration_count', 'http.server.duration_count']]),
      labels: new Map([['service_name', '"service.name"']]),
      matchers: [],
    };
    expect(
      rewritten(
        'sum by (service_name, job) (http_server_duration_count{service_name="service_name"})',
        rewriting,
      ),
    ).toBe(
      'sum by ("service.name", job) ({__name__="http.server.duration_count","service.name"="service_name"})',
    );
  });

  it('leaves an expression as it is where nothing is called otherwise', () => {
    expect(rewritten('sum by(job)(up{a="b"} )', NOTHING)).toBe('sum by(job)(up{a="b"} )');
  });
});

describe('aggregating by more labels', () => {
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
    expect(regrouped('histogram_quantile(0.95, sum by (job, server, le) (rate(x[2m])))', ['job'], add)).toBe(
      'histogram_quantile(0.95, sum by (job, server, pod, le) (f(rate(x[2m]))))',
    );
  });

  it('splits by further labels wherever something is aggregated, each once', () => {
    const rate = '(sum by (job, service) (rate(a[1m])) or 0 * sum by (job, service) (rate(b[1m])))';
    expect(regrouped(rate, [], { more: ['http_route', 'service'] })).toBe(
      '(sum by (job, service, http_route) (rate(a[1m])) or 0 * sum by (job, service, http_route) (rate(b[1m])))',
    );
  });

  it('knows an aggregation in any writing', () => {
    expect(regrouped('SUM(rate(x[2m])) BY (job)', ['job'], add)).toBe('SUM(f(rate(x[2m]))) BY (job, pod)');
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
});

describe('what a rule measures', () => {
  it.each([
    ['rate(errors[5m]) > 0.05', 'rate(errors[5m])', '>', 0.05],
    ['sum(rate(a[5m])) / sum(rate(b[5m])) >= 1e-3', 'sum(rate(a[5m])) / sum(rate(b[5m]))', '>=', 0.001],
    ['up == 0', 'up', '==', 0],
    ['(a > 5)', 'a', '>', 5],
    ['1 < a', 'a', '>', 1],
    ['a >= 10 * 1024', 'a', '>=', 10_240],
    ['(sum(a) by (job)) < (1 - 0.75)', '(sum(a) by (job))', '<', 0.25],
    ['node_load1 > bool 4', 'node_load1', '>', 4],
    ['x{le="> 5"} < -2', 'x{le="> 5"}', '<', -2],
  ])('of %s, %s is what is measured', (rule, expression, comparison, value) => {
    expect(measuredBy(rule)).toEqual({ expression, threshold: { comparison, value } });
  });

  it.each(['a > b', 'a and b > 1', 'absent(up{job="x"})', 'a > 1 and b > 2', 'max(a > 3'])(
    'of %s nothing is taken off, since the comparison is not the whole of it',
    (rule) => {
      expect(measuredBy(rule)).toEqual({ expression: rule, threshold: null });
    },
  );
});

it('lists what an expression reads', () => {
  expect(
    selectorsIn('rate(a{job="x",code=~"5.."}[5m]) / on (job) b > 0 and {__name__="c",queue="orders"} == 1'),
  ).toEqual([
    { metric: 'a', labels: { job: 'x' } },
    { metric: 'b', labels: {} },
    { metric: 'c', labels: { queue: 'orders' } },
  ]);
});
