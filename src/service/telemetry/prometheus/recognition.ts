import type { Budget } from '../budget.ts';
import { known, type Reading, type Signal, unknown, type Window } from '../model.ts';
import { LISTING, type PrometheusClient, type Sampled } from './client.ts';
import { CONVENTIONS, signalQueriesOf } from './conventions.ts';
import { copiesFor, copiesIn, copiesQuery, matchersOf, separating } from './copies.ts';
import { regrouped, rewritten } from './expression.ts';
import { FOREIGN, outcomesQuery, possibleWork, workQueries } from './hand-named.ts';
import { type OwnNames, ownNames } from './own-names.ts';
import { type OwnSignal, ownSignalQueries } from './own-signals.ts';
import {
  grouping,
  lately,
  mean,
  NAMESPACE_LABELS,
  SCRAPED,
  SERVICE_LABELS,
  type SignalQuery,
  unitOf,
} from './promql.ts';
import { TARGETS, type Target, targetsIn } from './targets.ts';

type Labels = Readonly<Record<string, string>>;

/** A signal that a server has, and how it is read. */
export type OfferedSignal = SignalQuery & { signal: Signal };

/** What a server has, and which queries failed. */
export interface Recognition {
  /** The part of the requested window that has samples. */
  sampled: Window;
  conventions: string[];
  names: ReadonlySet<string>;
  labels: ReadonlySet<string>;
  /** Sends every expression as it is written for this server. */
  client: Pick<PrometheusClient, 'query' | 'queryRange'>;
  /** An expression as it is written for this server, for people. */
  write: (expression: string) => string;
  /** An expression of somebody else's, for the copy of the system that is meant. */
  scoped: (expression: string) => string;
  /** The copies of the system that the alert may be about; empty if there is only one. */
  copies: readonly Labels[];
  offers: readonly OfferedSignal[];
  targets: readonly Target[];
  /** The window of `rate`: several samples of a counter. */
  rate: string;
  scrapeSeconds: number | null;
  caveats: readonly string[];
}

/** Seconds in which the samples of a target are counted: the shorter knows short histories, the longer rare scrapes. */
const COUNTED_OVER = [30, 120, 600];
/** Fewer samples say little of what lies between them; in a short time least of all. */
const fewestIn = (seconds: number) => (seconds < 60 ? 5 : 3);

/**
 * The number of samples of a typical target in such a time, even if the newest is some minutes old; a second less, as with
 * a sample at each end there would be one too many.
 */
const SCRAPES = COUNTED_OVER.map((seconds) => {
  const counts = ['up', 'target_info'].map(
    (metric) => `max_over_time(count_over_time(${metric}[${seconds - 1}s])[20m:1m])`,
  );
  return `label_replace(quantile(0.5, ${counts.join(' or ')}), "over", "${seconds}", "", "")`;
}).join(' or ');

/** Seconds between two samples; `null` if there are too few to tell. */
function scrapeSecondsIn(counted: Reading<Sampled[]>): number | null {
  if (!counted.known) return null;
  const intervals = counted.value.flatMap(({ labels, points }) => {
    const samples = points.values[0] ?? 0;
    const over = Number(labels.over);
    return samples < fewestIn(over) ? [] : [Math.round(over / samples)];
  });
  return intervals.length === 0 ? null : Math.max(1, Math.min(...intervals));
}

