import type { Measure, ServiceKind, Signal } from '../model.ts';

/** Which of a result's labels name a service. */
export interface ServiceLabels {
  /** The first non-empty one names the service. */
  labels: readonly string[];
  /** The same for its namespace. */
  namespace: readonly string[];
  kind: ServiceKind;
  /** Its address, which names it if its other labels only give its kind, such as `job="postgres-exporter"`. */
  address?: readonly string[];
}

/** A signal available on a server, with the query that returns it for all services at once. */
export interface SignalQuery extends Omit<Signal, 'id' | 'bad' | 'metricType'> {
  bad?: Signal['bad'];
  metricType?: Signal['metricType'];
  /** The metrics it reads, if several have the same meaning. */
  names?: readonly string[];
  /** PromQL; `rate` is a window over which a counter has several samples, such as `2m`. */
  query: (rate: string) => string;
  /** The same for what has these labels alone, if it was narrowed to some services: for people. */
  queryOf?: (rate: string, labels: Readonly<Record<string, string>>) => string;
  place: ServiceLabels;
  /** Its upper limit, with the same labels. */
  limit?: (rate: string) => string;
  /** The service that empties it, if it measures a queue and that is known. */
  consumer?: string;
  /** Labels of the two ends, if it measures edges. */
  edge?: {
    caller: readonly string[];
    callee: readonly string[];
    side: 'caller' | 'callee';
    /** Labels that say what kind of thing is called. */
    kind?: readonly string[];
  };
}

/** Labels that Prometheus, its operator and OpenTelemetry use for the name of the scraped service. */
export const SERVICE_LABELS = [
  'service_name',
  'app_kubernetes_io_name',
  'app',
  'application',
  'service',
  'job',
] as const;
export const NAMESPACE_LABELS = [
  'namespace',
  'kubernetes_namespace',
  'k8s_namespace_name',
  'service_namespace',
] as const;

/** A scraped service that reports about itself. */
export const SCRAPED: ServiceLabels = {
  labels: SERVICE_LABELS,
  namespace: NAMESPACE_LABELS,
  kind: 'service',
};

/** A product of another kind; one job often scrapes several. */
export function scraped(kind: ServiceKind): ServiceLabels {
  return { ...SCRAPED, kind, address: ['server', 'instance'] };
}

/** The labels by which results are told apart. */
export function labelsOf(place: ServiceLabels): string[] {
  return [...new Set([...place.labels, ...place.namespace, ...(place.address ?? [])])];
}

/** `by (…)` with the labels of a place and of an edge's ends. */
export function grouping(place: ServiceLabels, ...more: readonly string[]): string {
  return `by (${[...new Set([...labelsOf(place), ...more])].join(', ')})`;
}

/** Labels that distinguish a service's instances. */
export const INSTANCE_LABELS = [
  'pod',
  'instance',
  'k8s_pod_name',
  'service_instance_id',
  'exported_instance',
] as const;

/** Which instance a series is about; a collector's own `instance` is that of the collector. */
export function instanceIn(labels: Readonly<Record<string, string>>): string | null {
  const named = ['pod', 'k8s_pod_name', 'service_instance_id', 'exported_instance', 'instance'];
  return named.flatMap((label) => labels[label] || [])[0] ?? null;
}

type Matchers = string | readonly string[];

/** Requests, errors and latency, as far as the server has them. */
export interface Red {
  place: ServiceLabels;
  /** Prefix for the signals' labels: `database`. */
  what?: string;
  /** The first that the server has; by default the count of the duration. */
  counter?: readonly string[];
  /** Matchers for all requests: `reporter="destination"`. */
  matchers?: string;
  /** Matchers for failed ones, or several that exclude each other; they may depend on the duration that was found. */
  failed?: Matchers | ((duration: string) => Matchers);
  /** Labels that say why they failed. */
  reasons?: readonly string[];
  /** A separate counter of failed ones. */
  failedCounter?: string;
  /** Histograms or summaries, without `_bucket`, `_sum` or `_count`: the first that the server has. */
  duration?: readonly string[];
  /** The unit of the latency if the name does not contain it; it may depend on the duration that was found. */
  latencyUnit?: string | ((duration: string) => string);
  only?: Measure;
  edge?: SignalQuery['edge'];
}

