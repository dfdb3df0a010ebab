import type { Change } from '../../telemetry/model.ts';
import type { Candidate } from '../candidates.ts';

const MINUTE = 60_000;

/** The sources' names for code changes and for configuration changes. */
const KINDS = { deploy: ['deploy', 'commit'], config: ['config', 'flag'] };

/**
 * The last change of a kind in the quarter of an hour before a moment, or shortly after it, since samples are coarse.
 */
export function changeBefore(
  candidate: Candidate,
  kind: 'deploy' | 'config',
  moment: number,
): Change | undefined {
  return candidate.changes.find(
    (change) =>
      KINDS[kind].includes(change.kind) && change.at <= moment + MINUTE && change.at >= moment - 15 * MINUTE,
  );
}

/** The weight of a change `lead` milliseconds before the onset: 1 within 3 minutes, 0.3 at 15. */
export function nearness(lead: number): number {
  if (lead <= 3 * MINUTE) return 1;
  return Math.max(0.3, 1 - (0.7 * (lead - 3 * MINUTE)) / (12 * MINUTE));
}
