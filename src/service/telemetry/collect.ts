import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Budget } from './budget.ts';
import { alertedIn } from './exported/alerted.ts';
import {
  type Edge,
  known,
  type LogLine,
  type Measure,
  mapped,
  type Reading,
  type Series,
  type Service,
  type Span,
  type StateFinding,
  unknown,
  type Window,
} from './model.ts';
import { comparableName } from './same-name.ts';
import { joined } from './samples.ts';
import type { AlertIdentity, TelemetrySource } from './source.ts';
import type { Gap, Looked, Snapshot } from './view.ts';

interface CollectOptions {
  window: Window;
  trigger: number;
  /** Milliseconds between samples in the window. */
  stepMs: number;
  /** How far back each series' past is read, at lower resolution; 0 for not at all. */
  pastMs: number;
  /** The services to read series for; `null` or undefined for all, or as many of a large system as are worth it. */
  services?: readonly string[] | null;
  /** Which services of a large system to read, by who calls whom, and by what departs the most; by default all. */
  near?: (system: Listed) => Looked;
  /** Whether to read what is wrong with the system's own state, as it is now. */
  state?: boolean;
  /** The alert whose rule to look up. */
  alert: AlertIdentity | null;
  /** The services to read logs and traces for, given the metrics; `null` for all. */
  interest: (metrics: Snapshot) => readonly string[] | null;
}

/** A system too large to be read whole. */
export interface Listed {
  services: readonly Service[];
  edges: readonly Edge[];
  /** The services that depart the most from their own past, the first departing most. */
  unusual: readonly string[];
  /** Whether all of it could be ranked. */
  isRanked: boolean;
}

/** Traces are read for at most this many services, at one request each. */
const MOST_TRACED = 5;
/** The newest lines of a service that are searched for what it complains of. */
const MOST_LINES = 300;
const MOST_CHARACTERS = 2000;
/** The maximum of samples per series in the past. */
const PAST_SAMPLES = 150;

/**
 * Reads the data for an investigation: first metrics and dependencies of all services at once, then logs and traces of
 * those that the metrics point to. Unreadable data becomes a gap.
 */
export async function collect(
  source: TelemetrySource,
  options: CollectOptions,
  budget: Budget,
): Promise<Snapshot> {
  const { window, trigger, alert } = options;
  const gaps: Gap[] = [];
  const take = <T>(what: string, reading: Reading<T>, otherwise: T): T => {
    if (!reading.known) {
      gaps.push({ source: source.name, what, reason: reading.reason });
      return otherwise;
    }
    for (const reason of reading.caveats) gaps.push({ source: source.name, what, reason });
    return reading.value;
  };
  if (alert !== null) source.focus?.(alert.labels, window, budget, alert.text);
  const beside = Promise.all([
    source.changes(window, budget).then((reading) => take('changes', reading, [])),
    alert === null ? null : readRule(source, alert, window, budget, take),
  ]);
  const looked = options.services ? null : await lookAt(source, options, budget, take);
  const among = options.services ?? looked?.services;
  const [services, edges, series, [changes, rule]] = await Promise.all([
    source.services(window, budget).then((reading) => take('services', reading, [])),
    source.edges(window, budget).then((reading) => take('dependencies', reading, [])),
    readSeries(source, { ...options, ...(among && { services: among }) }, budget, take),
    beside,
  ]);
  const recent = await readRecent(source, window, budget, take, among);
  const metrics = {
    window,
    trigger,
    pastMs: options.pastMs,
    services,
    edges,
    series,
    changes,
    rule,
    gaps,
    looked,
    recent,
    instances: [],
    logs: [],
    spans: [],
  };
  // What follows, and the analysis, is synchronous: requests are handled before.
  await nextTurn();
  const interest = options.interest(metrics);
  const subjects = interest ?? [null];
  const [instances, logs, spans, state, exported] = await Promise.all([
    readInstances(source, options, metrics, interest, budget).then((reading) => take('metrics', reading, [])),
    Promise.all(
      subjects.map(async (service) => take('logs', await source.logs(service, window, budget), [])),
    ),
    Promise.all(
      subjects
        .slice(0, MOST_TRACED)
        .map(async (service) => take('traces', await source.spans(service, window, budget), [])),
    ),
    options.state === true
      ? readState(source, window, budget, among).then((reading) => take('state', reading, []))
      : [],
    options.state === true ? source.exported?.(window, budget, among ?? null) : undefined,
  ]);
  await nextTurn();
  const lines = logs.flat().sort((a, b) => a.at - b.at);
  return {
    ...metrics,
    // A hint, where nothing tells who calls whom.
    edges: edges.length > 0 ? edges : namedInLines(lines, services),
    instances,
    logs: lines,
    spans: distinctSpans(spans.flat()),
    state: [...(rule === null ? [] : alertedIn(rule)), ...state],
    exported: exported?.known ? exported.value : [],
    gaps: distinctBy(gaps, ({ source: name, what, reason }) => `${name} ${what} ${reason}`),
  };
}