/** Finds out what a server has: what it calls things, how often they are sampled, and which of its systems is meant. */
export async function recognise(
  client: PrometheusClient,
  window: Window,
  { alert, budget, signals = [] }: { alert: Labels; budget: Budget; signals?: readonly OwnSignal[] },
): Promise<Reading<Recognition>> {
  const all = await client.metricNames(window, budget);
  if (!all.known) return all;
  if (all.value.length === 0) return nothingIn(client, window, all.caveats);
  const { names, labels, rewriting } = await ownNames(client, all.value, window, budget);
  const copies = await copiesOf(client, { names, labels, rewriting }, window, budget);
  const chosen = copiesFor(alert, copies);
  if ('missing' in chosen) return unknown(chosen.missing);
  const [scope = null, ...others] = chosen.possible;
  const matchers = scope === null || others.length > 0 ? [] : matchersOf(scope);
  const write = (expression: string) => rewritten(expression, { ...rewriting, matchers });
  const [found, interval, sampled] = await Promise.all([
    client.query(write(TARGETS), window.to - 1, budget, LISTING),
    client.query(write(SCRAPES), window.to - 1, budget),
    sampledPart(client, window, { names, write }, budget),
  ]);
  const own = new Set([...labels, ...rewriting.labels.keys()]);
  const conventions = CONVENTIONS.map((one) => ({
    name: one.name,
    offers: signalQueriesOf(one, names, own),
  })).filter(({ offers }) => offers.length > 0);
  const caveats = [...all.caveats, ...(found.known ? [] : [found.reason])];
  const scrapeSeconds = scrapeSecondsIn(interval);
  const rows = found.known ? found.value.map(({ labels: own }) => own) : [];
  const federation = federationIn(rows, labels);
  const { all: targets, prepare } = targetsIn(federation === null ? rows : rows.map(federation.own));
  const prepared = (expression: string) => {
    const own =
      federation === null
        ? expression
        : regrouped(expression, SCRAPED.labels, { more: [], prepare: federation.prepare });
    return prepare === null ? own : regrouped(own, SCRAPED.labels, { more: ['workload'], prepare });
  };
  const stated = ownSignalQueries(signals, names, own).map((offer) => withSignal('SIGNALS', offer));
  const statedNames = new Set(signals.map(({ metric }) => metric));
  const common = conventions.flatMap(({ name, offers: some }) =>
    some
      .filter((offer) => ![offer.name, ...(offer.names ?? [])].some((one) => statedNames.has(one)))
      .map((offer) => withSignal(name, offer)),
  );
  const conventional = new Set([
    ...statedNames,
    ...common.flatMap(({ name, names: some = [] }) => [name, ...some].map(stemOf)),
  ]);
  const spoken = spokenBy(client, write);
  const work = await workIn(spoken, window, { names, labels, rewriting }, conventional, budget);
  const used = new Set([...conventional, ...work.flatMap(({ names: some = [] }) => some.map(stemOf))]);
  const services = new Set(targets.map(({ service }) => service.name)).size;
  const offered = [
    ...stated,
    ...common.filter((offer) => namesAnything(offer, own)),
    ...work.map((offer) => withSignal('own counters', offer)),
    ...uncommonQueries(names, used, services).map((offer) => withSignal('other', offer)),
  ];
  const rate = `${Math.max(60, 4 * (scrapeSeconds ?? 30))}s`;
  const boundsOf = await bucketBounds(
    spoken,
    targets.length > FEW_TARGETS ? [] : offered.map((offer) => offer.query(rate)),
    sampled.to - 1,
    budget,
  );
  const offers = offered.map((offer) => ({
    ...offer,
    signal: withBounds(offer.signal, boundsOf(offer.query(rate))),
    query: (rate: string) => prepared(offer.query(rate)),
    ...(offer.limit && { limit: (rate: string) => prepared(offer.limit?.(rate) ?? '') }),
  }));
  return known(
    {
      sampled,
      conventions: conventions.map(({ name }) => name),
      names,
      labels,
      client: spoken,
      write,
      scoped: (expression) => rewritten(expression, { metrics: NO_NAMES, labels: NO_NAMES, matchers }),
      copies: chosen.possible,
      offers,
      targets,
      rate,
      scrapeSeconds,
      caveats,
    },
    caveats,
  );
}

/** With more targets, one look at all buckets is an expensive query. */
const FEW_TARGETS = 200;

function withBounds(signal: Signal, bounds: readonly number[]): Signal {
  return bounds.length === 0 ? signal : { ...signal, bounds };
}

/** A window without samples: the past of a young system. */
function nothingIn(
  client: PrometheusClient,
  sampled: Window,
  caveats: readonly string[],
): Reading<Recognition> {
  const none: ReadonlySet<string> = new Set();
  const asItIs = (expression: string) => expression;
  return known(
    {
      ...{ sampled, conventions: [], names: none, labels: none, client, write: asItIs, scoped: asItIs },
      ...{ copies: [], offers: [], targets: [], rate: '60s', scrapeSeconds: null, caveats },
    },
    caveats,
  );
}

function spokenBy(client: PrometheusClient, write: (expression: string) => string): Recognition['client'] {
  return {
    query: (expression, ...more) => client.query(write(expression), ...more),
    queryRange: (expression, ...more) => client.queryRange(write(expression), ...more),
  };
}

