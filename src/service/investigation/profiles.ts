import type { Measure, Series } from '../telemetry/model.ts';

/**
 * How a measure behaves in any system: how far beyond its noise it must go to matter. `symptom` is felt by callers,
 * `resource` runs out, `context` only supports a case.
 */
export interface Profile {
  measure: Measure;
  label: string;
  role: 'symptom' | 'resource' | 'context';
  /** The smallest relevant change of a ratio or a count, if that is the same in every system; otherwise 0. */
  least: number;
  /** The smallest relevant change as a share of the previous level. */
  leastShare: number;
  /** How many samples in a row must be bad. */
  run: number;
  /** Words that an issue uses for it. */
  words: RegExp;
  /** It moves slowly, so it began before it was noticeable. */
  creeps?: true;
}

/** Never matches: there is no everyday name for it. */
const NO_WORDS = /(?!)/u;

const profile = (
  measure: Measure,
  label: string,
  role: Profile['role'],
  [least, leastShare, run]: [number, number, number],
  words: RegExp,
): Profile => ({ measure, label, role, least, leastShare, run, words });

/** In order of precedence for a text that mentions several. */
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
