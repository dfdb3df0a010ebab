import type { Change } from '../../telemetry/model.ts';
import type { Candidate } from '../candidates.ts';
import { sameChange } from '../ranking/blamed-change.ts';
import { type Kind, limitShare, logged, type Recognized, seen, symptomOf } from './kind.ts';

const MINUTE = 60_000;
/** The share of its limit at which a resource has run out. */
const RAN_OUT = 0.9;

/** The sources' names for code changes and for configuration changes. */
export const CHANGES: Readonly<Record<'deploy' | 'config', readonly string[]>> = {
  deploy: ['deploy', 'commit'],
  config: ['config', 'flag'],
};

export const badDeploy: Kind = {
  name: 'bad deploy',
  recognize: (candidate) => {
    const found = afterChange(candidate, 'deploy');
    if (found === null) return null;
    // A resource that ran out explains more than a deploy that happened to precede it.
    const ranOut = candidate.anomalies.some(
      (anomaly) => anomaly.profile.role === 'resource' && (limitShare(candidate, anomaly) ?? 0) >= RAN_OUT,
    );
    const strength =
      0.5 * found.nearness + found.proof + (candidate.anomaly('errors') ? 0.1 : 0) - (ranOut ? 0.3 : 0);
    return { ...found.recognized, strength };
  },
};

/** A setting that was changed for the worse. */
export const configChange: Kind = {
  name: 'configuration change',
  recognize: (candidate) => {
    const found = afterChange(candidate, 'config');
    return found && { ...found.recognized, strength: 0.55 * found.nearness + found.proof + 0.1 };
  },
};

function afterChange(
  candidate: Candidate,
  kind: 'deploy' | 'config',
): { nearness: number; proof: number; recognized: Omit<Recognized, 'strength'> } | null {
  const symptom = symptomOf(candidate);
  if (symptom === undefined) return null;
  // The alert's own measure is the first that a change is compared with.
  const found = [candidate.since ?? symptom.onset, symptom.onset]
    .map((onset) => ({ onset, change: changeBefore(candidate, kind, onset) }))
    .find(({ change: one }) => one !== undefined);
  if (found?.change === undefined) return null;
  const { change, onset } = found;
  const line = candidate.ownLogs.find(({ level }) => level === 'error');
  const lead = Math.max(0, onset - change.at);
  const isShown = isProven(candidate, change);
  const isAlerted = Math.abs(onset - symptom.onset) > MINUTE;
  return {
    nearness: nearness(lead),
    proof: (line ? 0.3 : 0) + (isShown ? 0.3 : 0),
    recognized: {
      isOnlyAfter: !isShown,
      signs: { symptom, change, line, lead, isAlerted },
      observations: [
        { type: 'change', change, lead, isAlerted },
        ...logged(line),
        ...seen(symptom, candidate.node.name),
        ...candidate.brokenCalls
          .slice(0, 2)
          .flatMap(({ anomaly }) => seen(anomaly, candidate.node.name, 'calls')),
      ],
    },
  };
}

/** Whether a change is the cause for all that is known: else it is named as what came before, and no more. */
export function isProven({ proof }: Candidate, change: Change): boolean {
  return proof !== null && sameChange(proof.change, change);
}

/**
 * The last change of a kind in the quarter of an hour before a moment, or shortly after it, since samples are coarse.
 */
function changeBefore(candidate: Candidate, kind: 'deploy' | 'config', moment: number): Change | undefined {
  return candidate.changes.find(
    (change) =>
      CHANGES[kind].includes(change.kind) &&
      change.at <= moment + MINUTE &&
      change.at >= moment - 15 * MINUTE,
  );
}

/** The weight of a change `lead` milliseconds before the onset: 1 within 3 minutes, 0.3 at 15. */
function nearness(lead: number): number {
  if (lead <= 3 * MINUTE) return 1;
  return Math.max(0.3, 1 - (0.7 * (lead - 3 * MINUTE)) / (12 * MINUTE));
}
