import type { Gap } from '../telemetry/view.ts';
import { type Hypothesis, rivalOf } from './hypothesis.ts';
import type { Incident } from './place/incident.ts';

/** Without metrics or dependencies, the cause may be out of sight. */
function weakens(gaps: readonly Gap[]): boolean {
  return isPartial(gaps) || gaps.some(({ what }) => what === 'dependencies');
}

/** Whether series are missing that a source has: they could have decided otherwise. */
function isPartial(gaps: readonly Gap[]): boolean {
  return gaps.some(({ what }) => what === 'metrics' || what === 'services');
}

/**
 * `high`, `medium` or `low`: how likely the place is, calibrated on recorded incidents, or else how much of the fault's
 * signs were seen. Lower if the issue did not name the degraded service, or if something important could not be read;
 * at most medium if another cause is about as likely, if all that speaks for it is that it came before, if the service itself
 * complains of something else, or if series could not be read.
 */
export function confidenceOf(
  best: Hypothesis,
  incident: Incident,
  { gaps, others }: { gaps: readonly Gap[]; others: readonly Hypothesis[] },
): 'high' | 'medium' | 'low' {
  const { score, candidate, assessment } = best;
  const known = candidate.isRanked ? (candidate.suspect?.score ?? 0) : score;
  const sure = known - (incident.chosen === 'named' ? 0 : 0.25) - (weakens(gaps) ? 0.2 : 0);
  if (assessment.isOpen) return 'low';
  const isDecided =
    rivalOf(best, others) === null &&
    !assessment.isOnlyAfter &&
    !isPartial(gaps) &&
    (candidate.complaints.length === 0 || assessment.observations.some(({ type }) => type !== 'metric'));
  return sure >= 0.75 && isDecided ? 'high' : sure >= 0.45 ? 'medium' : 'low';
}