/** The copies of the system that the server has, if labels may separate some. */
async function copiesOf(
  client: PrometheusClient,
  { names, labels, rewriting }: OwnNames,
  window: Window,
  budget: Budget,
): Promise<Labels[]> {
  const hinted = separating(labels);
  if (hinted.length === 0) return [];
  const metrics = [...USUAL, ...OTHERS.filter((name) => names.has(name)).slice(0, 1)].filter((name) =>
    names.has(name),
  );
  const queries = metrics.map((metric) => copiesQuery(lately(metric), hinted));
  const expression = rewritten(queries.join(' or '), { ...rewriting, matchers: [] });
  const reading = metrics.length === 0 ? known([]) : await client.query(expression, window.to - 1, budget);
  return reading.known ? copiesIn(reading.value, hinted) : [];
}

function stemOf(metric: string): string {
  return metric.replace(/_(?:bucket|sum|count)$/u, '');
}

/** What services do for others by counters under names of their own, told by their labels. */
async function workIn(
  client: Recognition['client'],
  window: Window,
  { names, labels: listed, rewriting: { metrics, labels: dotted } }: OwnNames,
  known: ReadonlySet<string>,
  budget: Budget,
): Promise<SignalQuery[]> {
  const possible = possibleWork(names, known);
  if (possible.length === 0) return [];
  const ownName = (name: string) => metrics.get(name) ?? name;
  const reading = await client.query(outcomesQuery(possible.map(ownName)), window.to - 1, budget);
  if (!reading.known) return [];
  const found = new Set(reading.value.flatMap(({ labels }) => labels.metric ?? []));
  return workQueries(
    possible.filter((name) => found.has(ownName(name))),
    names,
    new Set([...listed, ...dotted.keys()]),
  );
}

/** Whether any of the labels that would name its services is there, or made; a server may not list its labels. */
function namesAnything({ place, query }: SignalQuery, labels: ReadonlySet<string>): boolean {
  return (
    !labels.has('__name__') ||
    place.labels.some((label) => labels.has(label) || query('1m').includes(`"${label}", "$1"`))
  );
}

function withSignal(convention: string, offer: SignalQuery): OfferedSignal {
  const { name, label, measure, unit, bad = 'high', metricType = 'gauge', quantile, shared } = offer;
  const id = `${convention}: ${label} (${name}${offer.edge ? `, ${offer.edge.side}` : ''})`;
  return {
    ...offer,
    signal: {
      id,
      name,
      label,
      measure,
      unit,
      bad,
      metricType,
      ...(quantile !== undefined && { quantile }),
      ...(shared && { shared }),
    },
  };
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

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
async function sampledPart(
  client: PrometheusClient,
  window: Window,
  { names, write }: { names: ReadonlySet<string>; write: (expression: string) => string },
  budget: Budget,
): Promise<Window> {
  const usual = USUAL.filter((name) => names.has(name));
  const asked = usual.length > 0 ? usual : OTHERS.filter((name) => names.has(name)).slice(0, 1);
  if (asked.length === 0) return window;
  const newestOf = (times: (metric: string) => string) =>
    client.query(write(asked.map((name) => `max(${times(name)})`).join(' or ')), window.to - 1, budget);
  const lately = await newestOf((name) => `timestamp(${name})`);
  const reading =
    lately.known && lately.value.length > 0
      ? lately
      : await newestOf((name) => `max_over_time(timestamp(${name})[20m:30s])`);
  const newest = reading.known ? reading.value[0]?.points.values[0] : undefined;
  if (newest === undefined) return window;
  return { from: window.from, to: Math.max(window.from + 1, Math.min(window.to, newest * 1000 + 1)) };
}

/** The maximum of metrics outside all conventions to look at. */
const MOST = 60;

/** Of the server, of the alerts, and of the scrape itself. */
const OF_SCRAPE = /^(?:up|target_info|ALERTS.*|scrape_.*)$/u;
/** Words indicating that more is worse. */
const PROBLEM =
  /(?:^|_)(?:fail(?:ed|ures?)?|errors?|wait(?:ing)?|pending|backlog|lag|retr(?:y|ies)|dropped|rejected|timeouts?|latency|delay(?:ed)?|queued?|stuck|exceptions?|panics?)(?:_|$)/u;
const PARTS = /_(?:bucket|sum|created|info)$/u;

/** Above this many series of services, fewer metrics are read, so as not to spend the budget of the conventions. */
const MOST_SERIES = 1_500;

/**
 * Metrics outside all conventions, each judged on its own: the rate of a counter, the mean of a gauge or of a
 * histogram. Names that suggest problems go first.
 *
 * @param known names used by conventions
 * @param services how many services there are
 */
export function uncommonQueries(
  names: ReadonlySet<string>,
  known: ReadonlySet<string>,
  services: number,
): SignalQuery[] {
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/u, ''));
  const unclaimed = [...names].filter(
    (name) => !PARTS.test(name) && !isKnown(name) && !OF_SCRAPE.test(name) && !FOREIGN.test(name),
  );
  const most = Math.min(MOST, Math.max(5, Math.floor(MOST_SERIES / Math.max(1, services))));
  return unclaimed
    .sort((a, b) => Number(PROBLEM.test(b)) - Number(PROBLEM.test(a)) || (a < b ? -1 : 1))
    .slice(0, most)
    .map((name) => meanOf(name, names) ?? offerOf(name));
}

