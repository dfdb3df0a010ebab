import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Budget } from '../budget.ts';
import {
  type Answer,
  type Edge,
  known,
  type Measure,
  type Series,
  type Service,
  type Signal,
  unknown,
  type Window,
} from '../model.ts';
import { type Explore, linkTo, type PrometheusClient, type Sampled } from './client.ts';
import { CONVENTIONS, offersOf, VOLUMES } from './conventions.ts';
import { copiesFor, copiesIn, copiesQuery, matchersOf, separating } from './copies.ts';
import { federationIn } from './federation.ts';
import { outcomesQuery, possibleWork, workOffers } from './hand-named.ts';
import { Naming } from './naming.ts';
import { type OwnNames, ownNames } from './own-names.ts';
import { grouping, lately, type Offer, reported, SCRAPED, unitOf } from './promql.ts';
import { rewritten } from './rewrite.ts';
import { CLAIMS, CLAIMS_QUERY, volumeEdges } from './rollouts.ts';
import { regrouped, TARGETS, type Target, targetsIn } from './targets.ts';

type Labels = Readonly<Record<string, string>>;

/** The prefix of volume signals. */
const VOLUME_SIGNALS = `${VOLUMES}: `;

/** What a server has, and which queries failed. */
export interface Recognition {
  /** The part of the requested window that has samples. */
  sampled: Window;
  /** Conventions that were recognized. */
  conventions: string[];
  names: ReadonlySet<string>;
  /** Sends every expression as it is written for this server. */
  client: Pick<PrometheusClient, 'query' | 'queryRange'>;
  /** An expression as it is written for this server, for people. */
  write: (expression: string) => string;
  /** An expression of somebody else's, for the copy of the system that is meant. */
  scoped: (expression: string) => string;
  /** The copies of the system that the alert may be about; empty if there is only one. */
  copies: readonly Labels[];
  offers: readonly (Offer & { signal: Signal })[];
  targets: readonly Target[];
  /** The window of `rate`: several samples of a counter. */
  rate: string;
  scrapeSeconds: number | null;
  caveats: readonly string[];
}

/** Everything read for a window. */
export interface Surveyed {
  recognition: Recognition;
  naming: Naming;
  series: readonly Series[];
  edges: readonly Edge[];
  services: readonly Service[];
  caveats: readonly string[];
}

export interface SurveyOptions {
  client: PrometheusClient;
  window: Window;
  stepMs: number;
  budget: Budget;
  explore: Explore | null;
}

/** Seconds in which the samples of a target are counted: the shorter knows short histories, the longer rare scrapes. */
const COUNTED_OVER = [120, 600];
/** Fewer samples say little of what lies between them. */
const FEWEST_COUNTED = 3;

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
function scrapeSecondsIn(counted: Answer<Sampled[]>): number | null {
  if (!counted.known) return null;
  const intervals = counted.value.flatMap(({ labels, points }) => {
    const samples = points.values[0] ?? 0;
    return samples < FEWEST_COUNTED ? [] : [Math.round(Number(labels.over) / samples)];
  });
  return intervals.length === 0 ? null : Math.max(1, Math.min(...intervals));
}

