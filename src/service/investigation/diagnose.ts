import type { View } from '../telemetry/view.ts';
import type { Anomaly } from './anomalies.ts';
import { candidatesIn } from './candidates.ts';
import { type Hypothesis, rankHypotheses } from './hypotheses.ts';
import { findIncident, type Incident, incidentFrom } from './incident.ts';
import { blamedChange } from './ranking/blamed-change.ts';
import { rankCauses } from './ranking/rank.ts';
import type { Ranking } from './ranking/types.ts';
import { type Survey, survey } from './survey.ts';

export interface Diagnosis {
  survey: Survey;
  /** `null` if everything is healthy. */
  incident: Incident | null;
  best: Hypothesis | null;
  /** The less likely explanations. */
  others: readonly Hypothesis[];
}

/**
 * What is wrong at the moment of the view, and why: the ranking decides which services are to blame, the fault kinds
 * what happened to them.
 *
 * @param subject.named the service that it is about; `null`: whichever is worst
 * @param subject.text people's description, which selects among its symptoms
 */
export function diagnose(view: View, subject: { named: string | null; text: string }): Diagnosis {
  const seen = survey(view);
  const noticed = findIncident(seen, subject.named, subject.text);
  const about = { service: subject.named, title: subject.text, description: '' };
  const ranking = view.snapshot.pastMs ? rankCauses(view.snapshot, about) : NOT_RANKED;
  const blamed = ranking.found ? (blamedChange(view.snapshot, about, ranking)?.change ?? null) : null;
  const incident =
    ranking === NOT_RANKED ? noticed : rankedIncident(noticed, ranking, seen, view, subject.named);
  const [best = null, ...others] = incident
    ? rankHypotheses(candidatesIn(incident, seen, view, { ranking, blamed }), incident)
    : [];
  // Trouble that merely passes by next to a healthy service explains nothing about it.
  if (incident?.chosen === 'neighbour' && best?.candidate.node.name !== incident.symptom)
    return { survey: seen, incident: null, best: null, others: [] };
  return { survey: seen, incident, best, others };
}

/** Without history the ranking has nothing to compare with. */
const NOT_RANKED: Ranking = { found: false, ranking: [] };

/**
 * The ranking knows what is usual, so it decides whether something is wrong, except for resources that run out before
 * anyone notices.
 */
function rankedIncident(
  noticed: Incident | null,
  ranking: Ranking,
  seen: Survey,
  view: View,
  named: string | null,
): Incident | null {
  const isFelt = noticed !== null && noticed.chosen !== 'neighbour';
  if (ranking.found) return isFelt ? noticed : incidentFrom(seen, view, ranking, named);
  return isFelt && noticed.primary.profile.role === 'resource' && runsOut(noticed.primary) ? noticed : null;
}

/**
 * A resource that will be used up within this time at its current rate is running out, whether or not anyone feels it
 * yet.
 */
const RUNS_OUT_WITHIN = 3 * 3_600_000;
/** The share of its limit at which it has run out. */
const RUN_OUT = 0.9;

function runsOut({ series, before, worst, worstAt, onset }: Anomaly): boolean {
  const limit = series.limit?.values.at(-1) ?? (series.signal.unit === '1' ? 1 : null);
  if (limit === null || limit <= 0 || before > limit) return false;
  if (worst >= RUN_OUT * limit) return true;
  const pace = (worst - before) / Math.max(1, worstAt - onset);
  return pace > 0 && (limit - worst) / pace <= RUNS_OUT_WITHIN;
}
