import type { z } from 'zod';
import type { Span } from '../model.ts';
import type { Traces } from './schema.ts';

type Trace = NonNullable<z.infer<typeof Traces>['data']>[number];
type JaegerSpan = Trace['spans'][number];

/** The spans of a trace. */
export function spansIn({ traceID, spans, processes }: Trace): Span[] {
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
