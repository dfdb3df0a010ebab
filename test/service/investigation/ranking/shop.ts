import type { Change, Edge, LogLine, Series, Signal, Span } from '../../../../src/service/telemetry/model.ts';
import type { Snapshot } from '../../../../src/service/telemetry/view.ts';

/** What is wrong in a made-up shop from `onset` on; without any of it the shop is as always. */
export interface Faults {
  /** Its own work takes so many milliseconds longer. */
  slow?: { service: string; ms: number };
  /** Everything to and from it is under way for so many milliseconds longer. */
  network?: { service: string; ms: number };
  /** It stops before it calls anybody. */
  stops?: string;
  /** The share of its requests that fail, which its callers feel. */
  fails?: { service: string; share: number };
  /** The share of its spans that fail, and those of its callers with them. */
  breaks?: { service: string; share: number };
  /** So many times as many requests come. */
  traffic?: number;
}

export interface ShopOptions {
  faults?: Faults;
  spans?: boolean;
  /** Multiplies latencies: the unit in which they are measured. */
  scale?: number;
  /** Added to every time. */
  shift?: number;
  name?: (service: string) => string;
  /** Services that nothing else knows, with series of their own. */
  strangers?: number;
  seed?: number;
}

export const MINUTE = 60_000;
/** The alert comes three minutes after the fault. */
export const TRIGGER = 4 * 60 * MINUTE;
export const ONSET = TRIGGER - 3 * MINUTE;

const CALLS: Readonly<Record<string, readonly string[]>> = {
  front: ['cart', 'catalogue', 'checkout'],
  cart: ['store'],
  catalogue: [],
  checkout: ['cart', 'payment'],
  payment: [],
  store: [],
};
const WORK: Readonly<Record<string, number>> = {
  front: 5,
  cart: 8,
  catalogue: 12,
  checkout: 10,
  payment: 20,
  store: 4,
};
export const SERVICES = Object.keys(CALLS);

/** Everything that telemetry shows of the shop when an alert comes. The same options give the same snapshot. */
export function shop(options: ShopOptions = {}): Snapshot {
  const { shift = 0, name = (service) => service, strangers = 0 } = options;
  const edges: Edge[] = SERVICES.flatMap((caller) =>
    (CALLS[caller] ?? []).map((callee) => ({ caller: name(caller), callee: name(callee) })),
  );
  const names = SERVICES.map(name);
  return {
    window: { from: shift, to: TRIGGER + shift },
    trigger: TRIGGER + shift,
    services: names.map((one) => ({ name: one, kind: 'service', aliases: [], workload: null })),
    edges,
    series: [...seriesOfShop(options), ...seriesOfStrangers(strangers, shift)],
    instances: [],
    logs: [],
    spans: options.spans === false ? [] : spansOfShop(options),
    changes: [],
    rule: null,
    gaps: [],
  };
}

function spansOfShop({ faults = {}, shift = 0, name = (service) => service, seed = 1 }: ShopOptions): Span[] {
  const random = randomFrom(seed);
  const spans: Span[] = [];
  let id = 0;
  const work = (
    service: string,
    at: number,
    traceId: string,
    parent: string | null,
  ): { end: number; failed: boolean } => {
    const faulty = at >= ONSET;
    const spanId = String(id++);
    const slow = faulty && faults.slow?.service === service ? faults.slow.ms : 0;
    let end = at + (WORK[service] ?? 0) * (0.7 + 0.6 * random()) + slow;
    let failed = faulty && faults.breaks?.service === service && random() < faults.breaks.share;
    if (!(faulty && faults.stops === service)) {
      for (const callee of CALLS[service] ?? []) {
        const touched = faults.network?.service === service || faults.network?.service === callee;
        const way = 1 + random() + (faulty && touched ? (faults.network?.ms ?? 0) : 0);
        const client = String(id++);
        const called = work(callee, end + way / 2, traceId, client);
        const ended = called.end;
        failed ||= called.failed;
        spans.push(
          spanOf(
            name(service),
            `call ${callee}`,
            end,
            ended + way / 2,
            traceId,
            client,
            spanId,
            shift,
            called.failed,
          ),
        );
        end = ended + way / 2;
      }
    }
    spans.push(spanOf(name(service), 'handle', at, end, traceId, spanId, parent, shift, failed));
    return { end, failed };
  };
  for (let minute = 30; minute >= 1; minute--) {
    for (let i = 0; i < 12; i++) work('front', TRIGGER - minute * MINUTE + i * 4_500, `${minute}-${i}`, null);
  }
  return spans;
}

