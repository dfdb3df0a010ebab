import { isDeepStrictEqual } from 'node:util';
import type { Span, Window } from '../../service/telemetry/model.ts';
import { effectAt, STEP } from './effects.ts';
import type { Fault } from './faults.ts';
import { chanceOf, extend, hash } from './random.ts';
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

/** The traces of a window with its faults: of each route, oldest first. */
interface WindowTraces {
  faults: readonly Fault[];
  ofRoute: Map<Call, Span[][]>;
}

/**
 * Sampled traces (one of every route in 30 seconds) that touch the services, each once; those of a service oldest first.
 * Most touch several services, which are asked for one by one: for the same window, a trace is computed only once.
 */
export function createTraces(
  seed: number,
): (services: readonly string[], window: Window, faults: readonly Fault[]) => Span[] {
  const kept = new WeakMap<Window, WindowTraces>();
  return (services, window, faults) => {
    let computed = kept.get(window);
    if (computed === undefined || !isDeepStrictEqual(computed.faults, faults)) {
      computed = { faults, ofRoute: new Map() };
      kept.set(window, computed);
    }
    const { ofRoute } = computed;
    const left = new Set(ROUTES);
    return services.flatMap((service) => {
      const routes = [...left].filter((route) => touches(route, service));
      for (const route of routes) left.delete(route);
      const traces = routes.map((route) => {
        const ofThis = ofRoute.get(route) ?? tracesOf(route, seed, window, faults);
        ofRoute.set(route, ofThis);
        return ofThis;
      });
      return (traces[0] ?? []).flatMap((_, n) => traces.flatMap((one) => one[n] ?? []));
    });
  };
}

function tracesOf(route: Call, seed: number, window: Window, faults: readonly Fault[]): Span[][] {
  const traces: Span[][] = [];
  const index = ROUTES.indexOf(route);
  for (let at = Math.ceil(window.from / STEP) * STEP; at < window.to; at += STEP) {
    const traceId = hex(hash(seed, 'trace', index, at), 32);
    const trace = { traceId, hashed: hash(seed, traceId), faults, at };
    traces.push(spansOf(route, trace, null, at).spans);
  }
  return traces;
}

interface Trace {
  traceId: string;
  /** Of the seed and the id. */
  hashed: number;
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
  const hashed = extend(trace.hashed, service, operation);
  const luck = chanceOf(hashed);
  const spanId = hex(hashed, 16);
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

const DIGITS = Buffer.alloc(16);

/** As many hexadecimal digits, 32 at most, of a hash's own. */
function hex(hashed: number, length: number): string {
  for (let i = 0; 8 * i < length; i++)
    DIGITS.writeUInt32BE(Math.floor(chanceOf(extend(hashed, i)) * 0x1_0000_0000), 4 * i);
  return DIGITS.toString('hex', 0, length / 2);
}
