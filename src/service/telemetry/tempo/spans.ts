import type { z } from 'zod';
import type { Span } from '../model.ts';
import type { Trace } from './schema.ts';

type Otlp = z.infer<typeof Trace>;
type ResourceSpans = NonNullable<Otlp['resourceSpans']>[number];
type OtlpSpan = NonNullable<NonNullable<ResourceSpans['scopeSpans']>[number]['spans']>[number];

/** The spans of a trace. */
export function spansIn(trace: Otlp, traceId: string): Span[] {
  return [...(trace.resourceSpans ?? []), ...(trace.batches ?? [])].flatMap((resource) => {
    const service = textOf(resource.resource?.attributes, 'service.name') ?? 'unknown';
    const scopes = [...(resource.scopeSpans ?? []), ...(resource.instrumentationLibrarySpans ?? [])];
    return scopes.flatMap(({ spans }) => (spans ?? []).map((span) => spanOf(span, service, traceId)));
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

function textOf(
  attributes: NonNullable<ResourceSpans['resource']>['attributes'],
  key: string,
): string | undefined {
  return attributes?.find((attribute) => attribute.key === key)?.value?.stringValue;
}
