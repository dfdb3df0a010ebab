import type { Budget } from '../budget.ts';
import type { Window } from '../model.ts';
import type { PrometheusClient } from './client.ts';

/** Metrics of most targets; without these, the first one present of those that conventions count. */
const USUAL = ['up', 'target_info'];
const OTHERS = [
  'traces_service_graph_request_total',
  'traces_spanmetrics_calls_total',
  'traces_span_metrics_calls_total',
  'istio_requests_total',
  'http_requests_total',
  'kube_pod_info',
];

/**
 * The part of a window that has samples. An alert may come minutes after the newest of them, and Prometheus repeats a
 * last sample for five minutes, but not a rate: taken literally, some services would seem to have stopped before
 * others.
 */
export async function sampledPart(
  client: PrometheusClient,
  window: Window,
  names: ReadonlySet<string>,
  budget: Budget,
): Promise<Window> {
  const usual = USUAL.filter((name) => names.has(name));
  const asked = usual.length > 0 ? usual : OTHERS.filter((name) => names.has(name)).slice(0, 1);
  if (asked.length === 0) return window;
  const expression = asked.map((name) => `max(max_over_time(timestamp(${name})[20m:30s]))`).join(' or ');
  const answer = await client.query(expression, window.to - 1, budget);
  const newest = answer.known ? answer.value[0]?.points.values[0] : undefined;
  if (newest === undefined) return window;
  return { from: window.from, to: Math.max(window.from + 1, Math.min(window.to, newest * 1000 + 1)) };
}