/** Finds out what a server has: what it calls things, how often they are sampled, and which of its systems is meant. */
export async function recognise(
  client: PrometheusClient,
  window: Window,
  { alert, budget }: { alert: Labels | null; budget: Budget },
): Promise<Answer<Recognition>> {
  const all = await client.metricNames(window, budget);
  if (!all.known) return all;
  const { names, labels, rewriting } = await ownNames(client, all.value, window, budget);
  const copies = await copiesOf(client, { names, labels, rewriting }, window, budget);
  const chosen = alert === null ? { possible: [] } : copiesFor(alert, copies);
  if ('missing' in chosen) return unknown(chosen.missing);
  const [scope = null, ...others] = chosen.possible;
  const matchers = scope === null || others.length > 0 ? [] : matchersOf(scope);
  const write = (expression: string) => rewritten(expression, { ...rewriting, matchers });
  const [found, interval, sampled] = await Promise.all([
    client.query(write(TARGETS), window.to - 1, budget),
    client.query(write(SCRAPES), window.to - 1, budget),
    sampledPart(client, window, { names, write }, budget),
  ]);
  const conventions = CONVENTIONS.map((one) => ({ name: one.name, offers: offersOf(one, names) })).filter(
    ({ offers }) => offers.length > 0,
  );
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
  const common = conventions.flatMap(({ name, offers: some }) =>
    some.map((offer) => withSignal(name, offer)),
  );
  const conventional = new Set(common.flatMap(({ name, names: some = [] }) => [name, ...some].map(stemOf)));
  const spoken = spokenBy(client, write);
  const work = await workIn(spoken, window, { names, labels, rewriting }, conventional, budget);
  const used = new Set([...conventional, ...work.flatMap(({ names: some = [] }) => some.map(stemOf))]);
  const services = new Set(targets.map(({ service }) => service.name)).size;
  const offers = [
    ...common,
    ...work.map((offer) => withSignal('own counters', offer)),
    ...uncommonOffers(names, used, services).map((offer) => withSignal('other', offer)),
  ].map((offer) => ({
    ...offer,
    query: (rate: string) => prepared(offer.query(rate)),
    ...(offer.limit && { limit: (rate: string) => prepared(offer.limit?.(rate) ?? '') }),
  }));
  return known(
    {
      sampled,
      conventions: conventions.map(({ name }) => name),
      names,
      client: spoken,
      write,
      scoped: (expression) => rewritten(expression, { metrics: NO_NAMES, labels: NO_NAMES, matchers }),
      copies: chosen.possible,
      offers,
      targets,
      rate: `${Math.max(60, 4 * (scrapeSeconds ?? 30))}s`,
      scrapeSeconds,
      caveats,
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
  const answer = metrics.length === 0 ? known([]) : await client.query(expression, window.to - 1, budget);
  return answer.known ? copiesIn(answer.value, hinted) : [];
}

function stemOf(metric: string): string {
  return metric.replace(/_(?:bucket|sum|count)$/u, '');
}

/** What services do for others by counters under names of their own, told by their labels. */
async function workIn(
  client: Recognition['client'],
  window: Window,
  { names, rewriting: { metrics } }: OwnNames,
  known: ReadonlySet<string>,
  budget: Budget,
): Promise<Offer[]> {
  const possible = possibleWork(names, known);
  if (possible.length === 0) return [];
  const ownName = (name: string) => metrics.get(name) ?? name;
  const answer = await client.query(outcomesQuery(possible.map(ownName)), window.to - 1, budget);
  if (!answer.known) return [];
  const found = new Set(answer.value.flatMap(({ labels }) => labels.__name__ ?? []));
  return workOffers(
    possible.filter((name) => found.has(ownName(name))),
    names,
  );
}

function withSignal(convention: string, offer: Offer): Offer & { signal: Signal } {
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

/** Reads every signal of every service over the window, and identifies services by the labels. */
export async function survey(recognition: Recognition, options: SurveyOptions): Promise<Surveyed> {
  const { window, stepMs, budget } = options;
  const { client } = recognition;
  const naming = new Naming();
  for (const { service, instance } of recognition.targets) naming.isAt(instance, service);
  const read = async (offer: Offer & { signal: Signal }) => {
    const [answer, limit] = await Promise.all([
      client.queryRange(offer.query(recognition.rate), window, stepMs, budget, offer.name),
      offer.limit ? client.queryRange(offer.limit(recognition.rate), window, stepMs, budget) : null,
    ]);
    return { offer, answer, limit };
  };
  const [workloads, claims, results] = await Promise.all([
    workloadsOf(recognition, options),
    recognition.names.has(CLAIMS) ? client.query(CLAIMS_QUERY, window.to - 1, budget) : known([]),
    Promise.all(recognition.offers.map(read)),
  ]);
  const series: Series[] = [];
  const caveats = new Set<string>();
  const unread = new Unread();
  // In order of trust: the first convention that names a service wins.
  for (const { offer, answer, limit } of results) {
    // There may be thousands of series: requests are handled meanwhile.
    await nextTurn();
    if (limit?.known === false) unread.note(limit.reason, `the limit of ${offer.signal.label}`);
    if (!answer.known) {
      unread.note(answer.reason, offer.signal.label);
      continue;
    }
    for (const caveat of answer.caveats) caveats.add(caveat);
    const limits = limit?.known ? limit.value : [];
    series.push(...seriesOf(offer, answer.value, limits, naming, recognition, options));
  }
  joinTargets(recognition, naming);
  naming.joinHosts();
  await nextTurn();
  for (const { identity, workload } of workloads) naming.runs(identity, workload);
  const volumes = series.filter(({ signal, edge }) => edge === null && signal.id.startsWith(VOLUME_SIGNALS));
  const using = volumeEdges(
    volumes.map(({ labels }) => labels),
    claims.known ? claims.value : [],
    new Set(naming.services().map(({ name }) => name)),
    naming,
  );
  const current = currentNames(naming);
  const renamed = series.map((one) => renamedSeries(one, current));
  return {
    recognition,
    naming,
    series: withInstances(renamed),
    edges: distinctEdges([...usedEdges(renamed), ...using]),
    services: naming.services(),
    caveats: [...caveats, ...unread.sentences()],
  };
}

/** What could not be read, by the reason. */
class Unread {
  readonly #labels = new Map<string, Set<string>>();

  note(reason: string, label: string): void {
    this.#labels.set(reason, (this.#labels.get(reason) ?? new Set()).add(label));
  }

  sentences(): string[] {
    return [...this.#labels].map(([reason, labels]) => {
      const named = [...labels].slice(0, MOST_NAMED).join(', ');
      const more = labels.size > MOST_NAMED ? ` and ${labels.size - MOST_NAMED} more signals` : '';
      return `${reason} Not read: ${named}${more}.`;
    });
  }
}

const MOST_NAMED = 5;

/** How far back things are read as finely as they are sampled. */
export const RECENT_MS = 15 * 60_000;
/** What is looked at that closely: what callers feel, what they do, and what runs out. */
const CLOSELY: ReadonlySet<Measure> = new Set<Measure>([
  'requests',
  'errors',
  'success',
  'latency',
  'queries',
  'connections',
  'waiting',
  'queue',
  'lag',
  'memory',
  'up',
  'oom-kills',
  'certificate',
]);
/** A rate needs this many samples; with fewer, one missed scrape hides a counter. */
const SAMPLES_OF_A_RATE = 4;

/** The signals that a survey found, over its last minutes, at the scrape's own resolution. */
export async function recentSeries(
  { recognition, naming, series }: Surveyed,
  { client, window, budget, explore }: Omit<SurveyOptions, 'stepMs'>,
): Promise<Answer<Series[]>> {
  const scrape = recognition.scrapeSeconds ?? 30;
  const rate = `${SAMPLES_OF_A_RATE * scrape}s`;
  const stepMs = scrape * 1000;
  const lately = { from: Math.max(window.from, window.to - RECENT_MS), to: window.to };
  const found = new Set(series.map(({ signal }) => signal.id));
  const offers = recognition.offers.filter(
    ({ signal }) => CLOSELY.has(signal.measure) && found.has(signal.id),
  );
  const unread = new Unread();
  const current = currentNames(naming);
  const read = await Promise.all(
    offers.map(async (offer) => {
      const [answer, limit] = await Promise.all([
        recognition.client.queryRange(offer.query(rate), lately, stepMs, budget, offer.name),
        offer.limit ? recognition.client.queryRange(offer.limit(rate), lately, stepMs, budget) : null,
      ]);
      if (!answer.known) {
        unread.note(answer.reason, offer.signal.label);
        return [];
      }
      const options = { client, window: lately, stepMs, budget, explore };
      return seriesOf(
        offer,
        answer.value,
        limit?.known ? limit.value : [],
        naming,
        { ...recognition, rate },
        options,
      );
    }),
  );
  return known(withInstances(read.flat().map((one) => renamedSeries(one, current))), unread.sentences());
}

/** Names that were found to be one service's. */
function currentNames(naming: Naming): (name: string) => string {
  const names = new Map(
    naming.services().flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name])),
  );
  return (name) => names.get(name) ?? name;
}

