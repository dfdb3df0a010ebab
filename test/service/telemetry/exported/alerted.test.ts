import { expect, it } from 'vitest';
import { alertedIn, expressionIn } from '../../../../src/service/telemetry/exported/alerted.ts';
import type { AlertRule } from '../../../../src/service/telemetry/model.ts';
import { seriesWith } from '../../../support/telemetry.ts';

const RULE: AlertRule = {
  name: 'ReplicaLags',
  expression: 'mysql_slave_lag',
  threshold: { comparison: '>', value: 60 },
  labels: {},
  annotations: {},
  heldFor: 0,
};

const said = (values: readonly number[]) =>
  alertedIn({ rule: RULE, series: [seriesWith(values, { service: 'db' })] }).map(({ sentence, since }) => [
    sentence,
    since,
  ]);

it('says from where to where an alert’s own expression went, and when', () => {
  expect(said([1, 1, 2, 1, 1, 2, 1, 510, 512, 515])).toEqual([
    ['The metric of ReplicaLags went from 1 to 512 at 00:07 UTC; it fires > 60.', 420_000],
  ]);
});

it('says nothing of an alert whose expression is as it always was, or does not fire', () => {
  expect(said([70, 70, 71, 70, 70, 71, 70, 70, 71, 70])).toEqual([]);
  expect(said([1, 1, 1, 1, 1, 1, 1, 20, 20, 20])).toEqual([]);
  expect(said([70, 70, 71, 70, 70, 71, 70, 510, 512, 515])).toEqual([]);
});

it('reads the expression from the link that Prometheus adds', () => {
  const expression = 'sum(rate(a{job="x"}[1m])) > 0.05';
  expect(expressionIn(`Source: http://p:9090/graph?g0.expr=${encodeURIComponent(expression)}&g0.tab=1`)).toBe(
    expression,
  );
  expect(expressionIn('http://p:9090/graph?g0.expr=%E0%A4%A')).toBeNull();
  expect(expressionIn('https://grafana.example/d/abc')).toBeNull();
});
