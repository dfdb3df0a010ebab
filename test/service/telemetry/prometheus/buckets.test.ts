import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { known } from '../../../../src/service/telemetry/model.ts';
import { bucketBounds } from '../../../../src/service/telemetry/prometheus/recognition.ts';

/** How many jobs have a bucket of the metric asked for at this place. */
const row = (metric: string, le: string, jobs: number) => ({
  labels: { metric, le },
  points: { times: Float64Array.of(0), values: Float64Array.of(jobs) },
});

async function boundsFrom(expressions: readonly string[], rows: ReturnType<typeof row>[]) {
  const asked: string[] = [];
  const query = async (expression: string) => {
    asked.push(expression);
    return known(rows);
  };
  return { of: await bucketBounds({ query }, expressions, 0, UNLIMITED), asked };
}

const QUANTILE = 'histogram_quantile(0.95, sum by (job, le) (rate(http_seconds_bucket[2m])))';
const BOTH =
  'histogram_quantile(0.95, sum by (job, le) (rate(http_seconds_bucket[2m]) or rate(rpc_seconds_bucket[2m])))';

it('a quantile’s bounds are those that every job has, in their order', async () => {
  const { of, asked } = await boundsFrom(
    [QUANTILE, BOTH, 'sum(rate(http_seconds_count[2m]))'],
    [
      row('0', '+Inf', 2),
      row('0', '10', 2),
      row('0', '2.5', 2),
      row('0', '2', 1),
      row('0', '1', 2),
      row('1', '10', 1),
      row('1', '1', 1),
      row('1', '+Inf', 1),
    ],
  );
  expect(of(QUANTILE)).toEqual([1, 2.5, 10]);
  expect(of(BOTH)).toEqual([1, 10]);
  expect(of('sum(rate(http_seconds_count[2m]))')).toEqual([]);
  expect(asked).toEqual([
    'label_replace(count by (le) (count by (le, job) (http_seconds_bucket)), "metric", "0", "", "") or ' +
      'label_replace(count by (le) (count by (le, job) (rpc_seconds_bucket)), "metric", "1", "", "")',
  ]);
});

it('nothing is asked where nothing is estimated from buckets', async () => {
  const { of, asked } = await boundsFrom(['max by (job) (latency_seconds{quantile="0.95"})'], []);
  expect([of(QUANTILE), asked]).toEqual([[], []]);
});
