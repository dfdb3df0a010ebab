import { median } from '../../lib/statistics.ts';
import type { Change, Series } from '../telemetry/model.ts';
import { pointsIn, type View } from '../telemetry/view.ts';
import { profileOf, type Survey, seriesAbout } from './anomalies.ts';
import type { Present } from './place/departures.ts';
import { callGraph } from './ranking/share-blame.ts';

/**
 * What may be said of something that is not the cause. Only a measurement that could have shown the opposite, over the
 * time in question, excludes anything; what was not compared is not mentioned.
 */

const MINUTE = 60_000;
/** How long before a moment tells what was usual just then. */
const BEFORE = 25 * MINUTE;
/** Fewer samples on either side could not have shown a move. */
const FEWEST_BEFORE = 8;
const FEWEST_SINCE = 3;
/** Less than this share of the level is no move of anything. */
const LEAST_SHARE = 0.1;
/** Nor, of a share, less than that. */
const LEAST_RATIO = 0.01;
/** So many times that is a move, if only of one sample. */
const SPIKE = 4;
/** Nobody calls these levels normal, however steady they are. */
const BAD_ERRORS = 0.05;
const NEARLY_FULL = 0.9;
const EXPIRES_SOON = 14 * 24 * 60 * MINUTE;

/** A series that did not move: its level now, and between what it was before. */
export interface Steady {
  series: Series;
  now: number;
  lowest: number;
  highest: number;
}

/** The signals of a service at a moment: which of them did not move since, and how many could have. */
export interface Compared {
  steady: readonly Steady[];
  /** Those that did, either way, where nothing calls it an anomaly or bad. */
  moved: readonly Steady[];
  /** How many of its series have samples on both sides of the moment. */
  of: number;
}

export function comparedSince(
  moment: number,
  service: string,
  { view, survey, present }: { view: View; survey: Survey; present: Present | null },
): Compared {
  const departed = new Set(
    [...(survey.anomalies.get(service) ?? []), ...departuresOf(service, present)].map(
      ({ series }) => series.signal.id,
    ),
  );
  const all = seriesAbout(view, service).flatMap((series) => {
    const before = valuesIn(series, moment - BEFORE, moment);
    const since = valuesIn(series, moment, view.trigger + 1);
    if (before.length < FEWEST_BEFORE || since.length < FEWEST_SINCE) return [];
    const [lowest, highest] = [Math.min(...before), Math.max(...before)];
    const now = since.at(-1) ?? Number.NaN;
    const isOut = (value: number, room: number) => value < lowest - room || value > highest + room;
    const ratio = series.signal.unit === '1' ? LEAST_RATIO : 0;
    const room = Math.max(LEAST_SHARE * Math.abs(median(before)), ratio);
    // What creeps does not leave its level at once: past all that it was before, it moves. What moves only now has moved.
    const hasMoved = isOut(median(since), profileOf(series).creeps ? 0 : room) || isOut(now, room);
    const hasSpiked = since.some((value) => isOut(value, SPIKE * room));
    return [{ series, now, lowest, highest, hasMoved, hasSpiked }];
  });
  const calm = all.filter(({ series, now }) => !departed.has(series.signal.id) && !isBad(series, now));
  return {
    steady: calm.filter(({ hasMoved, hasSpiked }) => !hasMoved && !hasSpiked),
    moved: calm.filter(({ hasMoved }) => hasMoved),
    of: all.length,
  };
}

function departuresOf(service: string, present: Present | null) {
  if (present === null) return [];
  const calls = present.calls.filter(({ series: { edge } }) => edge?.callee === service);
  return [...(present.own.get(service) ?? []), ...calls];
}

/** The newest levels of a service that are bad by themselves, however long they have been so. */
export function badLevels(service: string, view: View): { series: Series; now: number }[] {
  return seriesAbout(view, service).flatMap((series) => {
    const now = valuesIn(series, view.trigger - NEWEST, view.trigger + 1).at(-1);
    return now === undefined || !isBad(series, now) ? [] : [{ series, now }];
  });
}

/** A level that is older than this is not that of now. */
const NEWEST = 5 * MINUTE;

/** Whether a level is bad by itself. */
function isBad({ signal, limit }: Series, now: number): boolean {
  const most = signal.unit === '1' ? 1 : limit?.values.at(-1);
  switch (signal.measure) {
    case 'errors':
      return now >= BAD_ERRORS;
    case 'success':
      return now <= 1 - BAD_ERRORS;
    case 'up':
      return now < 1;
    case 'certificate':
      return now * (signal.unit === 'ms' ? 1 : 1000) < EXPIRES_SOON;
    case 'disk':
    case 'memory':
    case 'connections':
    case 'cpu':
      return most !== undefined && most > 0 && now >= NEARLY_FULL * most;
    default:
      return false;
  }
}

function valuesIn(series: Series, from: number, to: number): number[] {
  return pointsIn(series, { from, to })
    .map(({ value }) => value)
    .filter((value) => !Number.isNaN(value));
}

/** A change that moved nothing of its own service, with how many signals could have shown it. */
interface Cleared {
  change: Change;
  of: number;
}

/**
 * The changes that are cleared: of a service that the failing one does not depend on, whose own requests were measured on
 * both sides of the change and did not move. Time alone clears none.
 */
export function clearedChanges(
  changes: readonly Change[],
  failing: readonly string[],
  seen: { view: View; survey: Survey; present: Present | null },
): Cleared[] {
  const graph = callGraph(seen.view.snapshot.edges);
  const beneath = new Set(failing.flatMap((service) => [...graph.reachableFrom(service).keys()]));
  const ill = new Set(
    (seen.view.snapshot.state ?? []).map(({ workload, object }) => workload?.name ?? object),
  );
  return changes.flatMap((change) => {
    const { service, at } = change;
    if (service === null || beneath.has(service) || ill.has(service) || ill.has(`app/${service}`)) return [];
    const { steady, of } = comparedSince(at, service, seen);
    const isFelt = steady.some(({ series }) => profileOf(series).role === 'symptom');
    return isFelt && steady.length === of ? [{ change, of }] : [];
  });
}
