import {
  type Measure,
  NO_POINTS,
  type Points,
  type Signal,
  type Window,
} from '../../service/telemetry/model.ts';
import { type Effect, effectAt, NO_EFFECT, STEP } from './effects.ts';
import type { Fault } from './faults.ts';
import { chanceOf, extend, hash, noiseOf } from './random.ts';
import { SHOP, type ShopService } from './topology.ts';

/** What a sample is computed from. `jitter` is noise of mean 0 and deviation 1, `load` is 1 at noon. */
interface Sample {
  service: ShopService;
  load: number;
  jitter: number;
  effect: Effect;
}

interface ShopMetric extends Pick<Signal, 'name' | 'label' | 'unit'> {
  /** Default `gauge`. */
  metricType?: Signal['metricType'];
  /** `null` for what is only the limit of another. */
  measure: Measure | null;
  /** Default `high`. */
  bad?: Signal['bad'];
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
    label: 'throughput',
    measure: 'requests',
    bad: 'low',
    unit: '{request}/s',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      service.rate * load * (1 + 0.04 * jitter) * Math.max(0, effect.traffic),
  },
  {
    name: 'errors.ratio',
    label: 'error rate',
    measure: 'errors',
    unit: '1',
    of: (service) => service.kind !== 'queue',
    value: ({ jitter, effect }) => ratio(0.003 * (1 + 0.3 * jitter) + effect.errors * (1 + 0.06 * jitter)),
  },
  {
    name: 'latency.p95',
    label: 'p95 latency',
    measure: 'latency',
    unit: 'ms',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      service.latency * (0.85 + 0.2 * load) * (1 + 0.06 * jitter) + effect.latency * (1 + 0.08 * jitter),
  },
  {
    name: 'cpu.utilization',
    label: 'CPU usage',
    measure: 'cpu',
    unit: '1',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      ratio(service.cpu * (0.5 + 0.5 * load) * (1 + 0.05 * jitter) + effect.cpu),
  },
  {
    name: 'memory.utilization',
    label: 'memory usage',
    measure: 'memory',
    unit: '1',
    of: everything,
    value: ({ service, load, jitter, effect }) =>
      ratio(service.memory * (0.97 + 0.03 * load) + 0.006 * jitter + effect.memory),
  },
  {
    name: 'connections.used',
    label: 'connections in use',
    measure: 'connections',
    unit: '{connection}',
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
    label: 'limit of connections',
    measure: null,
    unit: '{connection}',
    of: (service) => service.connections !== undefined,
    value: ({ service }) => service.connections ?? 0,
  },
  {
    name: 'disk.utilization',
    label: 'disk usage',
    measure: 'disk',
    unit: '1',
    of: (service) => service.disk !== undefined,
    value: ({ service, jitter, effect }) => ratio((service.disk ?? 0) + 0.002 * jitter + effect.disk),
  },
  {
    name: 'queue.depth',
    label: 'queue depth',
    measure: 'queue',
    unit: '{message}',
    of: (service) => service.kind === 'queue',
    value: ({ service, load, jitter, effect }) =>
      Math.round(service.rate * load * (0.8 + 0.15 * jitter) + effect.backlog),
  },
  {
    name: 'queue.oldest_age',
    label: 'oldest message age',
    measure: 'lag',
    unit: 's',
    of: (service) => service.kind === 'queue',
    value: ({ jitter, effect }) => Math.max(0, 2 + 0.4 * jitter + effect.age),
  },
  {
    name: 'cache.hit_ratio',
    label: 'cache hit ratio',
    measure: 'cache-hits',
    bad: 'low',
    unit: '1',
    of: (service) => service.kind === 'cache',
    value: ({ jitter }) => ratio(0.94 + 0.006 * jitter),
  },
  {
    name: 'certificate.remaining',
    label: 'time to certificate expiry',
    measure: 'certificate',
    bad: 'low',
    unit: 's',
    of: (service) => service.kind === 'service' || service.kind === 'web',
    value: ({ effect }) => effect.certificate ?? CERTIFICATE_LIFE,
  },
  {
    name: 'process.restarts',
    label: 'restarts',
    measure: 'restarts',
    unit: '{restart}',
    metricType: 'sum',
    of: runsCode,
    value: ({ effect }) => effect.restarts,
  },
];

/** The metrics of the shop as signals; limits are not among them. */
export const SHOP_SIGNALS: readonly Signal[] = METRICS.flatMap((metric) => {
  const { name, label, unit, metricType = 'gauge', measure, bad = 'high' } = metric;
  const quantile = measure === 'latency' && { quantile: 0.95 };
  return measure === null ? [] : [{ id: name, name, label, unit, metricType, measure, bad, ...quantile }];
});

/** The metric that a metric cannot exceed. */
export const LIMITS: Readonly<Record<string, string>> = { 'connections.used': 'connections.limit' };

/** Whether a service reports a metric. */
export function reports(service: string, name: string): boolean {
  const node = SHOP[service];
  return node !== undefined && METRICS.some((metric) => metric.name === name && metric.of(node));
}

/**
 * Reads the metrics of one service by their names, sampled every 30 seconds. What the faults that can be seen in the
 * window do to the service is computed once for all of them.
 */
export function metricsOf(
  seed: number,
  service: string,
  window: Window,
  faults: readonly Fault[],
): (name: string) => Points {
  const node = SHOP[service];
  if (!node) return () => NO_POINTS;
  const first = Math.ceil(window.from / STEP) * STEP;
  const count = Math.max(0, Math.ceil((window.to - first) / STEP));
  const times = Float64Array.from({ length: count }, (_, i) => first + i * STEP);
  const moments = Array.from(times, (at) => ({
    // As `extend` would write the number, for every metric again.
    sample: (at / STEP).toString(36),
    load: loadAt(at),
    effect: sumOf(faults, service, at),
  }));
  return (name) => {
    const metric = METRICS.find((candidate) => candidate.name === name);
    if (!metric?.of(node)) return NO_POINTS;
    const blip = hash(seed, 'blip', service, name);
    const noise = hash(seed, service, name);
    const values = moments.map(({ sample, load, effect }) =>
      metric.value({ service: node, load, jitter: jitterOf(blip, noise, sample), effect }),
    );
    return { times, values: Float64Array.from(values) };
  };
}

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
function jitterOf(blip: number, noise: number, sample: string): number {
  return noiseOf(extend(noise, sample)) + (chanceOf(extend(blip, sample)) < 0.003 ? 3 : 0);
}

function ratio(value: number): number {
  return Math.min(1, Math.max(0, value));
}
