import { median } from '../../../lib/statistics.ts';
import { pointsIn, type View } from '../../telemetry/view.ts';
import { type Anomaly, profileOf, type Survey } from '../anomalies.ts';
import { type Case, NOT_PLACED, type Placed } from '../case.ts';
import { badLevels } from '../compared.ts';
import { isOngoing, type Present } from '../place/departures.ts';
import { findIncident, type Incident, incidentFrom, isNegligible } from '../place/incident.ts';
import { locate, rankingOf, SHORT_MS, YOUNG_MS } from '../place/locate.ts';
import { rankCauses } from '../ranking/rank.ts';
import type { Ranking } from '../ranking/types.ts';

/**
 * Where the problem is: the newest samples decide on what is young, or where there is too little of a past to know what
 * is usual; else the past does.
 */
export function place(c: Case): Case {
  // No way leads from what telemetry does not know to what it shows.
  if (c.subject.unknown !== null) return c;
  const found = placed(c);
  return { ...c, placed: found.incident === null ? (placeByAlert(c) ?? found) : found };
}

/**
 * Where nothing departs for certain, and the alert's own measure left what was usual and fires: what is bad by itself at its
 * service is what it is about, however little of it there is to tell from.
 */
function placeByAlert({ view, subject: { named, since } }: Case): Placed | null {
  if (named === null || since === null) return null;
  const bad = badLevels(named, view).find(({ series }) => profileOf(series).role === 'symptom');
  if (bad === undefined) return null;
  const { series, now } = bad;
  const usual = pointsIn(series, { from: view.window.from, to: since }).map(({ value }) => value);
  const before = usual.length === 0 ? Number.NaN : median(usual);
  const primary = {
    series,
    profile: profileOf(series),
    onset: since,
    end: null,
    before,
    worst: now,
    worstAt: view.trigger,
  };
  if (Number.isNaN(before) || isNegligible(primary)) return null;
  return {
    ...NOT_PLACED,
    incident: { symptom: named, chosen: 'named', primary, affected: new Map([[named, [primary]]]) },
  };
}

function placed(c: Case): Placed {
  const { present, view, issue } = c;
  if (present === null) return placeByPast(c);
  const { trigger } = view;
  // A later look is about the alert, too: what went on when it came may be over.
  const moments = issue.triggeredAt < trigger ? [trigger, issue.triggeredAt] : [trigger];
  const now = moments.map((moment) => placeByPresent(c, present, moment)).find((one) => one !== null) ?? null;
  if (trigger - present.since < SHORT_MS) return now ?? NOT_PLACED;
  const isYoung = now !== null && now.moment - now.incident.primary.onset <= YOUNG_MS;
  if (isYoung && now.isConnected) return now;
  const past = placeByPast(c);
  if (past.incident !== null && (isFelt(past.incident) || isAnythingWrong(present, trigger))) return past;
  return isYoung ? now : NOT_PLACED;
}

/** The place of what goes on at a moment, by the newest samples, with what else departs there and is not read as finely. */
function placeByPresent({ subject, survey, view }: Case, present: Present, moment: number): PlacedNow | null {
  const located = locate(present, { ...subject, trigger: moment, edges: view.snapshot.edges });
  if (located === null) return null;
  const { symptom, primary, place, affected, isConnected } = located;
  const read = new Set((affected.get(place) ?? []).map(({ profile: { measure } }) => measure));
  const more = (survey.anomalies.get(place) ?? []).filter(
    ({ profile: { measure, role }, end }) =>
      role !== 'symptom' && measure !== 'restarts' && !read.has(measure) && end === null,
  );
  return {
    by: 'present',
    ranking: rankingOf(located, present, moment),
    incident: {
      symptom,
      chosen: subject.named === null ? 'worst' : 'named',
      primary,
      affected: new Map([...affected, [place, [...(affected.get(place) ?? []), ...more]]]),
    },
    isConnected,
    moment,
  };
}

type PlacedNow = Placed & {
  incident: Incident;
  /** Whether any call from or to the symptom's service is known: else nothing leads from there to a cause elsewhere. */
  isConnected: boolean;
  /** When it goes on. */
  moment: number;
};

/** Whether anything at all departs at a moment. */
function isAnythingWrong({ own, calls, stepMs }: Present, trigger: number): boolean {
  return [...calls, ...[...own.values()].flat()].some((one) => isOngoing(one, trigger, stepMs));
}

/** The place of the problem by what is usual: over the last hours, and as far back as the source's past shows. */
function placeByPast({ view, survey, subject: { named, text } }: Case): Placed {
  const noticed = findIncident(survey, named, text);
  // Without history the ranking has nothing to compare with.
  if (!view.snapshot.pastMs) return { ...NOT_PLACED, by: 'past', incident: noticed };
  const ranking = rankCauses(view.snapshot, { service: named });
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
function isFelt({ primary }: Incident): boolean {
  return primary.profile.measure !== 'restarts' && !isNegligible(primary);
}
