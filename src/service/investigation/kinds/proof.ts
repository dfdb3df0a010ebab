import type { Measure } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate, FailureReason } from '../candidates.ts';
import type { LogPattern } from '../log-patterns.ts';

/**
 * What proves a kind of fault. Which series have these measures, in each naming convention, is one table as well: for
 * Prometheus, `signs.ts`. The words are those of log lines, and of the labels of failed requests (`error_type`,
 * `exception`, Envoy’s `response_flags`).
 */
interface Proof {
  /** The most telling first. */
  measures: readonly Measure[];
  words?: RegExp;
}

export const PROOF = {
  cpu: { measures: ['throttling', 'cpu'] },
  memory: { measures: ['oom-kills', 'memory', 'restarts'], words: /memory|garbage|heap|OOM/u },
  disk: { measures: ['disk'], words: /no space|ENOSPC|disk (?:is )?full|volume|quota exceeded/iu },
  pool: {
    measures: ['connections', 'waiting'],
    words: /pool|too many (?:clients|connections)|no free connection|GetJdbcConnection|acquir/iu,
  },
  queue: {
    measures: ['queue', 'lag'],
    words: /timed out|returned to the queue|redeliver|rebalanc/iu,
  },
  cache: { measures: ['up', 'cache-hits'], words: /cache|evict|maxmemory|refused|OOM/iu },
  certificate: { measures: ['certificate'], words: /certificate|\bTLS\b|tls_|ssl|x509|handshake/iu },
  query: {
    measures: ['latency', 'queries'],
    words: /slow query|sequential scan|statement timeout|QueryTimeout|lock wait/iu,
  },
  connection: {
    measures: [],
    words:
      /resol(?:ve|ution)|\bdns\b|unknown ?host|no such host|no route|unreachable|refused|\breset\b|dial|connect|\b(?:UF|UH|UC|NR|URX|LH)\b/iu,
  },
} satisfies Record<string, Proof>;

/** The candidate's own new log line about a kind of fault, errors before warnings. */
export function lineAbout(candidate: Candidate, { words }: { words: RegExp }): LogPattern | undefined {
  const matching = candidate.ownLogs.filter(({ example }) => words.test(example));
  return matching.find(({ level }) => level === 'error') ?? matching[0];
}

/** What the labels of its new failures say about a kind of fault. */
export function reasonAbout(candidate: Candidate, { words }: { words: RegExp }): FailureReason | undefined {
  return candidate.reasons.find((reason) => words.test(reason.words));
}

/** The candidate's anomaly of the most telling of a kind's measures. */
export function signOf(candidate: Candidate, { measures }: Pick<Proof, 'measures'>): Anomaly | undefined {
  return measures.map((measure) => candidate.anomaly(measure)).find((found) => found !== undefined);
}
