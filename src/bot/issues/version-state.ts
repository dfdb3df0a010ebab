import type { IssueDetail } from '../../contract/answers.ts';

const FAILED =
  /fail|error|cancel|abort|unsucc|incomplet|reject|crash|time[\s_-]?out|timed[\s_-]?out|expired/iu;
const RUNNING = /run|progress|pending|queue|start|investigating|process|analy[sz]|schedul|wait|ongoing/iu;
const DONE = /succ|complet|done|finish|ready|passed|\bended\b|resolved/iu;

/**
 * What a version's status says about its investigation. The contract defines no values (2.4), so this looks for known
 * words; `unknown` if there is no status, or no known word.
 */
export function versionState(
  detail: IssueDetail,
  version: number,
): 'running' | 'failed' | 'done' | 'unknown' {
  const own = detail.versions?.find((one) => one.version === version)?.status ?? '';
  if (FAILED.test(own)) return 'failed';
  if (RUNNING.test(own)) return 'running';
  return DONE.test(own) ? 'done' : 'unknown';
}

/** People close an issue; that says nothing about its investigation, which may still be running. */
export function isClosed(status: string): boolean {
  return status === 'resolved' || status === 'muted';
}