function renamedSeries(series: Series, current: (name: string) => string): Series {
  const { edge, service } = series;
  return {
    ...series,
    service: current(service),
    edge: edge && { ...edge, caller: current(edge.caller), callee: current(edge.callee) },
  };
}

function seriesOf(
  offer: Offer & { signal: Signal },
  results: readonly Sampled[],
  limits: readonly Sampled[],
  naming: Naming,
  { rate, write }: Recognition,
  { client, window, explore }: SurveyOptions,
): Series[] {
  const query = write(offer.query(rate));
  const providerUrl = linkTo(query, { base: client.base, explore, window });
  const limitOf = new Map(limits.map(({ labels, points }) => [keyOf(labels), points]));
  return results.flatMap(({ labels, points }): Series[] => {
    const caller = offer.edge ? naming.end(labels, offer.edge.caller) : null;
    const callee = offer.edge ? naming.end(labels, offer.edge.callee) : null;
    if (offer.edge && (caller === null || callee === null || caller === callee)) return [];
    const edge = offer.edge && caller && callee ? { caller, callee, side: offer.edge.side } : null;
    const service = edge
      ? edge.side === 'caller'
        ? edge.caller
        : edge.callee
      : naming.service(labels, offer.place);
    if (service === null) return [];
    return [
      {
        signal: offer.signal,
        service,
        instance: null,
        edge,
        labels,
        points,
        limit: limitOf.get(keyOf(labels)) ?? null,
        query,
        providerUrl,
        provider: 'prometheus',
      },
    ];
  });
}

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** If a signal has several series for a service, each is an instance, named by the labels that differ. */
function withInstances(series: readonly Series[]): Series[] {
  const groups = Map.groupBy(series, ({ signal, service, edge }) =>
    JSON.stringify([signal.id, service, edge]),
  );
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return group;
    const differing = [...new Set(group.flatMap(({ labels }) => Object.keys(labels)))].filter(
      (label) => new Set(group.map(({ labels }) => labels[label])).size > 1,
    );
    return group.map((one) => ({
      ...one,
      instance:
        differing
          .map((label) => one.labels[label] ?? '')
          .filter((value) => value !== '')
          .join(' ') || one.service,
    }));
  });
}