function spanOf(
  service: string,
  operation: string,
  from: number,
  to: number,
  traceId: string,
  spanId: string,
  parentSpanId: string | null,
  shift: number,
  failed: boolean,
): Span {
  return {
    traceId,
    spanId,
    parentSpanId,
    service,
    operation,
    at: from + shift,
    durationMs: to - from,
    failed,
    message: null,
  };
}

function seriesOfShop({
  faults = {},
  scale = 1,
  shift = 0,
  name = (s) => s,
  seed = 1,
}: ShopOptions): Series[] {
  const random = randomFrom(seed + 1);
  return SERVICES.flatMap((service) => {
    const depends = dependsOn(service);
    const added = [faults.slow, faults.network]
      .filter((one) => one !== undefined && depends.has(one.service))
      .reduce((sum, one) => sum + (one?.ms ?? 0), 0);
    const failing = faults.fails;
    const share = failing !== undefined && depends.has(failing.service) ? failing.share : 0;
    const thinned = failing?.service === service ? share : share / 3;
    const wave = (value: number) => value * (0.9 + 0.2 * random());
    const points = (value: (faulty: boolean) => number) => {
      const times = Float64Array.from({ length: 240 }, (_, i) => (i + 1) * MINUTE + shift);
      return { times, values: times.map((time) => value(time - shift > ONSET)) };
    };
    const total = [...depends].reduce((sum, one) => sum + (WORK[one] ?? 0), 0);
    return [
      seriesOf(
        name(service),
        signalOf('latency_mean', 'latency', 'high'),
        points((faulty) => (wave(total) + (faulty ? added : 0)) * scale),
      ),
      seriesOf(
        name(service),
        signalOf('error_ratio', 'errors', 'high'),
        points((faulty) => (faulty ? thinned : 0)),
      ),
      seriesOf(
        name(service),
        signalOf('requests', 'requests', 'either'),
        points((faulty) => wave(5) * (faulty ? (faults.traffic ?? 1) : 1)),
      ),
    ];
  });
}

function seriesOfStrangers(count: number, shift: number): Series[] {
  const random = randomFrom(7);
  return Array.from({ length: count }, (_, index) => {
    const times = Float64Array.from({ length: 240 }, (_, i) => (i + 1) * MINUTE + shift);
    const values = times.map(() => 100 * (0.9 + 0.2 * random()));
    return seriesOf(`stranger-${index}`, signalOf('latency_mean', 'latency', 'high'), { times, values });
  });
}

function signalOf(id: string, measure: Signal['measure'], bad: Signal['bad']): Signal {
  const unit = measure === 'latency' ? 'ms' : measure === 'errors' ? '1' : '{request}/s';
  const base = { id, name: id, label: id, measure, unit, bad, metricType: 'gauge' as const };
  return measure === 'latency' ? { ...base, quantile: 'mean' } : base;
}

export function seriesOf(service: string, signal: Signal, points: Series['points']): Series {
  return {
    signal,
    service,
    instance: null,
    edge: null,
    labels: {},
    points,
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'test',
  };
}

function dependsOn(service: string): Set<string> {
  const all = new Set([service]);
  for (const one of all) for (const callee of CALLS[one] ?? []) all.add(callee);
  return all;
}

export function change(over: Partial<Change>): Change {
  return {
    at: ONSET - MINUTE,
    service: null,
    kind: 'deploy',
    title: '',
    version: null,
    ref: null,
    url: null,
    details: null,
    ...over,
  };
}

export function line(service: string, level: string, message: string, at: number): LogLine {
  return { at, service, instance: null, level, message, traceId: null };
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}
