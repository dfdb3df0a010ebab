import { median } from '../../../lib/statistics.ts';
import { pointsIn } from '../../telemetry/view.ts';
import { profileOf } from '../anomalies.ts';
import { type Case, NOT_PLACED, type Placed } from '../case.ts';
import { badLevels } from '../compared.ts';
import { isNegligible } from '../place/incident.ts';
import { SHORT_MS, YOUNG_MS } from '../place/locate.ts';
import { isFelt, placeByPast } from '../place/past.ts';
import { isAnythingWrong, placeByPresent } from '../place/present.ts';

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
  const { present, view } = c;
  if (present === null) return placeByPast(c);
  const { trigger } = view;
  const now = placeByPresent(c, present);
  if (trigger - present.since < SHORT_MS) return now ?? NOT_PLACED;
  const isYoung = now !== null && trigger - now.incident.primary.onset <= YOUNG_MS;
  if (isYoung && now.isConnected) return now;
  const past = placeByPast(c);
  if (past.incident !== null && (isFelt(past.incident) || isAnythingWrong(present, trigger))) return past;
  return isYoung ? now : NOT_PLACED;
}
