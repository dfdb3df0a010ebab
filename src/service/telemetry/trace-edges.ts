import type { Edge, Span } from './model.ts';

/** Who calls whom, from the spans of whole traces. */
export function edgesIn(spans: readonly Span[]): Edge[] {
  const serviceOf = new Map(spans.map(({ traceId, spanId, service }) => [`${traceId} ${spanId}`, service]));
  const edges = new Map<string, Edge>();
  for (const { traceId, parentSpanId, service } of spans) {
    const caller = parentSpanId === null ? undefined : serviceOf.get(`${traceId} ${parentSpanId}`);
    if (caller === undefined || caller === service) continue;
    edges.set(`${caller}\n${service}`, { caller, callee: service });
  }
  return [...edges.values()];
}
