import type { MetricInfo, Point, Window } from '../../service/telemetry/telemetry.ts';
import { type Effect, effectAt, NO_EFFECT, STEP } from './effects.ts';
import type { Fault } from './faults.ts';
import { chance, noise } from './random.ts';
import { SHOP, type ShopService } from './topology.ts';

/** What a sample is computed from. `jitter` is noise of mean 0 and deviation 1, `load` is 1 at noon. */
interface Sample {
  service: ShopService;
  load: number;
  jitter: number;
  effect: Effect;
}

interface ShopMetric extends MetricInfo {
  of: (service: ShopService) => boolean;
  value: (sample: Sample) => number;
}

const DAY = 86_400_000;
const CERTIFICATE_LIFE = 63 * 86_400;
const everything = () => true;
const runsCode = (service: ShopService) => ['web', 'service', 'worker'].includes(service.kind);

const METRICS: readonly ShopMetric[] = [
  {
    name: 'requests.rate',
    description: 'Requests, queries, messages or jobs handled per second',
    unit: '{request}/s',
    metricType: 'gauge',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      service.rate * load * (1 + 0.04 * jitter) * Math.max(0, effect.traffic),
  },
  {
    name: 'errors.ratio',
    description: 'Fraction of requests that fail',
    unit: '1',
    metricType: 'gauge',
    of: (service) => service.kind !== 'queue',
    value: ({ jitter, effect }) => ratio(0.003 * (1 + 0.3 * jitter) + effect.errors * (1 + 0.06 * jitter)),
  },
  {
    name: 'latency.p95',
    description: '95th percentile of request latency',
    unit: 'ms',
    metricType: 'gauge',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      service.latency * (0.85 + 0.2 * load) * (1 + 0.06 * jitter) + effect.latency * (1 + 0.08 * jitter),
  },
  {
    name: 'cpu.utilization',
    description: 'CPU usage, as a fraction of what is available',
    unit: '1',
    metricType: 'gauge',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      ratio(service.cpu * (0.5 + 0.5 * load) * (1 + 0.05 * jitter) + effect.cpu),
  },
  {
    name: 'memory.utilization',
    description: 'Memory usage, as a fraction of the limit',
    unit: '1',
    metricType: 'gauge',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      ratio(service.memory * (0.97 + 0.03 * load) + 0.006 * jitter + effect.memory),
  },
  {
    name: 'connections.used',
    description: 'Database connections in use',
    unit: '{connection}',
    metricType: 'gauge',
    of: (service) => service.connections !== undefined,
    value: ({ service, load, jitter, effect }) => {
      const limit = service.connections ?? 0;
      return Math.round(
        Math.min(limit, limit * (0.32 * (0.6 + 0.4 * load) * (1 + 0.06 * jitter) + effect.connections)),
      );
    },
  },
  {
    name: 'connections.limit',
    description: 'Limit on open database connections',
    unit: '{connection}',
    metricType: 'gauge',
    of: (service) => service.connections !== undefined,
    value: ({ service }) => service.connections ?? 0,
  },
  {
    name: 'disk.utilization',
    description: 'Disk usage, as a fraction of the volume',
    unit: '1',
    metricType: 'gauge',
    of: (service) => service.disk !== undefined,
    value: ({ service, jitter, effect }) => ratio((service.disk ?? 0) + 0.002 * jitter + effect.disk),
  },
  {
    name: 'queue.depth',
    description: 'Messages in the queue',
    unit: '{message}',
    metricType: 'gauge',
    of: (service) => service.kind === 'queue',
    value: ({ service, load, jitter, effect }) =>
      Math.round(service.rate * load * (0.8 + 0.15 * jitter) + effect.backlog),
  },
  {
    name: 'queue.oldest_age',
    description: 'Age of the oldest message in the queue',
    unit: 's',
    metricType: 'gauge',
    of: (service) => service.kind === 'queue',
    value: ({ jitter, effect }) => Math.max(0, 2 + 0.4 * jitter + effect.age),
  },
  {
    name: 'cache.hit_ratio',
    description: 'Fraction of lookups that hit the cache',
    unit: '1',
    metricType: 'gauge',
    of: (service) => service.kind === 'cache',
    value: ({ jitter }) => ratio(0.94 + 0.006 * jitter),
  },
  {
    name: 'certificate.remaining',
    description: 'Time until the TLS certificate expires',
    unit: 's',
    metricType: 'gauge',
    of: (service) => service.kind === 'service' || service.kind === 'web',
    value: ({ effect }) => effect.certificate ?? CERTIFICATE_LIFE,
  },
  {
    name: 'process.restarts',
    description: 'Restarts of a process within the sample',
    unit: '{restart}',
    metricType: 'sum',
    of: runsCode,
    value: ({ effect }) => effect.restarts,
  },
];

/** The metrics that a service reports; none for a name that is not of the shop. */
export function metricsOf(service: string): MetricInfo[] {
  const node = SHOP[service];
  if (!node) return [];
  return METRICS.filter((metric) => metric.of(node)).map(({ name, description, unit, metricType }) => ({
    name,
    description,
    unit,
    metricType,
  }));
}

/** One metric, sampled every 30 seconds, computed from the faults that can be seen in the window. */
export function samples(
  seed: number,
  service: string,
  name: string,
  window: Window,
  faults: readonly Fault[],
): Point[] {
  const node = SHOP[service];
  const metric = METRICS.find((candidate) => candidate.name === name);
  if (!node || !metric?.of(node)) return [];
  const points: Point[] = [];
  for (let at = Math.ceil(window.from / STEP) * STEP; at < window.to; at += STEP) {
    const value = metric.value({
      service: node,
      load: loadAt(at),
      jitter: jitterAt(seed, service, name, at),
      effect: sumOf(faults, service, at),
    });
    points.push({ at, value });
  }
  return points;
}

/** The effect of all faults together. */
function sumOf(faults: readonly Fault[], service: string, at: number): Effect {
  let sum: Effect = NO_EFFECT;
  for (const fault of faults) {
    const effect = effectAt(fault, service, at);
    if (effect === NO_EFFECT) continue;
    sum = {
      latency: sum.latency + effect.latency,
      errors: sum.errors + effect.errors,
      cpu: sum.cpu + effect.cpu,
      memory: sum.memory + effect.memory,
      connections: sum.connections + effect.connections,
      disk: sum.disk + effect.disk,
      traffic: sum.traffic * effect.traffic,
      backlog: sum.backlog + effect.backlog,
      age: sum.age + effect.age,
      certificate: sum.certificate ?? effect.certificate,
      restarts: sum.restarts + effect.restarts,
    };
  }
  return sum;
}

/** More at lunch than at night: 0.62 to 1. */
function loadAt(at: number): number {
  return 0.81 + 0.19 * Math.sin((2 * Math.PI * ((at % DAY) / DAY - 0.25)) % (2 * Math.PI));
}

/** Small noise in every sample, and now and then a harmless blip that means nothing. */
function jitterAt(seed: number, service: string, name: string, at: number): number {
  const blip = chance(seed, 'blip', service, name, at / STEP) < 0.003 ? 3 : 0;
  return noise(seed, service, name, at / STEP) + blip;
}

function ratio(value: number): number {
  return Math.min(1, Math.max(0, value));
}
