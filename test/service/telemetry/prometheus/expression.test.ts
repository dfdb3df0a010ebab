import { expect, it } from 'vitest';
import { measuredBy } from '../../../../src/service/telemetry/prometheus/client.ts';

it.each([
  ['rate(errors[5m]) > 0.05', 'rate(errors[5m])', '>', 0.05],
  ['sum(rate(a[5m])) / sum(rate(b[5m])) >= 1e-3', 'sum(rate(a[5m])) / sum(rate(b[5m]))', '>=', 0.001],
  ['up == 0', 'up', '==', 0],
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
