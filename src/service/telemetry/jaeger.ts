import { z } from 'zod';
import type { Budget } from './budget.ts';
import { mergeReadings, partialSource } from './combined.ts';
import { CopyFilter, copyOf } from './copy-labels.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import { known, mapped, type Reading, type Shown, type Span, unknown, type Window } from './model.ts';
import type { Explore } from './prometheus/client.ts';
import { publicAddress } from './public-address.ts';
import { inExplore, pageOf } from './shown.ts';
import { healthBy, type OpenSource } from './source.ts';

const NAME = 'jaeger';
const LISTED = '20';
/** A search covers one service: if all are wanted, at most this many are queried. */
const MOST_SERVICES = 20;

/** Traces from Jaeger: services, dependencies if it computes them, and spans. */
export function createJaegerSource(
  settings: SourceSettings,
  { explore = null }: { explore?: Explore | null } = {},
): OpenSource {
  const address = { title: 'Jaeger', variable: 'JAEGER', ...settings };
  const http = createSourceClient(address);
  const source = { http, address };
  const copies = new CopyFilter();
  const open = explore?.datasource === undefined ? publicAddress(http.base, settings.publicUrl) : null;
  const shown = (id: string, window: Window): Shown => ({
    query: id,
    url: inExplore(explore, { query: id }, window) ?? pageOf(open, `/trace/${encodeURIComponent(id)}`),
  });

  const names = async (budget: Budget): Promise<Reading<string[]>> => {
    const reading = await askJson(source, { path: '/api/services' }, Services, budget);
    return mapped(reading, ({ data }) => data ?? []);
  };

  async function traces(
    service: string,
    window: Window,
    budget: Budget,
    more: readonly (readonly [string, string])[] = [],
  ): Promise<Reading<Span[]>> {
    const parameters = [
      ['service', service],
      ['start', String(Math.floor(window.from * 1000))],
      ['end', String(Math.floor(window.to * 1000))],
      ['limit', LISTED],
      ...more,
    ] as const;
    const reading = await askJson(source, { path: '/api/traces', parameters }, Traces, budget);
    if (!reading.known) return reading;
    const spans = (reading.value.data ?? []).flatMap((trace) => {
      const again = shown(trace.traceID, window);
      return spansIn(trace).map((span) => ({ ...span, shown: again }));
    });
    return budget.takeSamples(spans.length)
      ? known(
          copies.ofTraces(spans, budget).filter(({ at, durationMs }) => at + durationMs <= window.to),
          reading.caveats,
        )
      : unknown('More spans than an investigation may read: some are missing.');
  }

  /** Failed traces, the newest, and some from before. */
  const searches = (service: string, window: Window, budget: Budget): Promise<Reading<Span[]>>[] => {
    const middle = window.to - Math.round((window.to - window.from) / 4);
    return [
      traces(service, window, budget, [['tags', '{"error":"true"}']]),
      traces(service, { from: middle, to: window.to }, budget),
      traces(service, { from: window.from, to: middle }, budget),
    ];
  };

  return {
    ...partialSource({
      name: NAME,
      services: async (_window, budget) =>
        mapped(await names(budget), (all) =>
          all.map((name) => ({ name, kind: 'service' as const, aliases: [], workload: null })),
        ),
      edges: async (window, budget) => {
        const parameters = [
          ['endTs', String(Math.floor(window.to))],
          ['lookback', String(Math.ceil(window.to - window.from))],
        ] as const;
        const reading = await askJson(
          source,
          { path: '/api/dependencies', parameters },
          Dependencies,
          budget,
        );
        return mapped(reading, ({ data }) =>
          (data ?? []).map(({ parent, child }) => ({ caller: parent, callee: child })),
        );
      },
      spans: async (service, window, budget) => {
        if (service !== null) return distinct(await Promise.all(searches(service, window, budget)));
        const all = await names(budget);
        if (!all.known) return all;
        const some = all.value.slice(0, MOST_SERVICES);
        return distinct(await Promise.all(some.map((name) => traces(name, window, budget))));
      },
      focus: (labels, _window, budget) => copies.focus(labels, budget),
      check: async (budget) =>
        healthBy(NAME, await names(budget), ({ length }) => ({
          summary: `${address.title} at ${http.base} answers: ${length} services have traces.`,
        })),
    }),
    close: http.close,
  };
}

/** Merges traces found by several searches. */
function distinct(readings: readonly Reading<Span[]>[]): Reading<Span[]> {
  const merged = mergeReadings(readings);
  if (!merged.known) return merged;
  const byId = new Map(merged.value.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  return known([...byId.values()], merged.caveats);
}

type Trace = NonNullable<z.infer<typeof Traces>['data']>[number];
type JaegerSpan = Trace['spans'][number];

function spansIn({ traceID, spans, processes }: Trace): Span[] {
  const copiesOf = new Map(
    Object.entries(processes).map(([id, { tags }]) => [
      id,
      copyOf(Object.fromEntries((tags ?? []).map(({ key, value }) => [key, String(value ?? '')]))),
    ]),
  );
  return spans.map((span) => ({
    traceId: traceID,
    spanId: span.spanID,
    parentSpanId: span.references?.find(({ refType }) => refType === 'CHILD_OF')?.spanID ?? null,
    service: processes[span.processID]?.serviceName ?? 'unknown',
    operation: span.operationName,
    at: span.startTime / 1000,
    durationMs: span.duration / 1000,
    failed: hasFailed(span),
    message: messageOf(span),
    ...(copiesOf.get(span.processID) && { copy: copiesOf.get(span.processID) }),
  }));
}

function hasFailed({ tags }: JaegerSpan): boolean {
  const tagOf = (key: string) => tags?.find((tag) => tag.key === key)?.value;
  return String(tagOf('error') ?? false) === 'true' || tagOf('otel.status_code') === 'ERROR';
}

function messageOf({ tags, logs }: JaegerSpan): string | null {
  const fields = [...(tags ?? []), ...(logs ?? []).flatMap((log) => log.fields ?? [])];
  const keys = ['otel.status_description', 'exception.message', 'error.message', 'error.object', 'message'];
  for (const key of keys) {
    const value = fields.find((field) => field.key === key)?.value;
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The parts that are read of the answers of Jaeger's query service. Times are in microseconds. */
const Services = z.looseObject({ data: z.array(z.string()).nullish() });

const Dependencies = z.looseObject({
  data: z.array(z.looseObject({ parent: z.string(), child: z.string() })).nullish(),
});

const Tags = z.array(z.looseObject({ key: z.string(), value: z.unknown() })).nullish();

const Traces = z.looseObject({
  data: z
    .array(
      z.looseObject({
        traceID: z.string(),
        spans: z.array(
          z.looseObject({
            spanID: z.string(),
            operationName: z.string(),
            references: z.array(z.looseObject({ refType: z.string(), spanID: z.string() })).nullish(),
            startTime: z.number().min(0),
            duration: z.number().min(0),
            tags: Tags,
            logs: z.array(z.looseObject({ fields: Tags })).nullish(),
            processID: z.string(),
          }),
        ),
        processes: z.record(z.string(), z.looseObject({ serviceName: z.string(), tags: Tags })),
      }),
    )
    .nullish(),
});
