import type { View } from '../telemetry/view.ts';
import type { Anomaly } from './anomalies.ts';
import { candidatesIn } from './candidates.ts';
import { type Hypothesis, rankHypotheses } from './hypotheses.ts';
import { findIncident, type Incident, incidentFrom } from './incident.ts';
import { rankCauses } from './ranking/rank.ts';
import type { Ranking } from './ranking/types.ts';
import { type Survey, survey } from './survey.ts';

export interface Diagnosis {
  survey: Survey;
  /** `null` where everything is healthy. */
  incident: Incident | null;
  best: Hypothesis | null;
  /** The explanations that are less likely. */
  others: readonly Hypothesis[];
}

/**
 * What is wrong at the moment that the view was taken for, and why: the ranking says which services are to blame, the kinds
 * of fault say what happened to them.
 *
 * @param subject.named the service that it is about; `null`: whatever is worst
 * @param subject.text what people say of it, which chooses between its symptoms
 */
export function diagnose(view: View, subject: { named: string | null; text: string }): Diagnosis {
  const seen = survey(view);
  const noticed = findIncident(seen, subject.named, subject.text);
  const blame = (service: string | null) =>
    rankCauses(view.snapshot, { service, title: subject.text, description: '' });
  let ranking = blame(subject.named);
  let incident: Incident | null;
  if (noticed !== null && noticed.chosen !== 'neighbour') {
    incident = isConfirmed(noticed, ranking, view)
      ? noticed
      : incidentFrom(seen, view, ranking, subject.named);
  } else if (ranking.found || noticed === null) {
    incident = incidentFrom(seen, view, ranking, subject.named);
  } else {
    // The service that is meant is healthy: its neighbour is not.
    ranking = blame(noticed.symptom);
    incident = isConfirmed(noticed, ranking, view) ? noticed : null;
  }
  const [best = null, ...others] = incident
    ? rankHypotheses(candidatesIn(incident, seen, view, ranking), incident)
    : [];
  // Trouble that only passes by next to a service that is well explains nothing about that service.
  if (incident?.chosen === 'neighbour' && best?.candidate.node.name !== incident.symptom)
    return { survey: seen, incident: null, best: null, others: [] };
  return { survey: seen, incident, best, others };
}

/** What will be used up within this time at the pace of its rise runs out, whoever feels it yet. */
const RUNS_OUT_WITHIN = 3 * 3_600_000;
/** A share of its limit from which on it has run out. */
const RUN_OUT = 0.9;

/**
 * A symptom counts where the ranking, which knows longer pasts, finds it unusual too: now, or when it was at its worst where
 * it is over. What runs out counts before it hurts anybody.
 */
function isConfirmed({ symptom, primary }: Incident, ranking: Ranking, { snapshot }: View): boolean {
  if (ranking.found) return true;
  const { profile, end, worstAt } = primary;
  if (end !== null) {
    const then = { ...snapshot, trigger: worstAt };
    return rankCauses(then, { service: symptom, title: '', description: '' }).found;
  }
  if (['certificate', 'restarts', 'up', 'queue', 'lag', 'waiting'].includes(profile.measure)) return true;
  return profile.role === 'resource' && runsOut(primary);
}

function runsOut({ series, before, worst, worstAt, onset }: Anomaly): boolean {
  const limit = series.limit?.values.at(-1) ?? (series.signal.unit === '1' ? 1 : null);
  if (limit === null || limit <= 0 || before > limit) return false;
  if (worst >= RUN_OUT * limit) return true;
  const pace = (worst - before) / Math.max(1, worstAt - onset);
  return pace > 0 && (limit - worst) / pace <= RUNS_OUT_WITHIN;
}
