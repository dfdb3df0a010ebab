import { z } from 'zod';

/** The parts that are read of Tempo's answers. Traces are OTLP in JSON; older versions name its parts differently. */
export const TagValues = z.looseObject({
  tagValues: z.array(z.looseObject({ value: z.string() })).nullish(),
});

export const Search = z.looseObject({
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

const Nanoseconds = z.string().regex(/^\d+$/u);

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
export const Trace = z.union([z.looseObject({ trace: Otlp }).transform(({ trace }) => trace), Otlp]);