/** PromQL by the window over which counters have several samples. */
type Query = (rate: string) => string;

/** The rates of several counters, of which each service has one. */
export function rates(counters: readonly string[], rate: string): string {
  return counters.map((counter) => `rate(${counter}[${rate}])`).join(' or ');
}

/** @param what begins the label: `outgoing ` */
export function throughput(query: Query, what = '') {
  const label = `${what}throughput`;
  return { label, measure: 'requests', unit: '{request}/s', bad: 'low', query } as const;
}

/** Without failures they have no series: that is a ratio of 0 as long as there are requests. */
export function errorRate(failed: Query, all: Query, what = '') {
  const query: Query = (rate) => `(${failed(rate)} or 0 * ${all(rate)}) / (${all(rate)} > 0)`;
  return { label: `${what}error rate`, measure: 'errors', unit: '1', query } as const;
}

export function p95(by: string, buckets: readonly string[]): Query {
  const withLe = by.replace(/\)$/u, ', le)');
  return (rate) => `histogram_quantile(0.95, sum ${withLe} (${rates(buckets, rate)}))`;
}

export function mean(by: string, sums: readonly string[], counts: readonly string[]): Query {
  return (rate) => `sum ${by} (${rates(sums, rate)}) / (sum ${by} (${rates(counts, rate)}) > 0)`;
}

export function requestsErrorsLatency(names: ReadonlySet<string>, red: Red): SignalQuery[] {
  const { place, matchers = '', edge, only } = red;
  const what = red.what === undefined ? '' : `${red.what} `;
  const by = grouping(place, ...(edge ? [...edge.caller, ...edge.callee, ...(edge.kind ?? [])] : []));
  const shared = { place, ...(edge && { edge }) };
  const duration =
    red.duration?.find((base) => names.has(`${base}_bucket`) || names.has(`${base}_count`)) ??
    (red.duration?.length === 1 ? red.duration[0] : undefined);
  const counter = (red.counter ?? (duration === undefined ? [] : [`${duration}_count`])).find((name) =>
    names.has(name),
  );
  const offers: SignalQuery[] = [];
  if (counter !== undefined) {
    const all: Query = (rate) => `sum ${by} (${rates([selector(counter, matchers)], rate)})`;
    offers.push({ ...shared, name: counter, ...throughput(all, what) });
    const failed = typeof red.failed === 'function' ? red.failed(duration ?? '') : red.failed;
    const failing = failuresOf(names, { ...red, failed }, counter, matchers);
    if (failing.length > 0) {
      const failures: Query = (rate) => `sum ${by} (${rates(failing, rate)})`;
      offers.push({ ...shared, name: counter, ...errorRate(failures, all, what) });
      const why = by.replace(/\)$/u, `, ${red.reasons?.join(', ')})`);
      if (red.reasons)
        offers.push({
          ...shared,
          name: counter,
          label: `failed ${what}calls`,
          measure: 'reasons',
          unit: '{request}/s',
          query: (rate) => `sum ${why} (${rates(failing, rate)})`,
        });
    }
  }
  const latency = duration === undefined ? null : latencyOf(names, duration, matchers, by);
  if (latency !== null)
    offers.push({
      ...shared,
      ...latency,
      unit:
        latency.unit ||
        (typeof red.latencyUnit === 'function' ? red.latencyUnit(duration ?? '') : (red.latencyUnit ?? '')),
      label: `${what}${latency.quantile === 'mean' ? 'mean' : 'p95'} latency`,
      measure: 'latency',
    });
  return offers.filter(({ measure }) => only === undefined || measure === only);
}

