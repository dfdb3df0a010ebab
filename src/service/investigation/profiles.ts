import type { Measure, Series } from '../telemetry/model.ts';

/**
 * How a measure behaves, whatever the system: how far it must go beyond its own noise to matter to anybody.
 * `symptom` is what callers feel, `resource` is what runs out, `context` only supports a case.
 */
export interface Profile {
  measure: Measure;
  label: string;
  role: 'symptom' | 'resource' | 'context';
  /** Least change of a ratio or a count, whose size does not depend on the system; 0 if it does. */
  least: number;
  /** Least change as a share of the level before. */
  leastShare: number;
  /** How many samples in a row must be bad. */
  run: number;
  /** Words by which an issue speaks of it. */
  words: RegExp;
  /** It moves slowly: it began before it was far enough to be noticed. */
  creeps?: true;
}

/** Never matches: nobody speaks of it by a name of its own. */
const NO_WORDS = /(?!)/u;

const profile = (
  measure: Measure,
  label: string,
  role: Profile['role'],
  [least, leastShare, run]: [number, number, number],
  words: RegExp,
): Profile => ({ measure, label, role, least, leastShare, run, words });

/** In the order in which a text that speaks of several is read. */
export const PROFILES: readonly Profile[] = [
  profile('errors', 'error rate', 'symptom', [0.015, 1, 2], /error|fail|5xx|exception|declin/iu),
  profile('success', 'success rate', 'symptom', [0.015, 0, 2], /availab|success/iu),
  profile('latency', 'latency', 'symptom', [0, 0.45, 2], /latenc|slow|p9\d|timeout|response time|duration/iu),
  { ...profile('queue', 'queue depth', 'symptom', [0, 1.5, 2], /queue|backlog|depth/iu), creeps: true },
  {
    ...profile('lag', 'oldest message age', 'symptom', [0, 2, 2], /queue age|oldest|stale|\blag/iu),
    creeps: true,
  },
  {
    ...profile('memory', 'memory usage', 'resource', [0.08, 0.12, 2], /memory|heap|oom/iu),
    creeps: true,
  },
  {
    ...profile('connections', 'connections in use', 'resource', [0, 0.5, 2], /connection|pool/iu),
    creeps: true,
  },
  profile('waiting', 'requests waiting for a connection', 'resource', [0.5, 0.5, 2], /waiting|pending/iu),
  {
    ...profile('disk', 'disk usage', 'resource', [0.06, 0.08, 2], /disk|volume|space|storage/iu),
    creeps: true,
  },
  profile('certificate', 'time to certificate expiry', 'resource', [0, 1, 2], /certificate|tls|ssl/iu),
  profile('oom-kills', 'OOM kills', 'resource', [0.5, 0, 1], /oom|out of memory/iu),
  profile('restarts', 'restarts', 'resource', [0.5, 0, 1], /restart|crash/iu),
  profile('up', 'instances up', 'resource', [0.5, 0.1, 2], /\bdown\b|unreachable|not ready|unavailable/iu),
  profile('throttling', 'CPU throttling', 'resource', [0.1, 0.5, 2], /throttl/iu),
  profile('cpu', 'CPU usage', 'context', [0.12, 0.3, 2], /cpu|processor|load/iu),
  profile(
    'requests',
    'throughput',
    'context',
    [0, 0.35, 2],
    /traffic|throughput|\brequests? (?:rate|(?:per|a|each) second)|\b[rq]ps\b/iu,
  ),
  profile('cache-hits', 'cache hit ratio', 'context', [0.08, 0.1, 2], /hit ratio|cache miss/iu),
  profile('activity', 'activity', 'context', [0, 1, 2], NO_WORDS),
  profile('other', 'metric', 'context', [0, 1, 2], NO_WORDS),
];

const BY_MEASURE = new Map(PROFILES.map((one) => [one.measure, one]));

/** How the measure of a series behaves. */
export function profileOf({ signal }: Pick<Series, 'signal'>): Profile {
  const found = BY_MEASURE.get(signal.measure) ?? BY_MEASURE.get('other');
  if (!found) throw new Error(`no profile for ${signal.measure}`);
  return found;
}
