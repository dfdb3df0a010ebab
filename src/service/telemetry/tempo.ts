import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import { mergeReadings, partialSource } from './combined.ts';
import { CopyFilter, copyOf } from './copy-labels.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import { type Edge, known, mapped, type Reading, type Span, unknown, type Window } from './model.ts';
import type { Explore } from './prometheus/client.ts';
import { publicAddress } from './public-address.ts';
import { inExplore, pageOf } from './shown.ts';
import { healthBy, type OpenSource, oncePerBudget } from './source.ts';

const NAME = 'tempo';
/** How many of the traces in a search result are read: failed ones, the slowest recent ones, and some from before. */
const READ = { failed: 6, slow: 5, before: 5, any: 10 };
const LISTED = 20;

/** Traces from Tempo: services, dependencies as far as sampled traces show them, and spans. */
export function createTempoSource(
  settings: SourceSettings,
  { clock, explore = null }: { clock: Clock; explore?: Explore | null },
): OpenSource {
  const address = { title: 'Tempo', variable: 'TEMPO', ...settings };
  const http = createSourceClient(address, clock);
  const source = { http, address };
  const copies = new CopyFilter();
  // It has no pages of its own.
  const open = settings.publicUrl === undefined ? null : publicAddress(http.base, settings.publicUrl);

  const search = async (q: string, window: Window, budget: Budget): Promise<Reading<Listed[]>> => {
    const parameters = [['q', q], ...between(window), ['limit', String(LISTED)]] as const;
    const reading = await askJson(source, { path: '/api/search', parameters }, Search, budget);
    return mapped(reading, ({ traces }) =>
      (traces ?? []).map(({ traceID, durationMs }) => ({ id: traceID, ms: durationMs ?? 0 })),
    );
  };

  const readTrace = oncePerBudget(async (id, budget): Promise<Reading<Span[]>> => {
    const path = `/api/v2/traces/${encodeURIComponent(id)}`;
    const reading = await askJson(source, { path }, Trace, budget);
    if (!reading.known) return reading;
    const spans = spansIn(reading.value, id);
    return budget.takeSamples(spans.length)
      ? known(spans, reading.caveats)
      : unknown('More spans than an investigation may read: some are missing.');
  });

  /** Whole traces, limited to spans that had ended by the end of the window. */
  async function readTraces(
    listed: readonly Listed[],
    window: Window,
    budget: Budget,
  ): Promise<Reading<Span[]>> {
    const ids = [...new Set(listed.map(({ id }) => id))];
    const readings = await Promise.all(ids.map((id) => readTrace(id, budget)));
    const merged = mergeReadings(readings);
    if (!merged.known) return merged;
    const shown = new Map(
      ids.map((query) => {
        const inGrafana = inExplore(explore, { queryType: 'traceql', query }, window);
        return [
          query,
          { query, url: inGrafana ?? pageOf(open, `/api/v2/traces/${encodeURIComponent(query)}`) },
        ];
      }),
    );
    return known(
      copies
        .ofTraces(merged.value, budget)
        .filter(({ at, durationMs }) => at + durationMs <= window.to)
        .map((span) => ({ ...span, shown: shown.get(span.traceId) })),
      merged.caveats,
    );
  }

  async function spans(service: string | null, window: Window, budget: Budget): Promise<Reading<Span[]>> {
    const where = service === null ? '' : `resource.service.name = ${JSON.stringify(service)}`;
    const middle = window.to - Math.round((window.to - window.from) / 4);
    const failing = `{ ${[where, 'status = error'].filter((part) => part !== '').join(' && ')} }`;
    const any = `{ ${where} }`;
    const readings = await Promise.all([
      search(failing, window, budget),
      search(any, { from: middle, to: window.to }, budget),
      search(any, { from: window.from, to: middle }, budget),
    ]);
    const merged = mergeReadings(readings);
    if (!merged.known) return merged;
    const [failed, late, before] = readings.map((reading) => (reading.known ? reading.value : []));
    const slow = (late ?? []).toSorted((a, b) => b.ms - a.ms);
    const read = await readTraces(
      [
        ...(failed ?? []).slice(0, READ.failed),
        ...slow.slice(0, READ.slow),
        ...(before ?? []).slice(0, READ.before),
      ],
      window,
      budget,
    );
    return read.known ? known(read.value, [...merged.caveats, ...read.caveats]) : read;
  }

  const services = async (window: Window, budget: Budget) => {
    const path = '/api/v2/search/tag/resource.service.name/values';
    const reading = await askJson(source, { path, parameters: between(window) }, TagValues, budget);
    return mapped(reading, ({ tagValues }) =>
      (tagValues ?? []).map(({ value }) => ({
        name: value,
        kind: 'service' as const,
        aliases: [],
        workload: null,
      })),
    );
  };

  return {
    ...partialSource({
      name: NAME,
      services,
      edges: async (window, budget) => {
        const listed = await search('{ }', window, budget);
        if (!listed.known) return listed;
        const read = await readTraces(listed.value.slice(0, READ.any), window, budget);
        return mapped(read, edgesIn);
      },
      spans,
      focus: (labels, _window, budget) => copies.focus(labels, budget),
      check: async (budget) => {
        const now = clock.now();
        return healthBy(NAME, await services({ from: now - 3_600_000, to: now }, budget), ({ length }) => ({
          summary: `${address.title} at ${http.base} answers: ${length} services have traces.`,
        }));
      },
    }),
    close: http.close,
  };
}

