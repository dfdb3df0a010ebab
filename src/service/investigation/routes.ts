import { median } from '../../lib/statistics.ts';
import { oneLine } from '../../lib/text.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Series } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { Anomaly } from './anomalies.ts';

/** Labels that name the part of a service that a request asks for; the first that a series has counts. */
export const ROUTE_LABELS = [
  'http_route',
  'route',
  'uri',
  'path',
  'handler',
  'url_path',
  'operation',
  'rpc_method',
  'grpc_method',
  // Of the Prometheus Operator it is the port that is scraped.
  'endpoint',
] as const;
/** How it is asked for; alone, it tells less. */
const METHOD_LABELS = ['http_request_method', 'method', 'verb'] as const;

/** The labels that may name what a request asks for, and how. */
export const ROUTE_AND_METHOD = [...ROUTE_LABELS, ...METHOD_LABELS] as const;

/** `POST /orders`, to show as code, whose end is not in it; empty if no label says. */
export function routeOf(labels: Series['labels']): string {
  const named = (of: readonly string[]) => of.flatMap((label) => labels[label] || [])[0] ?? [];
  return oneLine([named(METHOD_LABELS), named(ROUTE_LABELS)].flat().join(' ')).replaceAll('`', "'");
}

/** The route of a service on which its problem shows, while its others are as ever. */
export interface FailingRoute {
  route: string;
  series: Series;
  /** The level before the onset, and since. */
  before: number;
  now: number;
  /** How many other routes the service has. */
  others: number;
}

const STEP = 60_000;
const BEFORE = 30 * STEP;
/** A route is named if it moved this many times as far as the next one. */
const STANDS_OUT = 3;
const LONGEST = 80;

/** Reads a degraded measure of a service by route; `null` where no label tells routes apart, or several are as bad. */
export async function failingRoute(
  { series: { signal, service, edge }, onset }: Anomaly,
  source: TelemetrySource,
  { trigger, budget }: { trigger: number; budget: Budget },
): Promise<FailingRoute | null> {
  if (edge !== null || (signal.measure !== 'errors' && signal.measure !== 'latency')) return null;
  const query = {
    signals: [signal.id],
    services: [service],
    stepMs: STEP,
    by: ROUTE_AND_METHOD,
  };
  const reading = await source.series(query, { from: onset - BEFORE, to: trigger + 1 }, budget);
  if (!reading.known) return null;
  const routes = reading.value
    .flatMap((one) => {
      const route = routeOf(one.labels);
      const { times, values } = one.points;
      const then = [...values].filter((_, i) => (times[i] ?? 0) < onset);
      const since = [...values].filter((_, i) => (times[i] ?? 0) > onset);
      if (route === '' || route.length > LONGEST || since.length === 0) return [];
      // A route without failures may have no series before the first one.
      const before = then.length === 0 ? 0 : median(then);
      return [{ route, series: one, before, now: median(since) }];
    })
    .sort((a, b) => b.now - b.before - (a.now - a.before));
  const [worst, second] = routes;
  if (worst === undefined || second === undefined) return null;
  const isAlone = worst.now - worst.before > STANDS_OUT * Math.max(0, second.now - second.before);
  return isAlone && worst.now > worst.before ? { ...worst, others: routes.length - 1 } : null;
}
