import type {
  Artifact,
  CausalTreeV2,
  DataPoint,
  InvestigationResults,
} from '../../../src/contract/answers.ts';

const MINUTE = 60_000;
const ROUTES = [
  '/cart',
  '/checkout',
  '/payments/authorise',
  '/login',
  '/search',
  '/product/:id',
  '/health',
  '/orders',
];

/** When the charts' alert fired. */
export const TRIGGERED_AT = Date.UTC(2026, 5, 2, 14, 28);

interface Given {
  name: string;
  unit: string;
  description?: string;
  points: DataPoint[];
}

/** Metric artifacts as a service may answer them, by what is hard about them. */
export const HARD_CHARTS: Readonly<Record<string, Artifact>> = {
  'eight series': metric({
    name: 'http.server.request.duration p95',
    unit: 'ms',
    description: 'How long requests take',
    points: ROUTES.flatMap((route, i) =>
      every(40, MINUTE, (j) => 60 + i * 45 + wave(i, j) * 15 + (i === 2 && j > 22 ? (j - 22) * 28 : 0), {
        route,
      }),
    ),
  }),
  'three series over days': metric({
    name: 'queue depth',
    unit: '{message}',
    points: ['eu-west-1', 'us-east-1', 'ap-south-1'].flatMap((region, i) =>
      every(96, 60 * MINUTE, (j) => 4000 * (i + 1) + wave(i, j) * 900 + (i === 1 && j > 60 ? j * 300 : 0), {
        'cloud.region': region,
        'service.name': 'order-queue',
      }),
    ),
  }),
  'far too many series': metric({
    name: 'container.memory.usage',
    unit: 'By',
    points: Array.from({ length: 23 }, (_, i) => i).flatMap((i) =>
      every(30, MINUTE, (j) => 3e8 + i * 2.1e7 + j * i * 1.5e6 + wave(i, j) * 1e7, {
        pod: `checkout-api-7d9f-${i}`,
      }),
    ),
  }),
  'gaps and what is no number': metric({
    name: 'cpu.utilization',
    unit: '1',
    points: every(60, MINUTE / 2, (j) =>
      (j > 15 && j < 22) || j === 35 || j === 37 ? Number.NaN : 0.31 + wave(1, j) * 0.04 + (j > 40 ? 0.4 : 0),
    ),
  }),
  'one point': metric({ name: 'disk.free', unit: 'GiBy', points: every(1, MINUTE, () => 3.2) }),
  'a hundred thousand points': metric({
    name: 'requests',
    unit: '{request}/s',
    points: every(
      100_000,
      1000,
      (j) => 420 + 120 * Math.sin(j / 9000) + wave(2, j) * 20 + (j === 70_000 ? 600 : 0),
    ),
  }),
  'a level far from zero': metric({
    name: 'room temperature',
    unit: 'Cel',
    points: every(40, MINUTE, (j) => 21.2 + wave(1, j) * 0.2),
  }),
  'below and above zero': metric({
    name: 'clock offset',
    unit: 's',
    points: every(40, MINUTE, (j) => 0.004 * wave(3, j) + (j - 20) * 0.0004),
  }),
  'integers that do not change': metric({
    name: 'connections.limit',
    unit: '{connection}',
    points: every(20, MINUTE, () => 60).map(({ asDouble, ...point }) => ({
      ...point,
      asInt: String(asDouble),
    })),
  }),
  'names that are hard': metric({
    name: '数据库 <latency> & "more" 🔥',
    unit: 'furlongs',
    points: ['服务器-1', '', 'payments-db-primary.eu-west-1.compute.internal:5432', '<b>&amp;'].flatMap(
      (host, i) => every(20, MINUTE, (j) => 5 * i + wave(i, j), { host, zone: i > 1 ? 'a' : 'b' }),
    ),
  }),
  'long before the trigger': metric({
    name: 'errors.ratio',
    unit: '%',
    points: every(20, 1000, (j) => 2 + wave(1, j)).map((point) => ({
      ...point,
      timeUnixNano: `${BigInt(point.timeUnixNano ?? 0) - 86_400_000_000_000n * 40n}`,
    })),
  }),
};

function metric({ name, unit, description = '', points }: Given): Artifact {
  return {
    id: name,
    provider: 'demo',
    type: 'metric',
    summary: name,
    data: { metricType: 'gauge', name, description, unit, dataPoints: points },
  };
}

/** Points that end some minutes after the trigger. */
function every(
  count: number,
  step: number,
  value: (index: number) => number,
  attributes: Record<string, string> = {},
): DataPoint[] {
  const from = TRIGGERED_AT + Math.min(count * step, 8 * MINUTE) - count * step;
  return Array.from({ length: count }, (_, index) => ({
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    timeUnixNano: `${BigInt(Math.round(from + index * step)) * 1_000_000n}`,
    asDouble: value(index),
  }));
}

/** Something between -1 and 1 that looks measured and is the same each time. */
function wave(seed: number, index: number): number {
  return 0.6 * Math.sin(index * 0.7 + seed * 2) + 0.4 * Math.sin(index * 2.3 + seed * 5);
}

type Nodes = NonNullable<CausalTreeV2['nodes']>;
type Edges = NonNullable<CausalTreeV2['edges']>;

