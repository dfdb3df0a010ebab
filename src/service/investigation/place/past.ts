import type { View } from '../../telemetry/view.ts';
import type { Anomaly, Survey } from '../anomalies.ts';
import { type Case, NOT_PLACED, type Placed } from '../case.ts';
import { rankCauses } from '../ranking/rank.ts';
import type { Ranking } from '../ranking/types.ts';
import { findIncident, type Incident, incidentFrom, isNegligible } from './incident.ts';

/** The place of the problem by what is usual: over the last hours, and as far back as the source's past shows. */
export function placeByPast({ view, survey, subject: { named, text } }: Case): Placed {
  const noticed = findIncident(survey, named, text);
  // Without history the ranking has nothing to compare with.
  if (!view.snapshot.pastMs) return { ...NOT_PLACED, by: 'past', incident: noticed };
  const ranking = rankCauses(view.snapshot, { service: named, title: text, description: '' });
  return { by: 'past', ranking, incident: rankedIncident(noticed, ranking, survey, view, named) };
}

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

/** Memory and connections also rise with instances and load: they run out only from this share of their limit on. */
const NEARLY = 0.7;

/** The share of its limit at which it has run out. */
const RUN_OUT = 0.9;

function runsOut({ series, before, worst, worstAt, onset, end }: Anomaly): boolean {
  if (end !== null) return false;
  const limit = series.limit?.values.at(-1) ?? (series.signal.unit === '1' ? 1 : null);
  if (limit === null || limit <= 0 || before > limit) return false;
  if (worst >= RUN_OUT * limit) return true;
  if (series.signal.measure !== 'disk' && worst < NEARLY * limit) return false;
  const pace = (worst - before) / Math.max(1, worstAt - onset);
  return pace > 0 && (limit - worst) / pace <= RUNS_OUT_WITHIN;
}

/** Whether anybody feels it: a restart alone, or a few failures more, are nothing to explain. */
export function isFelt({ primary }: Incident): boolean {
  return primary.profile.measure !== 'restarts' && !isNegligible(primary);
}
