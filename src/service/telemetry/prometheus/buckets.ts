import type { Budget } from '../budget.ts';
import type { PrometheusClient } from './client.ts';

const BUCKETS = /\b[\w:.]+_bucket\b/gu;
/** Each metric costs a part of a query, and most systems have one or two. */
const MOST_METRICS = 8;

/** The bucket metrics that an expression estimates a quantile from; empty if the value is anything else. */
function bucketsIn(expression: string): string[] {
  return expression.startsWith('histogram_quantile(') ? [...new Set(expression.match(BUCKETS))] : [];
}

/**
 * The upper bounds of the buckets that quantiles are estimated from, by expression. `histogram_quantile` interpolates
 * within a bucket, so that `1.7 s` may be anything from 1 to 2.5 s. A bound counts if every job has it: jobs with others
 * have wider buckets there.
 */
export async function bucketBounds(
  client: Pick<PrometheusClient, 'query'>,
  expressions: readonly string[],
  moment: number,
  budget: Budget,
): Promise<(expression: string) => readonly number[]> {
  const metrics = [...new Set(expressions.flatMap(bucketsIn))].slice(0, MOST_METRICS);
  if (metrics.length === 0) return () => [];
  const jobs = metrics.map(
    (metric, at) =>
      `label_replace(count by (le) (count by (le, job) (${metric})), "metric", "${at}", "", "")`,
  );
  const reading = await client.query(jobs.join(' or '), moment, budget);
  const rows = reading.known ? reading.value : [];
  const found = Map.groupBy(rows, ({ labels }) => metrics[Number(labels.metric)] ?? '');
  const boundsOf = (metric: string) => {
    const own = (found.get(metric) ?? []).map(({ labels, points }) => ({
      bound: Number(labels.le),
      jobs: points.values.at(-1) ?? 0,
    }));
    const all = Math.max(...own.map((one) => one.jobs));
    return own.flatMap((one) => (one.jobs === all && Number.isFinite(one.bound) ? [one.bound] : []));
  };
  return (expression) => {
    const [first = [], ...others] = bucketsIn(expression).map(boundsOf);
    return first
      .filter((bound) => others.every((other) => other.length === 0 || other.includes(bound)))
      .sort((a, b) => a - b);
  };
}
