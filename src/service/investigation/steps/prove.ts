import type { Budget } from '../../telemetry/budget.ts';
import type { Trouble } from '../../telemetry/model.ts';
import type { TelemetrySource } from '../../telemetry/source.ts';
import { type View, viewOf } from '../../telemetry/view.ts';
import { survey } from '../anomalies.ts';
import type { Case, Earlier, Means } from '../case.ts';
import { confidenceOf } from '../confidence.ts';
import { diagnose } from '../diagnose.ts';
import { rivalOf } from '../hypothesis.ts';
import { impactOf } from '../impact.ts';
import { worstSeen } from '../place/incident.ts';
import { failingRoute } from '../routes.ts';
import { type TimeLeft, timeLeft } from '../time-left.ts';

/** Of what was so long ago, what came then is known. */
const PRESENT_MS = 15 * 60_000;

/**
 * How sure the first explanation is, on which route alone it shows, how many requests failed, how long is left and of which
 * error budget; where there is none, what is over already.
 */
export async function prove(c: Case, { source, now, budget }: Means): Promise<Case> {
  const { view, subject, placed, hypotheses } = c;
  const { incident } = placed;
  const [best, ...others] = hypotheses;
  const route = incident && (await failingRoute(incident.primary, source, { trigger: view.trigger, budget }));
  const impact = incident && (await impactOf(incident, view, source, budget));
  const outside = await troublesOutside(c, source, budget);
  const left = now - view.trigger > PRESENT_MS ? [] : timesLeft(c);
  const hit = incident?.symptom ?? subject.named;
  const budgets = hit === null ? undefined : await source.objectives?.(hit, view.window, budget);
  const objectives = budgets?.known ? budgets.value : [];
  if (incident === null || best === undefined) {
    const earlier = subject.unknown === null ? earlierProblem(view, subject.named) : null;
    return { ...c, proven: { ...c.proven, route, impact, outside, left, objectives, earlier } };
  }
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  return {
    ...c,
    proven: {
      ...{ confidence, rival: rivalOf(best, others), route, impact, outside, left, objectives },
      earlier: null,
    },
  };
}

/** How long is left of what the service, the failing ones and those that they call have. */
function timesLeft({ view, subject, placed: { incident } }: Case): TimeLeft[] {
  const own = [subject.named, incident?.symptom, ...(incident?.affected.keys() ?? [])].filter(
    (name) => name != null,
  );
  const near = new Set([...own, ...own.flatMap((name) => view.node(name)?.calls ?? [])]);
  const window = { from: view.window.from, to: view.trigger + 1 };
  return [...near]
    .flatMap((service) => view.series(service))
    .flatMap((series) => timeLeft(series, view.points(series, window), view.trigger) ?? [])
    .sort((a, b) => a.at - b.at);
}

/** What the operators of those report to whom calls fail. A page without trouble is no evidence of anything. */
async function troublesOutside(
  { placed: { incident }, hypotheses }: Case,
  source: TelemetrySource,
  budget: Budget,
): Promise<Trouble[]> {
  const { statusPages: pages } = source;
  if (pages === undefined || incident === null) return [];
  const departing = [incident.primary, ...[...incident.affected.values()].flat()];
  const called = departing.flatMap(({ series: { edge } }) => edge?.callee ?? []);
  const names = [...called, ...hypotheses.slice(0, 2).map(({ candidate }) => candidate.node.name)];
  const hosts = new Set(names.flatMap((name) => pages.hostOf(name) ?? []));
  const readings = await Promise.all([...hosts].map((host) => pages.read(host, budget)));
  return readings.flatMap((reading) =>
    reading.known && reading.value.incidents.length > 0 ? [reading.value] : [],
  );
}

/**
 * The worst that a service (`null`: any) went through in the hour and a half before the view's moment, although it is
 * well now, with the cause that telemetry showed then. `null` if everything stayed in its normal range.
 */
function earlierProblem(view: View, service: string | null): Earlier | null {
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
