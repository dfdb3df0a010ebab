import type { Artifact, DataPoint } from '../../contract/answers.ts';

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
    provider: 'sandbox',
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
