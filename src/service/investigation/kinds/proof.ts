import type { Candidate, FailureReason } from '../candidates.ts';
import type { LogPattern } from '../log-patterns.ts';

/**
 * The words that tell of a kind of fault: in log lines, and in the labels of failed requests (`error_type`, `exception`,
 * Envoy’s `response_flags`).
 */
export const PROOF = {
  memory: /memory|garbage|heap|OOM|\bGC\b/u,
  disk: /no space|ENOSPC|disk (?:is )?full|volume|quota exceeded/iu,
  pool: /pool|too many (?:clients|connections)|no free connection|GetJdbcConnection|acquir/iu,
  queue: /timed out|returned to the queue|redeliver|rebalanc/iu,
  cache: /cache|evict|maxmemory|refused|OOM/iu,
  certificate: /certificate|\bTLS\b|tls_|ssl|x509|handshake/iu,
  query: /slow query|sequential scan|statement timeout|QueryTimeout|lock wait/iu,
  connection:
    /resol(?:ve|ution)|\bdns\b|unknown ?host|no such host|no route|unreachable|refused|\breset\b|dial|connect|\b(?:UF|UH|UC|NR|URX|LH)\b/iu,
};

/** The candidate's own new log line about a kind of fault, errors before warnings. */
export function lineAbout(candidate: Candidate, words: RegExp): LogPattern | undefined {
  const matching = candidate.ownLogs.filter(({ example }) => words.test(example));
  return matching.find(({ level }) => level === 'error') ?? matching[0];
}

/** What the labels of its new failures say about a kind of fault. */
export function reasonAbout(candidate: Candidate, words: RegExp): FailureReason | undefined {
  return candidate.reasons.find((reason) => words.test(reason.words));
}