/**
 * Like `distinctBy`: a trace is returned for each of its services. There are many, and keys of two strings are
 * expensive, so one is only made for a span whose id also occurs in another trace.
 */
function distinctSpans(spans: readonly Span[]): Span[] {
  const distinct: Span[] = [];
  const places = new Map<string, number>();
  // Some sources return the same object for each of its services, and objects are the cheapest to compare.
  for (const span of new Set(spans)) {
    const { traceId, spanId } = span;
    const first = places.get(spanId);
    const isTaken = first !== undefined && distinct[first]?.traceId !== traceId;
    const key = isTaken ? `${traceId} ${spanId}` : spanId;
    const place = (isTaken ? places.get(key) : first) ?? distinct.length;
    if (place === distinct.length) places.set(key, place);
    distinct[place] = span;
  }
  return distinct;
}

/** Which services of a large system are read; `null` if all are. */
async function lookAt(
  source: TelemetrySource,
  { window, near }: CollectOptions,
  budget: Budget,
  take: Take,
): Promise<Looked | null> {
  const reading = near && (await source.unusual?.(window, budget));
  if (near === undefined || reading === undefined || (reading.known && reading.value === null)) return null;
  const isRanked = reading.known && reading.caveats.length === 0;
  const unusual = take('metrics', reading, []) ?? [];
  const [services, edges] = await Promise.all([
    source.services(window, budget).then((one) => take('services', one, [])),
    source.edges(window, budget).then((one) => take('dependencies', one, [])),
  ]);
  const looked = near({ services, edges, unusual, isRanked });
  const read = new Set(looked.services);
  const left = unusual.filter((name) => !read.has(name)).length;
  const unread = `${left} more ${left === 1 ? 'service is outside its' : 'services are outside their'} usual range, and ${left === 1 ? 'was' : 'were'} not looked at.`;
  if (left > 0) take('metrics', unknown(unread), null);
  return looked;
}

type Take = <T>(what: string, reading: Reading<T>, otherwise: T) => T;

async function readSeries(
  source: TelemetrySource,
  { window, stepMs, pastMs, services }: CollectOptions,
  budget: Budget,
  take: Take,
): Promise<Series[]> {
  const signals = take('metrics', await source.signals(window, budget), []).map(({ id }) => id);
  if (signals.length === 0 || services?.length === 0) return [];
  const which = services ? { services } : {};
  const past = { from: window.from - pastMs, to: window.from };
  const pastStep = Math.max(stepMs, Math.ceil(pastMs / PAST_SAMPLES / 60_000) * 60_000);
  const [dense, sparse] = await Promise.all([
    source.series({ signals, stepMs, ...which }, window, budget),
    pastMs > 0 ? source.series({ signals, stepMs: pastStep, ...which }, past, budget) : null,
  ]);
  const before = sparse === null ? [] : take('metrics', sparse, []);
  const pastOf = new Map(before.map((one) => [keyOf(one), one.points]));
  return take('metrics', dense, []).map((one) => {
    const points = pastOf.get(keyOf(one));
    return points ? { ...one, points: joined(points, one.points) } : one;
  });
}

/** How far back instances are compared with each other. */
const INSTANCES_MS = 60 * 60_000;
/** The measures compared between instances. */
const COMPARED: readonly Measure[] = ['errors', 'latency'];