/** Edges used in the window. */
function usedEdges(series: readonly Series[]): Edge[] {
  return series.flatMap(({ edge, points }) =>
    edge !== null && points.values.some((value) => value > 0) ? [edge] : [],
  );
}

function distinctEdges(edges: readonly Edge[]): Edge[] {
  return [
    ...new Map(edges.map(({ caller, callee }) => [`${caller}\n${callee}`, { caller, callee }])).values(),
  ];
}

/** Merges targets scraped from a pod with the pod's workload. */
function joinTargets({ targets }: Recognition, naming: Naming): void {
  for (const { service, workload, pod, instance } of targets) {
    // An exporter is scraped from its own pod, but reports about others.
    if (workload !== '' && workload !== service.name)
      naming.join(service, { name: workload, namespace: service.namespace });
    naming.has(service, pod, instance);
  }
}

const CONTROLLERS = [
  ['Deployment', 'deployment', 'kube_deployment_spec_replicas'],
  ['StatefulSet', 'statefulset', 'kube_statefulset_replicas'],
  ['DaemonSet', 'daemonset', 'kube_daemonset_status_desired_number_scheduled'],
] as const;

async function workloadsOf({ names, client }: Recognition, { window, budget }: SurveyOptions) {
  const found = await Promise.all(
    CONTROLLERS.filter(([, , metric]) => names.has(metric)).map(async ([kind, label, metric]) => {
      const answer = await client.query(
        `count by (namespace, ${label}) (${reported(lately(metric))})`,
        window.to - 1,
        budget,
      );
      return answer.known
        ? answer.value.map(({ labels }) => ({
            kind,
            name: labels[label] ?? '',
            namespace: labels.namespace ?? '',
          }))
        : [];
    }),
  );
  return found
    .flat()
    .filter(({ name }) => name !== '')
    .map((workload) => ({ identity: { name: workload.name, namespace: workload.namespace }, workload }));
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
  const expression = asked.map((name) => `max(max_over_time(timestamp(${name})[20m:30s]))`).join(' or ');
  const answer = await client.query(write(expression), window.to - 1, budget);
  const newest = answer.known ? answer.value[0]?.points.values[0] : undefined;
  if (newest === undefined) return window;
  return { from: window.from, to: Math.max(window.from + 1, Math.min(window.to, newest * 1000 + 1)) };
}

