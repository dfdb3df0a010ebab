import type { Measure, ServiceKind, Signal } from '../../model.ts';

/** Where the labels of a result name a service. */
export interface Place {
  /** The first of them that is not empty names the service. */
  labels: readonly string[];
  /** The same for its namespace. */
  namespace: readonly string[];
  kind: ServiceKind;
  /** If it is: names it where its other labels only say what it is, such as `job="postgres-exporter"`. */
  address?: readonly string[];
}

/** A signal that a server has, with the query that returns it for all services at once. */
export interface Offer extends Omit<Signal, 'id' | 'bad' | 'metricType'> {
  bad?: Signal['bad'];
  metricType?: Signal['metricType'];
  /** PromQL; `rate` is a window over which a counter has several samples, such as `2m`. */
  query: (rate: string) => string;
  place: Place;
  /** What it cannot exceed, with the same labels. */
  limit?: (rate: string) => string;
  /** Labels of the two ends, where it measures edges. */
  edge?: { caller: readonly string[]; callee: readonly string[]; side: 'caller' | 'callee' };
}

/** One convention of naming metrics. One file each, and a line in `index.ts`. */
export interface Recogniser {
  /** For people: `Istio`. */
  name: string;
  /** What brings it, where it is missing: shown by `npm run doctor`. */
  hint: string;
  /** What it makes of the metrics that a server has; nothing if it does not know them. */
  offers(names: ReadonlySet<string>): Offer[];
  /** Names, or beginnings of names with a `*` at the end, that belong to it, whether it uses them or not. */
  claims: readonly string[];
}

/** Labels by which Prometheus, its operator and OpenTelemetry name the service that was scraped. */
const SERVICE_LABELS = [
  'service_name',
  'app_kubernetes_io_name',
  'app',
  'application',
  'service',
  'job',
] as const;
const NAMESPACE_LABELS = [
  'namespace',
  'kubernetes_namespace',
  'k8s_namespace_name',
  'service_namespace',
] as const;

/** What was scraped: a service that reports about itself. */
export const SCRAPED: Place = { labels: SERVICE_LABELS, namespace: NAMESPACE_LABELS, kind: 'service' };

/** A product of another kind, one job of which often scrapes several. */
export function scraped(kind: ServiceKind): Place {
  return { ...SCRAPED, kind, address: ['server', 'instance'] };
}

/** `by (…)` with the labels of a place and of the ends of an edge. */
export function grouping(place: Place, ...more: readonly string[]): string {
  return `by (${[...new Set([...place.labels, ...place.namespace, ...(place.address ?? []), ...more])].join(
    ', ',
  )})`;
}

/** Labels that tell the instances of a service apart. */
const INSTANCE_LABELS = ['pod', 'instance'] as const;

/** The same query with a series for each instance; an edge has none. */
export function byInstance(offer: Pick<Offer, 'query' | 'place'>, rate: string): string {
  const whole = grouping(offer.place).replace(/\)$/u, '');
  return offer.query(rate).replaceAll(whole, `${whole}, ${INSTANCE_LABELS.join(', ')}`);
}

interface Red {
  place: Place;
  /** Goes before the labels of the signals: `database`. */
  what?: string;
  counter?: string | undefined;
  /** Matchers of all requests: `reporter="destination"`. */
  matchers?: string;
  /** Matchers of those that failed. */
  failed?: string;
  /** A counter of its own for those that failed. */
  failedCounter?: string;
  /** Of a histogram or a summary, without `_bucket`, `_sum` or `_count`. */
  duration?: string | undefined;
  edge?: Offer['edge'];
}

/** Requests, errors and latency of a counter and a histogram, as far as the server has them. */
export function requestsErrorsLatency(names: ReadonlySet<string>, red: Red): Offer[] {
  const { place, matchers = '', edge } = red;
  const what = red.what === undefined ? '' : `${red.what} `;
  const ends = edge ? [...edge.caller, ...edge.callee] : [];
  const by = grouping(place, ...ends);
  const shared = { place, ...(edge && { edge }) };
  const counter = red.counter ?? (red.duration === undefined ? undefined : `${red.duration}_count`);
  const offers: Offer[] = [];
  if (counter !== undefined && names.has(counter)) {
    const all = (rate: string) => `sum ${by} (rate(${selector(counter, matchers)}[${rate}]))`;
    offers.push({
      ...shared,
      name: counter,
      label: `${what}throughput`,
      measure: 'requests',
      unit: '{request}/s',
      bad: 'low',
      query: all,
    });
    const failing = failuresOf(names, red, counter, matchers);
    if (failing !== null) {
      const failures = (rate: string) => `sum ${by} (rate(${failing}[${rate}]))`;
      offers.push({
        ...shared,
        name: counter,
        label: `${what}error rate`,
        measure: 'errors',
        unit: '1',
        // Without failures there is no series of them: that is a ratio of 0 as long as there are requests.
        query: (rate) => `(${failures(rate)} or 0 * ${all(rate)}) / (${all(rate)} > 0)`,
      });
    }
  }
  const latency = red.duration === undefined ? null : latencyOf(names, red.duration, matchers, by);
  if (latency !== null)
    offers.push({
      ...shared,
      ...latency,
      label: `${what}${latency.quantile === 'mean' ? 'mean' : 'p95'} latency`,
      measure: 'latency',
    });
  return offers;
}

