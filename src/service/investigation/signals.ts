/**
 * What a metric means: which way is bad, and how far it must go to mean anything, whatever its noise.
 * `symptom` is what callers feel, `resource` is what runs out, `context` only supports a case.
 */
export interface Signal {
  metric: string;
  label: string;
  bad: 'high' | 'low';
  /** Least change in the metric's unit, and as a share of the level before. */
  least: number;
  leastShare: number;
  role: 'symptom' | 'resource' | 'context';
  /** How many samples in a row must be bad. */
  run: number;
  /** Words by which an issue speaks of it. */
  words: RegExp;
  /** It moves slowly: it began before it was far enough to be noticed. */
  creeps?: true;
}

/** The metrics that the investigator understands; others are left alone. */
export const SIGNALS: readonly Signal[] = [
  {
    metric: 'errors.ratio',
    label: 'error rate',
    bad: 'high',
    least: 0.015,
    leastShare: 1,
    role: 'symptom',
    words: /error|fail|5xx|exception|declin/iu,
    run: 2,
  },
  {
    metric: 'latency.p95',
    label: 'p95 latency',
    bad: 'high',
    least: 12,
    leastShare: 0.45,
    role: 'symptom',
    words: /latenc|slow|p9\d|timeout|response time|duration/iu,
    run: 2,
  },
  {
    metric: 'queue.depth',
    label: 'queue depth',
    bad: 'high',
    least: 250,
    leastShare: 1.5,
    role: 'symptom',
    words: /queue|backlog|lag|depth/iu,
    run: 2,
    creeps: true,
  },
  {
    metric: 'queue.oldest_age',
    label: 'oldest message age',
    bad: 'high',
    least: 15,
    leastShare: 2,
    role: 'symptom',
    words: /queue age|oldest|stale/iu,
    run: 2,
    creeps: true,
  },
  {
    metric: 'memory.utilization',
    label: 'memory usage',
    bad: 'high',
    least: 0.08,
    leastShare: 0.12,
    role: 'resource',
    words: /memory|heap|oom/iu,
    run: 2,
    creeps: true,
  },
  {
    metric: 'connections.used',
    label: 'connections in use',
    bad: 'high',
    least: 5,
    leastShare: 0.5,
    role: 'resource',
    words: /connection|pool/iu,
    run: 2,
    creeps: true,
  },
  {
    metric: 'disk.utilization',
    label: 'disk usage',
    bad: 'high',
    least: 0.06,
    leastShare: 0.08,
    role: 'resource',
    words: /disk|volume|space|storage/iu,
    run: 2,
    creeps: true,
  },
  {
    metric: 'certificate.remaining',
    label: 'time to certificate expiry',
    bad: 'low',
    least: 0,
    leastShare: 1,
    role: 'resource',
    words: /certificate|tls|ssl/iu,
    run: 2,
  },
  {
    metric: 'process.restarts',
    label: 'restarts',
    bad: 'high',
    least: 0.5,
    leastShare: 0,
    role: 'resource',
    words: /restart|crash/iu,
    run: 1,
  },
  {
    metric: 'cpu.utilization',
    label: 'CPU usage',
    bad: 'high',
    least: 0.12,
    leastShare: 0.3,
    role: 'context',
    words: /cpu|processor|load/iu,
    run: 2,
  },
  {
    metric: 'requests.rate',
    label: 'throughput',
    bad: 'low',
    least: 5,
    leastShare: 0.35,
    role: 'context',
    words: /traffic|throughput|\brequests? (?:rate|(?:per|a|each) second)|\b[rq]ps\b/iu,
    run: 2,
  },
  {
    metric: 'cache.hit_ratio',
    label: 'cache hit ratio',
    bad: 'low',
    least: 0.08,
    leastShare: 0.1,
    role: 'context',
    words: /hit ratio|cache miss/iu,
    run: 2,
  },
];

/** The signal of a metric, `undefined` for one that the investigator does not understand. */
export function signalOf(metric: string): Signal | undefined {
  return SIGNALS.find((signal) => signal.metric === metric);
}
