import { nearest } from '../../lib/text.ts';
import type { Budget } from './budget.ts';
import type { Exported, Measure, Series, ServiceKind } from './model.ts';
import type { TelemetrySource } from './source.ts';

/** What is seen of a service, what an investigation would want to see beside it, and which of its metrics nothing reads. */
interface ServiceSeen {
  name: string;
  seen: string[];
  missing: string[];
  /** Metrics that no convention reads and that it has alone: they are only compared with what they were. */
  unread: string[];
  /** From which of its metrics each measure is read: `latency: http_seconds`. */
  readFrom: string[];
}

interface Seen {
  services: ServiceSeen[];
  notes: string[];
}

const MINUTE = 60_000;
/** With more services than this, as many are looked at. */
const MOST_SERVICES = 100;
/** By which measures what an investigation wants to see is seen. */
const WANTED: readonly (readonly [what: string, measures: readonly Measure[]])[] = [
  ['requests', ['requests']],
  ['errors', ['errors', 'success']],
  ['latency', ['latency']],
];
const SATURATION: Readonly<Partial<Record<Measure, string>>> = {
  cpu: 'CPU',
  throttling: 'throttling',
  memory: 'memory',
  connections: 'connections',
  waiting: 'waiting',
  queue: 'queue',
  lag: 'lag',
  disk: 'disk',
  queries: 'queries',
  'cache-hits': 'cache hits',
};
/** These answer requests: of others, such as a volume or a queue, no requests are missed. */
const ANSWERING: ReadonlySet<ServiceKind | undefined> = new Set(['service', 'unknown', undefined]);

export async function seenOf(source: TelemetrySource, now: number, budget: Budget): Promise<Seen> {
  const window = { from: now - 60 * MINUTE, to: now + 1 };
  const [services, signals] = await Promise.all([
    source.services(window, budget),
    source.signals(window, budget),
  ]);
  if (!services.known) return { services: [], notes: [services.reason] };
  if (!signals.known) return { services: [], notes: [signals.reason] };
  const names = services.value.map(({ name }) => name).sort();
  const isLarge = names.length > MOST_SERVICES;
  const some = names.slice(0, MOST_SERVICES);
  const series = await source.series(
    { signals: signals.value.map(({ id }) => id), stepMs: MINUTE, ...(isLarge && { services: some }) },
    window,
    budget,
  );
  if (!series.known) return { services: [], notes: [series.reason] };
  const lately = { from: now - 5 * MINUTE, to: now + 1 };
  const [edges, logs] = await Promise.all([source.edges(window, budget), source.logged?.(window, budget)]);
  const callers = new Set(edges.known ? edges.value.map(({ caller }) => caller) : []);
  const exported = await source.exported?.(lately, budget, isLarge ? some : null);
  const kinds = new Map(services.value.map(({ name, kind }) => [name, kind]));
  const more = names.length - some.length;
  const logging = logs?.known ? new Set(logs.value) : null;
  const measured = servicesIn(series.value, exported?.known ? exported.value : [], {
    kindOf: (name) => kinds.get(name),
    callers,
    logging,
  });
  const known = new Set(measured.map(({ name }) => name));
  const onlyLogs = [...(logging ?? [])].filter((name) => !known.has(name)).sort();
  return {
    services: [...measured, ...onlyLogs.map(withLogsAlone)],
    notes: [
      ...onlyLogs.flatMap((name) => meantBy(name, [...known])),
      ...databasesNote(source),
      ...(logs?.known === false ? [logs.reason] : []),
      ...(more > 0 ? [`${more} more services are not listed.`] : []),
      ...(exported?.known ? exported.caveats : exported ? [exported.reason] : []),
    ],
  };
}

const withLogsAlone = (name: string): ServiceSeen => ({
  name,
  seen: ['logs'],
  missing: ['metrics'],
  unread: [],
  readFrom: [],
});

/** A name in `LOG_FILES` is typed: logs of what no metric knows are of no use to its incidents. */
function meantBy(name: string, services: readonly string[]): string[] {
  const meant = nearest(name, services);
  return meant === null
    ? []
    : [`There are logs of ${name}, and no metrics of a service of that name. Is it ${meant}?`];
}

function databasesNote({ inside }: TelemetrySource): string[] {
  const named = (inside?.all ?? []).map(({ name, title }) => `${name} (${title})`);
  return named.length === 0 ? [] : [`I can look inside: ${named.join(', ')}.`];
}