interface Listed {
  id: string;
  ms: number;
}

/** In seconds; the end is rounded down, so that nothing later is read. */
function between({ from, to }: Window): readonly (readonly [string, string])[] {
  return [
    ['start', String(Math.floor(from / 1000))],
    ['end', String(Math.floor(to / 1000))],
  ];
}

type Otlp = z.infer<typeof Trace>;
type ResourceSpans = NonNullable<Otlp['resourceSpans']>[number];
type Attributes = NonNullable<ResourceSpans['resource']>['attributes'];
type OtlpSpan = NonNullable<NonNullable<ResourceSpans['scopeSpans']>[number]['spans']>[number];

function spansIn(trace: Otlp, traceId: string): Span[] {
  return [...(trace.resourceSpans ?? []), ...(trace.batches ?? [])].flatMap((resource) => {
    const attributes = resource.resource?.attributes;
    const service = textOf(attributes, 'service.name') ?? 'unknown';
    const copy = copyOf(textsIn(attributes));
    const scopes = [...(resource.scopeSpans ?? []), ...(resource.instrumentationLibrarySpans ?? [])];
    return scopes.flatMap(({ spans }) =>
      (spans ?? []).map((span) => ({ ...spanOf(span, service, traceId), ...(copy && { copy }) })),
    );
  });
}

function spanOf(span: OtlpSpan, service: string, traceId: string): Span {
  const { status, events } = span;
  const exception = events?.find(({ name }) => name === 'exception');
  const message = status?.message ? status.message : textOf(exception?.attributes, 'exception.message');
  // Nanoseconds since the epoch do not fit in a number.
  const began = BigInt(span.startTimeUnixNano);
  const ended = BigInt(span.endTimeUnixNano);
  return {
    traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ? span.parentSpanId : null,
    service,
    operation: span.name,
    at: Number(began / 1000n) / 1000,
    durationMs: Math.max(0, Number(ended - began) / 1e6),
    failed: status?.code === 2 || status?.code === 'STATUS_CODE_ERROR',
    message: message ?? null,
  };
}

function textsIn(attributes: Attributes): Record<string, string> {
  return Object.fromEntries((attributes ?? []).map(({ key, value }) => [key, value?.stringValue ?? '']));
}

function textOf(attributes: Attributes, key: string): string | undefined {
  return attributes?.find((attribute) => attribute.key === key)?.value?.stringValue;
}

/** The parts that are read of Tempo's answers. Traces are OTLP in JSON; older versions name its parts differently. */
const TagValues = z.looseObject({
  tagValues: z.array(z.looseObject({ value: z.string() })).nullish(),
});

const Search = z.looseObject({
  traces: z
    .array(
      z.looseObject({
        traceID: z.string(),
        durationMs: z.number().optional(),
      }),
    )
    .nullish(),
});

const Attributes = z
  .array(
    z.looseObject({
      key: z.string(),
      value: z.looseObject({ stringValue: z.string().optional() }).nullish(),
    }),
  )
  .nullish();

const Nanoseconds = z.string().regex(/^\d{1,19}$/u);

const OtlpSpan = z.looseObject({
  spanId: z.string(),
  parentSpanId: z.string().nullish(),
  name: z.string(),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  status: z
    .looseObject({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() })
    .nullish(),
  events: z.array(z.looseObject({ name: z.string().optional(), attributes: Attributes })).nullish(),
});

const Scope = z.looseObject({ spans: z.array(OtlpSpan).nullish() });

const ResourceSpans = z.looseObject({
  resource: z.looseObject({ attributes: Attributes }).nullish(),
  scopeSpans: z.array(Scope).nullish(),
  instrumentationLibrarySpans: z.array(Scope).nullish(),
});

const Otlp = z.looseObject({
  resourceSpans: z.array(ResourceSpans).nullish(),
  batches: z.array(ResourceSpans).nullish(),
});

/** `/api/v2/traces` puts the trace into `trace`. */
const Trace = z.union([z.looseObject({ trace: Otlp }).transform(({ trace }) => trace), Otlp]);

/** Who calls whom, from the spans of whole traces. */
function edgesIn(spans: readonly Span[]): Edge[] {
  const serviceOf = new Map(spans.map(({ traceId, spanId, service }) => [`${traceId} ${spanId}`, service]));
  const edges = new Map<string, Edge>();
  for (const { traceId, parentSpanId, service } of spans) {
    const caller = parentSpanId === null ? undefined : serviceOf.get(`${traceId} ${parentSpanId}`);
    if (caller === undefined || caller === service) continue;
    edges.set(`${caller}\n${service}`, { caller, callee: service });
  }
  return [...edges.values()];
}
