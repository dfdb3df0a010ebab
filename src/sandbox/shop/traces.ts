import type { Span, Window } from '../../service/telemetry/model.ts';
import { effectAt, STEP } from './effects.ts';
import type { Fault } from './faults.ts';
import { chance } from './random.ts';
import { lineOf } from './story.ts';
import { SHOP } from './topology.ts';

interface Call {
  service: string;
  operation: string;
  calls: Call[];
}

const call = (service: string, operation: string, ...calls: Call[]): Call => ({ service, operation, calls });

const ROUTES: readonly Call[] = [
  call(
    'gateway',
    'POST /checkout',
    call(
      'checkout-api',
      'POST /orders',
      call('cart', 'GET /cart', call('cache', 'GET cart')),
      call('inventory', 'POST /reservations', call('orders-db', 'UPDATE stock')),
      call('payments', 'POST /authorisations', call('payments-db', 'INSERT authorisations')),
      call('orders-db', 'INSERT orders'),
    ),
  ),
  call(
    'gateway',
    'GET /products',
    call(
      'web',
      'GET /products',
      call(
        'catalogue',
        'GET /items',
        call('cache', 'GET item'),
        call('inventory', 'GET /stock', call('orders-db', 'SELECT stock')),
      ),
    ),
  ),
  call(
    'gateway',
    'POST /cart',
    call('web', 'POST /cart', call('cart', 'PUT /cart', call('cache', 'SET cart'))),
  ),
  call(
    'order-queue',
    'order.placed',
    call('order-worker', 'handle order', call('orders-db', 'UPDATE orders')),
  ),
  call('order-queue', 'item.changed', call('search-indexer', 'reindex', call('catalogue', 'GET /items'))),
];

/** Sampled traces (one of every route in 30 seconds) that touch the service, oldest first. */
export function tracesOf(seed: number, service: string, window: Window, faults: readonly Fault[]): Span[] {
  const spans: Span[] = [];
  for (let at = Math.ceil(window.from / STEP) * STEP; at < window.to; at += STEP)
    for (const [index, route] of ROUTES.entries()) {
      if (!touches(route, service)) continue;
      const traceId = hex(seed, 32, 'trace', index, at);
      spans.push(...spansOf(route, { seed, traceId, faults, at }, null, at).spans);
    }
  return spans;
}

interface Trace {
  seed: number;
  traceId: string;
  faults: readonly Fault[];
  at: number;
}

/** A call's spans, its own first; it takes as long as its parts, and fails when one of them does. */
function spansOf(
  { service, operation, calls }: Call,
  trace: Trace,
  parentSpanId: string | null,
  begin: number,
): { spans: Span[]; durationMs: number; error: string | null } {
  const luck = chance(trace.seed, trace.traceId, service, operation);
  const spanId = hex(trace.seed, 16, trace.traceId, service, operation);
  const here = trace.faults.filter((fault) => fault.service === service);
  let durationMs = Math.max(1, (SHOP[service]?.latency ?? 10) * (0.15 + 0.3 * luck));
  let error: string | null = null;
  for (const fault of here) {
    const effect = effectAt(fault, service, trace.at);
    durationMs += effect.latency * (0.5 + 0.6 * luck);
    if (luck < effect.errors) error = failureOf(fault, trace.at, luck);
  }
  const below: Span[] = [];
  for (const next of calls) {
    const part = spansOf(next, trace, spanId, begin + Math.round(durationMs));
    below.push(...part.spans);
    durationMs += part.durationMs;
    if (part.error) error ??= `Call to ${next.service} failed: 503`;
  }
  const own: Span = {
    traceId: trace.traceId,
    spanId,
    parentSpanId,
    service,
    operation,
    at: begin,
    durationMs: Math.round(durationMs),
    failed: error !== null,
    message: error,
  };
  return { spans: [own, ...below], durationMs, error };
}

function failureOf(fault: Fault, at: number, luck: number): string {
  const line = lineOf(fault, at, luck);
  return line?.level === 'error' ? line.message : 'Timeout: gave up waiting';
}

function touches(route: Call, service: string): boolean {
  return route.service === service || route.calls.some((next) => touches(next, service));
}

function hex(seed: number, length: number, ...parts: (string | number)[]): string {
  let text = '';
  for (let i = 0; text.length < length; i++)
    text += Math.floor(chance(seed, ...parts, i) * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, length);
}
