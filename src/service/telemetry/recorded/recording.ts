import { z } from 'zod';
import type { Budget } from '../budget.ts';
import {
  type Change,
  type Edge,
  known,
  type LogLine,
  type Points,
  type Reading,
  type Series,
  type Service,
  type ServiceKind,
  type Signal,
  type Span,
  unknown,
  type Window,
} from '../model.ts';
import { isPlausible, lowerBound } from '../samples.ts';
import type { TelemetrySource } from '../source.ts';
import { classify, readCsv, readJson, readNdjson } from './files.ts';

/** `system.json`: what was recorded, and a description of its metrics. */
const SystemFile = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  step: z.number().positive().default(60),
  metrics: z
    .record(z.string(), z.looseObject({ unit: z.string().default(''), kind: z.string().default('') }))
    .default({}),
});

/** `cases.json`: alerts as a monitoring tool sends them. */
const CasesFile = z.array(
  z.looseObject({
    id: z.string(),
    triggeredAt: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
    service: z.string().nullish().default(null),
    title: z.string().default(''),
    description: z.string().default(''),
  }),
);

export type RecordedCase = z.infer<typeof CasesFile>[number];

const seconds = z.union([
  z.number(),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text) / 1000),
]);

const LogRow = z.object({
  time: seconds,
  service: z.string(),
  instance: z.string().nullish(),
  level: z.string().nullish(),
  message: z.string(),
  traceId: z.string().nullish(),
});

const SpanRow = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().nullish(),
  service: z.string(),
  operation: z.string(),
  start: seconds,
  durationSeconds: z.number(),
  error: z.boolean().nullish(),
  message: z.string().nullish(),
});

const CommitRow = z.object({
  time: seconds,
  ref: z.string(),
  author: z.string().nullish(),
  title: z.string(),
  files: z.array(z.string()).nullish(),
  diff: z.string().nullish(),
});

/** A whole recorded system in memory, including what happens after the moment of a query. */
interface Recording {
  name: string;
  services: readonly Service[];
  edges: readonly Edge[];
  signals: readonly Signal[];
  series: readonly Series[];
  /** Oldest first. */
  logs: readonly LogLine[];
  /** By end time, oldest first: a span is unknown until it has ended. */
  spans: readonly Span[];
  /** Oldest first. */
  changes: readonly Change[];
  /** Invalid rows that were left out, one sentence each. */
  caveats: readonly string[];
}

/**
 * Reads a recorded system's folder. Missing files mean missing telemetry, except for `system.json`.
 * @throws OperatorError that names the unreadable file.
 */
export async function readRecording(folder: string): Promise<Recording> {
  const system = await readJson(folder, 'system.json', SystemFile);
  const caveats: string[] = [];
  const noteInvalid = (name: string, { bad }: { bad: number }) => {
    if (bad > 0) caveats.push(`${bad} lines of ${name} are not as expected and were left out`);
  };
  const services: Service[] = [];
  await readCsv(folder, 'services.csv', ['service', 'kind'], ([name = '', kind = '']) =>
    services.push({ name, kind: kindOf(kind), aliases: [], workload: null }),
  );
  const edges: Edge[] = [];
  await readCsv(folder, 'edges.csv', ['caller', 'callee'], ([caller = '', callee = '']) =>
    edges.push({ caller, callee }),
  );
  const { series, signals } = await readSeries(folder, system.metrics);
  const logs: LogLine[] = [];
  const log = await readNdjson(folder, 'logs.ndjson', LogRow, (row) =>
    logs.push({
      at: row.time * 1000,
      service: row.service,
      instance: row.instance || null,
      level: row.level?.toLowerCase() ?? null,
      message: row.message,
      traceId: row.traceId ?? null,
    }),
  );
  noteInvalid('logs.ndjson', log);
  const spans: Span[] = [];
  const span = await readNdjson(folder, 'spans.ndjson', SpanRow, (row) =>
    spans.push({
      traceId: row.traceId,
      spanId: row.spanId,
      parentSpanId: row.parentSpanId ?? null,
      service: row.service,
      operation: row.operation,
      at: row.start * 1000,
      durationMs: row.durationSeconds * 1000,
      failed: row.error ?? null,
      message: row.message ?? null,
    }),
  );
  noteInvalid('spans.ndjson', span);
  const changes = [...(await readChanges(folder)), ...(await readCommits(folder, noteInvalid))];
  const named = new Set(services.map(({ name }) => name));
  for (const { service } of [...series, ...logs, ...spans]) {
    if (named.has(service)) continue;
    named.add(service);
    services.push({ name: service, kind: 'unknown', aliases: [], workload: null });
  }
  return {
    name: system.name,
    services,
    edges,
    signals,
    series,
    logs: logs.sort((a, b) => a.at - b.at),
    spans: spans.sort((a, b) => a.at + a.durationMs - b.at - b.durationMs),
    changes: changes.sort((a, b) => a.at - b.at),
    caveats,
  };
}

