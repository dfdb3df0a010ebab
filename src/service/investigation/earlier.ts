import { type View, viewOf } from '../telemetry/view.ts';
import { survey } from './anomalies.ts';
import type { Earlier } from './case.ts';
import { confidenceOf } from './confidence.ts';
import { diagnose } from './diagnose.ts';
import { worstSeen } from './place/incident.ts';

/**
 * The worst that a service (`null`: any) went through in the hour and a half before the view's moment, although it is
 * well now, with the cause that telemetry showed then. `null` if everything stayed in its normal range.
 */
export function earlierProblem(view: View, service: string | null): Earlier | null {
  const anomaly = worstSeen(survey(view), service);
  if (anomaly === null) return null;
  const { end, onset, series } = anomaly;
  if (end === null || end > view.trigger) return { anomaly, isOver: false, cause: null };
  const then = viewOf({ ...view.snapshot, trigger: end - 1 });
  const {
    survey: seen,
    incident,
    best,
    others,
  } = diagnose(then, {
    named: series.service,
    text: series.signal.label,
  });
  const confidence = incident && best ? confidenceOf(best, incident, { gaps: view.gaps, others }) : 'low';
  if (incident === null || best === null || confidence === 'low')
    return { anomaly, isOver: true, cause: null };
  // What was usual is measured from then, as in the cause.
  const same = incident.primary.series === series && onset === incident.primary.onset;
  const shown = same ? incident.primary : anomaly;
  return { anomaly: shown, isOver: true, cause: { survey: seen, incident, best, confidence } };
}