/** Causal graphs as a service may answer them on a bad day, by what is hard about them. */
export const HARD_GRAPHS: Readonly<Record<string, InvestigationResults>> = {
  'one node': tree(
    [{ id: 'a', title: 'Disk full at orders-db', nodeType: 'outcome', confidence: 'high' }],
    [],
  ),
  'three in a row': tree(
    [
      { id: 'a', title: 'Deploy of payments v2.31.0', nodeType: 'cause', confidence: 'high' },
      { id: 'b', title: 'payments: errors up to 34%', nodeType: 'effect', confidence: 'medium' },
      { id: 'c', title: 'Checkout fails for one in three customers', nodeType: 'outcome' },
    ],
    [
      { from: 'a', to: 'b', confidence: 0.92 },
      { from: 'b', to: 'c', confidence: 0.4 },
    ],
  ),
  'rival causes': tree(
    [
      {
        id: 'deploy',
        title: 'Deploy of checkout-api v418',
        description: 'It changed how connections are acquired from the pool.',
        nodeType: 'trigger',
        confidence: 'high',
      },
      {
        id: 'pool',
        title: 'Connection pool of checkout-api is exhausted',
        description: 'All 60 connections are in use from 14:21 on, and requests wait up to 30 s for one.',
        nodeType: 'root_cause',
        confidence: 'high',
      },
      {
        id: 'traffic',
        title: 'Higher traffic than usual',
        description: 'Requests are up by 4 %, which is within the usual range.',
        nodeType: 'hypothesis',
        confidence: 'low',
      },
      { id: 'db', title: 'orders-db responds slowly', nodeType: 'hypothesis', confidence: 'low' },
      { id: 'slow', title: 'checkout-api: latency p95 up 12-fold', nodeType: 'effect', confidence: 'high' },
      {
        id: 'retry',
        title: 'gateway retries and doubles the load',
        nodeType: 'effect',
        confidence: 'medium',
      },
      {
        id: 'down',
        title: 'Customers see errors at checkout',
        description: 'The alert: 5xx ratio of gateway above 5 % for 5 minutes.',
        nodeType: 'outcome',
        confidence: 'high',
      },
    ],
    [
      { from: 'deploy', to: 'pool', confidence: 0.9 },
      { from: 'pool', to: 'slow', confidence: 0.95 },
      { from: 'traffic', to: 'slow', confidence: 0.15 },
      { from: 'db', to: 'slow', confidence: 0.2 },
      { from: 'slow', to: 'retry', confidence: 0.6 },
      { from: 'retry', to: 'slow', confidence: 0.55 },
      { from: 'slow', to: 'down', confidence: 0.97 },
      { from: 'retry', to: 'down', confidence: 0.5 },
    ],
  ),
  'the older form': {
    causalTree: {
      nodes: [
        { id: '1', type: 'validated', title: 'inventory certificate expired at 02:00 UTC' },
        { id: '2', type: 'validated', title: 'TLS handshakes with inventory fail' },
        { id: '3', type: 'validated', title: 'catalogue shows no stock' },
      ],
      edges: [
        { id: 'x', source: '1', target: '2' },
        { id: 'y', source: '2', target: '3' },
        { id: 'z', source: '3', target: 'gone' },
      ],
    },
  },
  hostile: tree(
    [
      {
        id: 'a',
        title: '<script>alert(1)</script> & "quotes" \u202eesrever\u202c \u0007',
        nodeType: 'cause',
      },
      { id: 'a', title: 'The same id again' },
      { id: '__proto__', title: '数据库 timeout 🔥 on 服务器 db-7', nodeType: 'effect' },
      { title: '', description: '' },
      { id: 'd', title: `Pneumono${'ultramicroscopicsilicovolcano'.repeat(6)}coniosis`, nodeType: 'outcome' },
    ],
    [
      { from: 'a', to: '__proto__', confidence: 7000 },
      { from: '__proto__', to: 'd', confidence: -1 },
      { from: 'd', to: 'a', confidence: 1 },
      { from: 'd', to: 'd' },
      { from: 'nowhere', to: 'a' },
    ],
  ),
  'many nodes': grown(24),
  'far too many nodes': grown(500),
  'a chain too long': tree(
    Array.from({ length: 90 }, (_, i) => ({ id: `${i}`, title: `Step ${i + 1} of the avalanche` })),
    Array.from({ length: 89 }, (_, i) => ({ from: `${i}`, to: `${i + 1}`, confidence: 0.8 })),
  ),
  'everything linked to everything': tree(
    Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, title: `Service ${i} is slow` })),
    Array.from({ length: 900 }, (_, i) => ({
      from: `${i % 30}`,
      to: `${Math.floor(i / 30)}`,
      confidence: ((i * 7) % 100) / 100,
    })),
  ),
  'nothing linked': tree(
    ['payments', 'cart', 'inventory', 'search'].map((name) => ({ id: name, title: `${name} is degraded` })),
    [],
  ),
};

function tree(nodes: Nodes, edges: Edges): InvestigationResults {
  return { causalTreeV2: { nodes, edges } };
}

/** A tree with some cross-links; each node hangs at an earlier one. */
function grown(count: number): InvestigationResults {
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: `n${i}`,
    title: i === 0 ? 'Checkout is down' : `Finding ${i}: queue of worker-${i % 9} grows`,
    nodeType: i === 0 ? 'outcome' : i === count - 1 ? 'cause' : 'effect',
    confidence: ['high', 'medium', 'low', 'unknown'][i % 4] ?? 'high',
  }));
  const edges = nodes
    .slice(1)
    .flatMap((_, i) => [
      { from: `n${i + 1}`, to: `n${Math.floor(i / 3)}`, confidence: ((i * 37) % 100) / 100 },
      ...(i % 7 === 0 ? [{ from: `n${i + 1}`, to: `n${Math.floor(i / 2)}`, confidence: 0.3 }] : []),
    ]);
  return tree(nodes, edges);
}
