import type { ServiceKind } from '../../service/telemetry/model.ts';

/** One service of the shop: what it calls, and its levels on a quiet day at noon. */
export interface ShopService {
  kind: ServiceKind;
  /** Requests, queries, messages or jobs a second. */
  rate: number;
  /** 95th percentile, milliseconds. */
  latency: number;
  cpu: number;
  memory: number;
  /** Size of its connection pool, or of the connections that a database accepts. */
  connections?: number;
  disk?: number;
  /** Calls, each with the share of a problem that a call carries upward; 0 for what is asynchronous. */
  calls: Readonly<Record<string, number>>;
}

export const SHOP: Readonly<Record<string, ShopService>> = {
  gateway: {
    kind: 'web',
    rate: 420,
    latency: 95,
    cpu: 0.34,
    memory: 0.41,
    calls: { web: 0.6, 'checkout-api': 0.3, catalogue: 0.2 },
  },
  web: {
    kind: 'web',
    rate: 310,
    latency: 140,
    cpu: 0.38,
    memory: 0.52,
    calls: { cart: 0.35, catalogue: 0.5, 'checkout-api': 0.4 },
  },
  'checkout-api': {
    kind: 'service',
    rate: 85,
    latency: 210,
    cpu: 0.31,
    memory: 0.48,
    connections: 60,
    calls: { cart: 0.4, payments: 0.8, inventory: 0.5, 'orders-db': 0.8, 'order-queue': 0 },
  },
  payments: {
    kind: 'service',
    rate: 62,
    latency: 180,
    cpu: 0.27,
    memory: 0.46,
    connections: 40,
    calls: { 'payments-db': 0.9 },
  },
  'payments-db': {
    kind: 'database',
    rate: 210,
    latency: 14,
    cpu: 0.29,
    memory: 0.63,
    connections: 120,
    disk: 0.58,
    calls: {},
  },
  cart: { kind: 'service', rate: 150, latency: 38, cpu: 0.24, memory: 0.44, calls: { cache: 0.9 } },
  catalogue: {
    kind: 'service',
    rate: 240,
    latency: 62,
    cpu: 0.33,
    memory: 0.51,
    calls: { inventory: 0.5, cache: 0.6 },
  },
  inventory: {
    kind: 'service',
    rate: 130,
    latency: 48,
    cpu: 0.26,
    memory: 0.42,
    connections: 30,
    calls: { 'orders-db': 0.8 },
  },
  'orders-db': {
    kind: 'database',
    rate: 540,
    latency: 18,
    cpu: 0.36,
    memory: 0.67,
    connections: 200,
    disk: 0.61,
    calls: {},
  },
  cache: { kind: 'cache', rate: 900, latency: 2, cpu: 0.18, memory: 0.71, calls: {} },
  'order-queue': {
    kind: 'queue',
    rate: 74,
    latency: 6,
    cpu: 0.15,
    memory: 0.39,
    disk: 0.33,
    calls: { 'order-worker': 0, 'search-indexer': 0 },
  },
  'order-worker': {
    kind: 'worker',
    rate: 70,
    latency: 320,
    cpu: 0.42,
    memory: 0.47,
    calls: { 'orders-db': 0.8 },
  },
  'search-indexer': {
    kind: 'worker',
    rate: 72,
    latency: 260,
    cpu: 0.4,
    memory: 0.53,
    disk: 0.55,
    calls: { catalogue: 0.3 },
  },
};

/** How a problem at one service reaches another: the share that arrives, and the number of calls between. */
interface Reach {
  share: number;
  hops: number;
}

/** Every service that a problem at `service` reaches, itself (share 1) among them. */
export function reachOf(service: string): ReadonlyMap<string, Reach> {
  const known = reaches.get(service);
  if (known) return known;
  const reach = new Map<string, Reach>([[service, { share: 1, hops: 0 }]]);
  // Names are visited until nothing changes; the graph is small and has no cycles.
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, { calls }] of Object.entries(SHOP)) {
      if (name === service) continue;
      const next = arriving(calls, reach);
      if (next && next.share !== reach.get(name)?.share) {
        reach.set(name, next);
        changed = true;
      }
    }
  }
  reaches.set(service, reach);
  return reach;
}

const reaches = new Map<string, ReadonlyMap<string, Reach>>();

function arriving(calls: ShopService['calls'], reach: ReadonlyMap<string, Reach>): Reach | null {
  let share = 0;
  let hops = Number.POSITIVE_INFINITY;
  for (const [callee, weight] of Object.entries(calls)) {
    const below = reach.get(callee);
    if (!below || weight === 0) continue;
    share += weight * below.share;
    hops = Math.min(hops, below.hops + 1);
  }
  return share === 0 ? null : { share: Math.min(1, share), hops };
}