/** The maximum of metrics outside all conventions to look at. */
const MOST = 60;

const CLAIMED = CONVENTIONS.flatMap(({ claims }) => claims);
const EXACT = new Set(CLAIMED.filter((claim) => !claim.endsWith('*')));
const PREFIXES = CLAIMED.filter((claim) => claim.endsWith('*')).map((claim) => claim.slice(0, -1));
/** Words indicating that more is worse. */
const TROUBLE =
  /(?:^|_)(?:fail(?:ed|ures?)?|errors?|wait(?:ing)?|pending|backlog|lag|retr(?:y|ies)|dropped|rejected|timeouts?|latency|delay(?:ed)?|queued?|stuck|exceptions?|panics?)(?:_|$)/u;
const PARTS = /_(?:bucket|sum|created|info)$/u;

/** Above this many series of services, fewer metrics are read, so as not to spend the budget of the conventions. */
const MOST_SERIES = 1_500;

/**
 * Metrics outside all conventions, each judged on its own: the rate of a counter, the mean of a gauge or of a
 * histogram. Names that suggest trouble go first.
 *
 * @param known names used by conventions
 * @param services how many services there are
 */
export function uncommonOffers(
  names: ReadonlySet<string>,
  known: ReadonlySet<string>,
  services: number,
): Offer[] {
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/u, ''));
  const unclaimed = [...names].filter(
    (name) =>
      !PARTS.test(name) &&
      !isKnown(name) &&
      !EXACT.has(name) &&
      !PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  const most = Math.min(MOST, Math.max(5, Math.floor(MOST_SERIES / Math.max(1, services))));
  return unclaimed
    .sort((a, b) => Number(TROUBLE.test(b)) - Number(TROUBLE.test(a)) || (a < b ? -1 : 1))
    .slice(0, most)
    .map((name) => meanOf(name, names) ?? offerOf(name));
}

/** The mean of a histogram or a summary; `null` if it is neither. */
function meanOf(name: string, names: ReadonlySet<string>): Offer | null {
  const base = name.replace(/_count$/u, '');
  if (base === name || !names.has(`${base}_sum`)) return null;
  const by = grouping(SCRAPED);
  const unit = unitOf(base);
  return {
    name: base,
    label: `mean ${base}`,
    measure: 'other',
    unit,
    bad: ['s', 'ms', 'us'].includes(unit) || TROUBLE.test(base) ? 'high' : 'either',
    place: SCRAPED,
    query: (rate) =>
      `sum ${by} (rate(${base}_sum[${rate}])) / (sum ${by} (rate(${base}_count[${rate}])) > 0)`,
  };
}

function offerOf(name: string): Offer {
  const isCounter = /_(?:total|count)$/u.test(name);
  const by = grouping(SCRAPED);
  return {
    name,
    label: name,
    measure: 'other',
    unit: isCounter ? '/s' : unitOf(name),
    bad: TROUBLE.test(name) ? 'high' : 'either',
    metricType: isCounter ? 'sum' : 'gauge',
    place: SCRAPED,
    query: isCounter ? (rate) => `sum ${by} (rate(${name}[${rate}]))` : () => `avg ${by} (${name})`,
  };
}
