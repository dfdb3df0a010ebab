import { expect, it } from 'vitest';
import { rewritten } from '../../../../src/service/telemetry/prometheus/rewrite.ts';

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
