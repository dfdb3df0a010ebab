import type { IssueDetail } from '../../contract/schema/issue.ts';

const FAILED =
  /fail|error|cancel|abort|unsucc|incomplet|reject|crash|time[\s_-]?out|timed[\s_-]?out|expired/iu;
const RUNNING = /run|progress|pending|queue|start|investigating|process|analy[sz]|schedul|wait|ongoing/iu;
const DONE = /succ|complet|done|finish|ready|passed|\bended\b|resolved/iu;

/**
 * What the status of an issue's version says of its investigation. The contract names no values (2.4), so words are
 * looked for; `unknown` where there is no status, or it says neither.
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

/** People put an issue away: that says nothing of its investigation, which may go on. */
export function isClosed(status: string): boolean {
  return status === 'resolved' || status === 'muted';
}