function failuresOf(
  names: ReadonlySet<string>,
  { failed, failedCounter }: Red,
  counter: string,
  matchers: string,
): string | null {
  if (failedCounter !== undefined) return names.has(failedCounter) ? selector(failedCounter, matchers) : null;
  return failed === undefined ? null : selector(counter, matchers, failed);
}

function latencyOf(
  names: ReadonlySet<string>,
  base: string,
  matchers: string,
  by: string,
): Pick<Offer, 'name' | 'unit' | 'quantile' | 'query'> | null {
  const unit = unitOf(base);
  const metric = (suffix: string) => selector(`${base}${suffix}`, matchers);
  if (names.has(`${base}_bucket`)) {
    const withLe = by.replace(/\)$/u, ', le)');
    const query = (rate: string) =>
      `histogram_quantile(0.95, sum ${withLe} (rate(${metric('_bucket')}[${rate}])))`;
    return { name: `${base}_bucket`, unit, quantile: 0.95, query };
  }
  if (names.has(`${base}_sum`) && names.has(`${base}_count`)) {
    const query = (rate: string) =>
      `sum ${by} (rate(${metric('_sum')}[${rate}])) / (sum ${by} (rate(${metric('_count')}[${rate}])) > 0)`;
    return { name: `${base}_sum`, unit, quantile: 'mean', query };
  }
  if (names.has(base)) {
    const query = () => `max ${by} (${selector(base, matchers, 'quantile=~"0.9.*"')})`;
    return { name: base, unit, quantile: 0.95, query };
  }
  return null;
}

/** `metric{a="b",c="d"}`. */
export function selector(metric: string, ...matchers: readonly string[]): string {
  const all = matchers.filter((one) => one !== '').join(',');
  return all === '' ? metric : `${metric}{${all}}`;
}

/** The unit that a name says, in Prometheus' base units and OpenTelemetry's; empty if it says none. */
export function unitOf(name: string): string {
  const base = name.replace(/_(?:bucket|sum|count|total)$/u, '');
  const found = UNITS.find(([suffix]) => base.endsWith(suffix));
  return found?.[1] ?? '';
}

const UNITS: readonly (readonly [string, string])[] = [
  ['_milliseconds', 'ms'],
  ['_ms', 'ms'],
  ['_microseconds', 'us'],
  ['_seconds', 's'],
  ['_bytes', 'By'],
  ['_ratio', '1'],
];

/** One gauge, or one rate of a counter, summed for each service. */
export function single(
  names: ReadonlySet<string>,
  offer: Pick<Offer, 'label' | 'unit' | 'place'> & {
    metric: string;
    measure: Measure;
    bad?: Signal['bad'];
    /** Labels that are kept beside those of the place. */
    how: (metric: string, by: string, rate: string) => string;
    limit?: { metric: string; how: (metric: string, by: string, rate: string) => string };
  },
): Offer[] {
  const { metric, how, limit, place, ...rest } = offer;
  if (!names.has(metric)) return [];
  const by = grouping(place);
  const capped = limit !== undefined && names.has(limit.metric) ? limit : null;
  return [
    {
      ...rest,
      place,
      name: metric,
      query: (rate) => how(metric, by, rate),
      ...(capped && { limit: (rate) => capped.how(capped.metric, by, rate) }),
    },
  ];
}

/** The newest sample of what does not change much, though a quarter of an hour old: alerts may come minutes late. */
export function lately(metric: string): string {
  return `last_over_time(${metric}[15m])`;
}

/** The first of some names that the server has. */
export function firstOf(names: ReadonlySet<string>, candidates: readonly string[]): string | undefined {
  return candidates.find((name) => names.has(name));
}

/** Labels of Kubernetes' own metrics: the pod's controller, by the name that the controller gives its pods. */
export const WORKLOAD: Place = { labels: ['workload'], namespace: ['namespace'], kind: 'service' };

/** Adds the label `workload`: a pod's name without what its Deployment, StatefulSet or DaemonSet adds. */
export function withWorkload(expression: string): string {
  return `label_replace(${expression}, "workload", "$1", "pod", "(.+?)(?:${POD_SUFFIX})?")`;
}

/**
 * Labels of what kube-state-metrics tells about. Where its scrape job does not honour them, they are called `exported_…`, and
 * `namespace` and `pod` are those of kube-state-metrics itself.
 */
export function reported(expression: string): string {
  return ['namespace', 'pod', 'container'].reduce(
    (inner, label) => `label_replace(${inner}, "${label}", "$1", "exported_${label}", "(.+)")`,
    expression,
  );
}

/** What a Deployment, a DaemonSet or a StatefulSet adds to the names of its pods. */
export const POD_SUFFIX = '-[0-9a-f]{6,10}-[0-9a-z]{5}|-[0-9a-z]{5}|-[0-9]+';
