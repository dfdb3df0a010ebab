import type { Issue } from '../store/issues.ts';

/**
 * The status that an issue returns to when its alert fires again, or when its mute ends. A mute that has not ended
 * stays. Setting `investigating` would start a new investigation if the last one has ended.
 */
export function statusToReturnTo(issue: Issue, now: number): string {
  if (issue.mutedUntil !== null && issue.mutedUntil > now) return 'muted';
  const before = issue.statusBefore ?? 'ready_to_fix';
  return before === 'investigating' && issue.endedVersion >= issue.version ? 'ready_to_fix' : before;
}
