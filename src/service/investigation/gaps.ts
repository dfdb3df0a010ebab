import type { Gap } from '../telemetry/view.ts';

const MOST = 3;

/** What could not be read, in a few sentences; empty if everything could. */
export function sentencesOn(gaps: readonly Gap[]): string {
  const reasons = [...new Set(gaps.map(({ reason }) => reason))];
  const more =
    reasons.length > MOST ? ` ${reasons.length - MOST} more problems like these are in the log.` : '';
  return reasons.slice(0, MOST).join(' ') + more;
}

/** Without metrics or dependencies, the cause may be out of sight. */
export function weakens(gaps: readonly Gap[]): boolean {
  return gaps.some(({ what }) => ['metrics', 'services', 'dependencies'].includes(what));
}