/** Series per instance; empty if the source cannot provide them, which is not a gap. */
async function readInstances(
  source: TelemetrySource,
  { trigger, window, stepMs }: CollectOptions,
  metrics: Pick<Snapshot, 'series'>,
  services: readonly string[] | null,
  budget: Budget,
): Promise<Reading<Series[]>> {
  const compared = metrics.series.filter(
    ({ signal, edge }) => edge === null && COMPARED.includes(signal.measure),
  );
  const signals = [...new Set(compared.map(({ signal }) => signal.id))];
  if (signals.length === 0) return known([]);
  const recent = { from: trigger - INSTANCES_MS, to: window.to };
  const which = services === null ? {} : { services };
  const reading = await source.series({ signals, stepMs, byInstance: true, ...which }, recent, budget);
  return mapped(reading, (series) => series.filter(({ instance }) => instance !== null));
}

/** What is wrong with the system's own state, with the lines of whom it is about; nothing if no source knows. */
export async function readState(
  source: TelemetrySource,
  window: Window,
  budget: Budget,
  services?: readonly string[],
): Promise<Reading<StateFinding[]>> {
  const linesOf = async (service: string) => {
    const lines = await source.logs(service, window, budget);
    return lines.known
      ? lines.value.slice(-MOST_LINES).map(({ message }) => message.slice(0, MOST_CHARACTERS))
      : [];
  };
  return (await source.state?.(window, budget, linesOf, services)) ?? known([]);
}

async function readRule(
  source: TelemetrySource,
  alert: AlertIdentity,
  window: Window,
  budget: Budget,
  take: Take,
): Promise<Snapshot['rule']> {
  if (!source.alertRule || !source.evaluate) return null;
  const rule = take('alert rule', await source.alertRule(alert, budget), null);
  if (rule === null) return null;
  const series = take('alert rule', await source.evaluate(rule.expression, window, budget), []);
  return { rule, series };
}

/** After the series, whose recognition it shares. */
async function readRecent(
  source: TelemetrySource,
  window: Window,
  budget: Budget,
  take: Take,
  services: readonly string[] | undefined,
): Promise<Series[]> {
  if (source.recent === undefined) return [];
  return take('metrics', await source.recent(window, budget, services), []);
}

function keyOf({ signal, service, instance, edge, labels }: Series): string {
  return JSON.stringify([signal.id, service, instance, edge, labels]);
}

/** Drops items with duplicate keys; the last of them stays, in the place of the first. */
export function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

/** Of a line without a level, words that it fails by. */
const FAILS =
  /\b(?:errors?|fail(?:ed|ure)?|refused|time[d ]?-?outs?|unreachable|E(?:CONN|HOST|NOT|AI_)[A-Z_]+)\b/iu;
const FAILING = /^(?:err|fatal|crit|panic|alert|emerg)/iu;
/** A host, as lines write it: before a port, in a URL, or after what could not be found or reached. */
const HOSTS = [
  /(?<![\w.-])([a-z][\w.-]*):\d{2,5}(?!\d)/giu,
  /\w:\/\/(?:[^\s/@]*@)?([a-z][\w.-]*)/giu,
  /\b(?:ENOTFOUND|EAI_AGAIN|lookup|host|upstream)[ =:"'`]+([a-z][\w.-]*)/giu,
];
/** One line may name anything. */
const FEWEST = 2;

/** Who calls whom, as far as failing lines name a service by its host: a hint where nothing else tells. */
export function namedInLines(lines: readonly LogLine[], services: readonly Service[]): Edge[] {
  const known = new Map(
    services.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [comparableName(one), name])),
  );
  const times = new Map<string, { edge: Edge; times: number }>();
  for (const { service: caller, level, message } of lines) {
    if (level === null ? !FAILS.test(message) : !FAILING.test(level)) continue;
    const hosts = HOSTS.flatMap((like) => [...message.matchAll(like)].map(([, host = '']) => host));
    const callees = hosts.flatMap(
      (host) => known.get(comparableName(host)) ?? known.get(comparableName(host.split('.')[0] ?? '')) ?? [],
    );
    for (const callee of new Set(callees)) {
      if (callee === caller) continue;
      const key = `${caller}\n${callee}`;
      times.set(key, { edge: { caller, callee }, times: (times.get(key)?.times ?? 0) + 1 });
    }
  }
  return [...times.values()].flatMap((one) => (one.times >= FEWEST ? [one.edge] : []));
}