function failuresOf(
  names: ReadonlySet<string>,
  { failed, failedCounter }: { failed?: Matchers | undefined; failedCounter?: string },
  counter: string,
  matchers: string,
): string[] {
  if (failedCounter !== undefined) return names.has(failedCounter) ? [selector(failedCounter, matchers)] : [];
  return failed === undefined ? [] : [failed].flat().map((one) => selector(counter, matchers, one));
}

function latencyOf(
  names: ReadonlySet<string>,
  base: string,
  matchers: string,
  by: string,
): Pick<SignalQuery, 'name' | 'unit' | 'quantile' | 'query'> | null {
  const unit = unitOf(base);
  const metric = (suffix: string) => selector(`${base}${suffix}`, matchers);
  if (names.has(`${base}_bucket`))
    return { name: `${base}_bucket`, unit, quantile: 0.95, query: p95(by, [metric('_bucket')]) };
  if (names.has(`${base}_sum`) && names.has(`${base}_count`))
    return {
      name: `${base}_sum`,
      unit,
      quantile: 'mean',
      query: mean(by, [metric('_sum')], [metric('_count')]),
    };
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

/** The unit in a name, in Prometheus' base units and OpenTelemetry's; empty if there is none. */
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

/**
 * One signal from one query. In PromQL, `$by` stands for the labels of the place, `$rate` for the window of a counter,
 * and `$events` for one in which no single event goes unseen between two samples.
 */
export interface Single extends Omit<SignalQuery, 'name' | 'query' | 'limit'> {
  metric: string;
  promql: string;
  /** What else the server must have. */
  needs?: readonly string[];
  /** Its upper limit, if the server has that metric. */
  limit?: { metric: string; promql: string };
}

/** Seconds between two samples of a series. */
const BETWEEN_SAMPLES = 60;

export function single(names: ReadonlySet<string>, row: Single): SignalQuery[] {
  const { metric, promql, limit, needs = [], ...rest } = row;
  if (![metric, ...needs].every((name) => names.has(name))) return [];
  const by = grouping(row.place);
  const filled = (template: string) => (rate: string) =>
    template
      .replaceAll('$by', by)
      .replaceAll('$rate', rate)
      .replaceAll('$events', `${Number.parseInt(rate, 10) + BETWEEN_SAMPLES}s`);
  const capped = limit !== undefined && names.has(limit.metric) ? { limit: filled(limit.promql) } : {};
  return [{ ...rest, name: metric, query: filled(promql), ...capped }];
}

/** The newest sample of a slowly changing metric, up to a quarter of an hour old: alerts may come minutes late. */
export function lately(metric: string): string {
  return `last_over_time(${metric}[15m])`;
}

/** Labels of Kubernetes' own metrics: the pod's controller, by its name in the pods' names. */
export const WORKLOAD: ServiceLabels = { labels: ['workload'], namespace: ['namespace'], kind: 'service' };

/** Adds the label `workload`: a pod's name without the suffix of its Deployment, StatefulSet or DaemonSet. */
export function withWorkload(expression: string): string {
  return `label_replace(${expression}, "workload", "$1", "pod", "(.+?)(?:${POD_SUFFIX})?")`;
}

/**
 * The labels of the objects reported by kube-state-metrics. If its scrape job does not honor them, they are called
 * `exported_…`, and `namespace` and `pod` are those of kube-state-metrics itself.
 */
export function reported(expression: string): string {
  return ['namespace', 'pod', 'container'].reduce(
    (inner, label) => `label_replace(${inner}, "${label}", "$1", "exported_${label}", "(.+)")`,
    expression,
  );
}

/** The suffix of a Deployment's, a DaemonSet's or a StatefulSet's pods. */
export const POD_SUFFIX = '-[0-9a-f]{6,10}-[0-9a-z]{5}|-[0-9a-z]{5}|-[0-9]+';

/** A text that a regular expression matches as it is. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}