/** The mean of a histogram or a summary; `null` if it is neither. */
function meanOf(name: string, names: ReadonlySet<string>): SignalQuery | null {
  const base = name.replace(/_count$/u, '');
  if (base === name || !names.has(`${base}_sum`)) return null;
  const unit = unitOf(base);
  return {
    name: base,
    label: `mean ${base}`,
    measure: 'other',
    unit,
    bad: ['s', 'ms', 'us'].includes(unit) || PROBLEM.test(base) ? 'high' : 'either',
    place: SCRAPED,
    query: mean(grouping(SCRAPED), [`${base}_sum`], [`${base}_count`]),
  };
}

function offerOf(name: string): SignalQuery {
  const isCounter = /_(?:total|count)$/u.test(name);
  const by = grouping(SCRAPED);
  return {
    name,
    label: name,
    measure: 'other',
    unit: isCounter ? '/s' : unitOf(name),
    bad: PROBLEM.test(name) ? 'high' : 'either',
    metricType: isCounter ? 'sum' : 'gauge',
    place: SCRAPED,
    query: isCounter ? (rate) => `sum ${by} (rate(${name}[${rate}]))` : () => `avg ${by} (${name})`,
  };
}

/**
 * Where one Prometheus scrapes another, or a gateway, the labels of the scrape replace those of the series, which are
 * then called `exported_…`. These name the things.
 */
interface Federation {
  /** The labels with which the series were made. */
  own(labels: Labels): Labels;
  /** The same, in PromQL. */
  prepare(operand: string): string;
}

const REPLACED = [...SERVICE_LABELS, ...NAMESPACE_LABELS, 'instance'];

/** @returns `null` if no series was exported by another Prometheus */
function federationIn(targets: readonly Labels[], known: ReadonlySet<string>): Federation | null {
  if (!known.has('exported_job')) return null;
  const exported = targets.filter(({ exported_job: job = '' }) => job !== '');
  const jobs = new Set(exported.map(({ exported_job: job }) => job)).size;
  const isOfScrape = (label: string) =>
    jobs > 1 && new Set(exported.map((labels) => labels[label] ?? '')).size === 1;
  const replaced = REPLACED.filter((label) => known.has(`exported_${label}`)).map((label) => ({
    label,
  }));
  // Of a label that all of them have from the scrape, nothing is left.
  const dropped = SERVICE_LABELS.filter(
    (label) => !known.has(`exported_${label}`) && exported.some((one) => one[label]) && isOfScrape(label),
  );
  return {
    own: (labels) => {
      if (!labels.exported_job) return labels;
      const own = { ...labels };
      for (const { label } of replaced) {
        const value = labels[`exported_${label}`] ?? '';
        if (value !== '') own[label] = value;
      }
      for (const label of dropped) delete own[label];
      return own;
    },
    prepare: (operand) =>
      [
        ...replaced.map(({ label }) => [label, `.+;(.+)`] as const),
        ...dropped.map((label) => [label, `.+;()`] as const),
      ].reduce(
        (inner, [label, pattern]) =>
          `label_replace(label_join(${inner}, "job_and_own", ";", "exported_job", "exported_${label}"), "${label}", "$1", "job_and_own", "${pattern}")`,
        operand,
      ),
  };
}

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