type Metrics = Readonly<Record<string, { unit: string; kind: string }>>;

async function readSeries(
  folder: string,
  metrics: Metrics,
): Promise<{ series: Series[]; signals: Signal[] }> {
  const signals = new Map<string, Signal>();
  const read = new Map<
    string,
    { metric: string; service: string; instance: string; times: number[]; values: number[] }
  >();
  await readCsv(
    folder,
    'metrics.csv',
    ['time', 'service', 'instance', 'metric', 'value'],
    ([time, service = '', instance = '', metric = '', value]) => {
      const number = value === '' ? Number.NaN : Number(value);
      if (!isPlausible(number) || !Number.isFinite(Number(time))) return;
      const key = `${service}\n${instance}\n${metric}`;
      let one = read.get(key);
      if (one === undefined) {
        one = { metric, service, instance, times: [], values: [] };
        read.set(key, one);
        if (!signals.has(metric))
          signals.set(metric, classify(metric, metrics[metric] ?? { unit: '', kind: '' }));
      }
      one.times.push(Number(time) * 1000);
      one.values.push(number);
    },
  );
  const series: Series[] = [];
  for (const { metric, service, instance, times, values } of read.values()) {
    const signal = signals.get(metric);
    if (signal === undefined) continue;
    const edge = edgeOf(service, instance);
    series.push({
      signal,
      service,
      instance: edge === null ? instance || null : null,
      edge,
      labels: { service, ...(instance === '' ? {} : { instance }), metric },
      points: { times: Float64Array.from(times), values: Float64Array.from(values) },
      limit: null,
      query: null,
      providerUrl: null,
      provider: 'recorded',
    });
  }
  return { series, signals: [...signals.values()] };
}

/** `to:X` is the caller's view of its calls to X, `from:X` the callee's view of the calls by X. */
function edgeOf(service: string, instance: string): Series['edge'] {
  if (instance.startsWith('to:')) return { caller: service, callee: instance.slice(3), side: 'caller' };
  if (instance.startsWith('from:')) return { caller: instance.slice(5), callee: service, side: 'callee' };
  return null;
}

async function readChanges(folder: string): Promise<Change[]> {
  const changes: Change[] = [];
  await readCsv(
    folder,
    'changes.csv',
    ['time', 'service', 'kind', 'title', 'version', 'ref'],
    ([time = '', service = '', kind = '', title = '', version = '', ref = '']) =>
      changes.push({
        at: Number(time) * 1000,
        service: service || null,
        kind,
        title,
        version: version || null,
        ref: ref || null,
        url: null,
        details: null,
      }),
  );
  return changes.filter(({ at }) => Number.isFinite(at));
}

async function readCommits(
  folder: string,
  noteInvalid: (name: string, counts: { bad: number }) => void,
): Promise<Change[]> {
  const commits: Change[] = [];
  const counts = await readNdjson(folder, 'commits.ndjson', CommitRow, (row) =>
    commits.push({
      at: row.time * 1000,
      service: null,
      kind: 'commit',
      title: row.title,
      version: null,
      ref: row.ref,
      url: null,
      details: [...(row.files ?? []), ...(row.diff ? [row.diff] : [])].join('\n') || null,
    }),
  );
  noteInvalid('commits.ndjson', counts);
  return commits;
}