function servicesIn(
  series: readonly Series[],
  exported: readonly Exported[],
  {
    kindOf,
    callers,
    logging,
  }: {
    kindOf: (service: string) => ServiceKind | undefined;
    callers: ReadonlySet<string>;
    /** Of which services there are logs; `null` where there is no source of any. */
    logging: ReadonlySet<string> | null;
  },
): ServiceSeen[] {
  const own = Map.groupBy(series, ({ edge, service }) => edge?.caller ?? service);
  const targets = Map.groupBy(exported, ({ service }) => service);
  const families = ownFamilies(exported);
  const read = new Set(
    series.filter(({ signal }) => signal.measure !== 'other').flatMap(({ query }) => namesIn(query)),
  );
  return [...new Set([...own.keys(), ...targets.keys()])].sort().map((name): ServiceSeen => {
    const of = own.get(name) ?? [];
    const measured = new Set(of.flatMap(({ edge, signal }) => (edge === null ? signal.measure : [])));
    const calls = callers.has(name);
    const found = WANTED.map(
      ([what, measures]) => [what, measures.some((one) => measured.has(one))] as const,
    );
    const full = Object.entries(SATURATION).flatMap(([measure, what]) =>
      [...measured].some((one) => one === measure) ? [what] : [],
    );
    const seen = found.flatMap(([what, isSeen]) => (isSeen ? [what] : []));
    const by = ANSWERING.has(kindOf(name)) ? partsIn(of, targets.get(name) ?? []) : [];
    const last = seen.pop();
    const requests =
      last === undefined ? seen : [...seen, by.length === 0 ? last : `${last} by ${by.join(', ')}`];
    return {
      name,
      seen: [
        ...requests,
        ...(calls ? ['calls'] : []),
        ...(full.length === 0 ? [] : [`saturation (${full.join(', ')})`]),
        ...(logging?.has(name) ? ['logs'] : []),
      ],
      missing: !ANSWERING.has(kindOf(name))
        ? []
        : found.every(([, isSeen]) => !isSeen)
          ? ['requests, errors or latency']
          : [
              ...found.flatMap(([what, isSeen]) => (isSeen ? [] : [what])),
              ...(calls ? [] : ['calls']),
              ...(full.length === 0 ? ['saturation'] : []),
              ...(logging === null || logging.has(name) ? [] : ['logs']),
            ],
      unread: [...(families.get(name) ?? [])].filter((family) => !read.has(family)).sort(),
      readFrom: readFromIn(of, new Set((targets.get(name) ?? []).map((one) => familyOf(one.name)))),
    };
  });
}

/** Of each measure the metrics that it is read from. */
function readFromIn(series: readonly Series[], exported: ReadonlySet<string>): string[] {
  const own = series.filter(({ edge, signal }) => edge === null && signal.measure !== 'other');
  return [...Map.groupBy(own, ({ signal }) => signal.measure)].flatMap(([measure, some]) => {
    const names = new Set(some.flatMap(({ query }) => namesIn(query)).filter((name) => exported.has(name)));
    return names.size === 0 ? [] : [`${measure}: ${[...names].sort().join(', ')}`];
  });
}

const MOST_PARTS = 3;
/** What every series of a scrape has, and what separates the parts of one measurement. */
const OF_SCRAPE: ReadonlySet<string> = new Set([
  ...['job', 'instance', 'namespace', 'pod', 'container', 'endpoint', 'service', 'le', 'quantile'],
]);

/** The labels by which what a service does for others can be split, those with the most values first. */
function partsIn(series: readonly Series[], exported: readonly Exported[]): string[] {
  const asked = new Set(
    series
      .filter(
        ({ edge, signal }) => edge === null && ['requests', 'errors', 'latency'].includes(signal.measure),
      )
      .flatMap(({ query }) => namesIn(query)),
  );
  const values = new Map<string, Set<string>>();
  for (const { name, labels } of exported) {
    if (!asked.has(familyOf(name))) continue;
    for (const [label, value] of Object.entries(labels))
      if (!OF_SCRAPE.has(label)) values.set(label, (values.get(label) ?? new Set()).add(value));
  }
  return [...values]
    .filter(([, some]) => some.size > 1)
    .sort(([a, some], [b, others]) => others.size - some.size || (a < b ? -1 : 1))
    .slice(0, MOST_PARTS)
    .map(([label]) => label);
}

/** The metrics of each service that no other has: those of a library, or of a kind of exporter, are on many. */
function ownFamilies(exported: readonly Exported[]): Map<string, Set<string>> {
  const services = new Map<string, Set<string>>();
  for (const { name, service } of exported) {
    const family = familyOf(name);
    services.set(family, (services.get(family) ?? new Set()).add(service));
  }
  const own = new Map<string, Set<string>>();
  for (const [family, some] of services) {
    const [service] = some;
    if (some.size > 1 || service === undefined || NO_MEASUREMENT.test(family)) continue;
    own.set(service, (own.get(service) ?? new Set()).add(family));
  }
  return own;
}

const NO_MEASUREMENT = /_(?:info|created)$|^(?:up|target_info)$/u;

function familyOf(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/u, '');
}

function namesIn(query: string | null): string[] {
  return (query?.match(/[a-zA-Z_:][\w:]*/gu) ?? []).map(familyOf);
}
