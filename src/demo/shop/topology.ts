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

type Levels = readonly [rate: number, latency: number, cpu: number, memory: number];

const of = (
  kind: ServiceKind,
  [rate, latency, cpu, memory]: Levels,
  calls: ShopService['calls'],
  limits: Pick<ShopService, 'connections' | 'disk'> = {},
): ShopService => ({ kind, rate, latency, cpu, memory, calls, ...limits });

export const SHOP: Readonly<Record<string, ShopService>> = {
  gateway: of('web', [420, 95, 0.34, 0.41], { web: 0.6, 'checkout-api': 0.3, catalogue: 0.2 }),
  web: of('web', [310, 140, 0.38, 0.52], { cart: 0.35, catalogue: 0.5, 'checkout-api': 0.4 }),
  'checkout-api': of(
    'service',
    [85, 210, 0.31, 0.48],
    { cart: 0.4, payments: 0.8, inventory: 0.5, 'orders-db': 0.8, 'order-queue': 0 },
    { connections: 60 },
  ),
  payments: of('service', [62, 180, 0.27, 0.46], { 'payments-db': 0.9 }, { connections: 40 }),
  'payments-db': of('database', [210, 14, 0.29, 0.63], {}, { connections: 120, disk: 0.58 }),
  cart: of('service', [150, 38, 0.24, 0.44], { cache: 0.9 }),
  catalogue: of('service', [240, 62, 0.33, 0.51], { inventory: 0.5, cache: 0.6 }),
  inventory: of('service', [130, 48, 0.26, 0.42], { 'orders-db': 0.8 }, { connections: 30 }),
  'orders-db': of('database', [540, 18, 0.36, 0.67], {}, { connections: 200, disk: 0.61 }),
  cache: of('cache', [900, 2, 0.18, 0.71], {}),
  'order-queue': of('queue', [74, 6, 0.15, 0.39], { 'order-worker': 0, 'search-indexer': 0 }, { disk: 0.33 }),
  'order-worker': of('worker', [70, 320, 0.42, 0.47], { 'orders-db': 0.8 }),
  'search-indexer': of('worker', [72, 260, 0.4, 0.53], { catalogue: 0.3 }, { disk: 0.55 }),
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