const KINDS: readonly ServiceKind[] = [
  'web',
  'service',
  'database',
  'cache',
  'queue',
  'worker',
  'external',
  'unknown',
];

function kindOf(text: string): ServiceKind {
  return KINDS.find((kind) => kind === text) ?? 'unknown';
}

/**
 * The alerts of a recorded system.
 * @throws OperatorError that names the unreadable file.
 */
export function readCases(folder: string): Promise<RecordedCase[]> {
  return readJson(folder, 'cases.json', CasesFile);
}

/**
 * A recorded system as a source. Data is visible from its own time on: a sample at the end of its interval, a span when
 * it has ended. So a window contains what became known in it, and nothing recorded later reaches an investigation.
 */
export function recordedSource(recording: Recording): TelemetrySource {
  const spanEnds = Float64Array.from(recording.spans, ({ at, durationMs }) => at + durationMs);
  const logTimes = Float64Array.from(recording.logs, ({ at }) => at);
  const changeTimes = Float64Array.from(recording.changes, ({ at }) => at);
  const reading = <T>(budget: Budget, value: () => T, count: (value: T) => number): Reading<T> => {
    const request = budget.takeRequest();
    if (!request.granted) return unknown(request.reason);
    const found = value();
    return budget.takeSamples(count(found))
      ? known(found, recording.caveats)
      : unknown('The limit of samples is used up.');
  };
  const length = ({ length }: { length: number }) => length;
  return {
    name: 'recorded',
    pastMs: 7 * 24 * 3_600_000,
    services: async (_window, budget) => reading(budget, () => [...recording.services], length),
    edges: async (_window, budget) => reading(budget, () => [...recording.edges], length),
    signals: async (_window, budget) => reading(budget, () => [...recording.signals], length),
    series: async (query, window, budget) => {
      const signals = new Set(query.signals);
      const services = query.services === undefined ? null : new Set(query.services);
      return reading(
        budget,
        () =>
          recording.series
            .filter(({ signal, service }) => signals.has(signal.id) && (services?.has(service) ?? true))
            .map((series) => cut(series, window))
            .filter(({ points }) => points.times.length > 0),
        (found) => found.reduce((sum, { points }) => sum + points.times.length, 0),
      );
    },
    logs: async (service, window, budget) =>
      reading(
        budget,
        () => {
          const lines = within(recording.logs, logTimes, window);
          return service === null ? lines : lines.filter((line) => line.service === service);
        },
        length,
      ),
    spans: async (service, window, budget) =>
      reading(
        budget,
        () => {
          const spans = within(recording.spans, spanEnds, window);
          return service === null ? spans : wholeTraces(spans, service);
        },
        length,
      ),
    changes: async (window, budget) =>
      reading(budget, () => within(recording.changes, changeTimes, window), length),
    check: async () => ({
      name: 'recorded',
      ok: true,
      summary: `${recording.name}: ${recording.services.length} services, ${recording.series.length} series, ${recording.spans.length} spans, ${recording.logs.length} log lines.`,
      details: recording.caveats,
    }),
  };
}

function cut(series: Series, window: Window): Series {
  const { times, values } = series.points;
  const from = lowerBound(times, window.from);
  const to = lowerBound(times, window.to);
  const points: Points = { times: times.subarray(from, to), values: values.subarray(from, to) };
  return { ...series, points };
}

function within<T>(rows: readonly T[], times: Float64Array, { from, to }: Window): T[] {
  return rows.slice(lowerBound(times, from), lowerBound(times, to));
}

function wholeTraces(spans: readonly Span[], service: string): Span[] {
  const traces = new Set(spans.filter((span) => span.service === service).map(({ traceId }) => traceId));
  return spans.filter(({ traceId }) => traces.has(traceId));
}
