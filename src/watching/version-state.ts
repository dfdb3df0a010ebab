import type { IssueDetail } from '../service/schema/issue.ts';

/**
 * What the status of an issue's version says of its investigation. The contract names no values (2.4), so words are
 * looked for; `unknown` where there is no status, or it says neither.
 */
export function versionState(
  detail: IssueDetail,
  version: number,
): 'running' | 'failed' | 'done' | 'unknown' {
  const own = detail.versions?.find((one) => one.version === version)?.status ?? '';
  if (/fail|error|cancel|abort/iu.test(own)) return 'failed';
  if (/run|progress|pending|queue|start|investigating/iu.test(own)) return 'running';
  return /succ|complet|done|finish|ready/iu.test(own) ? 'done' : 'unknown';
}
