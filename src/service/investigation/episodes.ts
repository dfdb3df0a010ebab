import { quantile } from '../../lib/statistics.ts';
import type { Series } from '../telemetry/model.ts';
import type { Point, View } from '../telemetry/view.ts';
import { leastOf, profileOf } from './anomalies.ts';
import { timeOfDay } from './format.ts';

/** A pause as short as that belongs to the episode: a rate holds what went before for as long. */
const PAUSE = 2 * 60_000;
/** Twice may be one thing and what was done about it. */
const SEVERAL = 3;

/** A stretch outside of the usual range; `to` is `null` while it goes on. */
interface Episode {
  from: number;
  to: number | null;
}

/** ` The failures came and went 4 times since 12:10 UTC.`; nothing if they did not. */
export function cameAndWent(series: Series, view: View): string {
  if (series.signal.measure !== 'errors') return '';
  const episodes = episodesOf(series, view);
  const [first] = episodes;
  if (first === undefined || episodes.length < SEVERAL) return '';
  return ` The failures came and went ${episodes.length} times since ${timeOfDay(first.from)}.`;
}

/** The level of the better part of the time: what flaps is bad for less than half of it. */
function usualOf(series: Series, view: View): number {
  const values = pointsOf(series, view).map(({ value }) => value);
  return quantile(values, series.signal.bad === 'low' ? 0.75 : 0.25);
}

/** The stretches in which a series was outside of its usual range, oldest first. */
function episodesOf(series: Series, view: View): Episode[] {
  const usual = usualOf(series, view);
  const points = pointsOf(series, view);
  const found: { from: number; last: number; to: number | null }[] = [];
  for (const { at, value } of points) {
    const open = found.at(-1);
    if (isOff(series, value, usual)) {
      if (open !== undefined && at - open.last <= PAUSE) Object.assign(open, { last: at, to: null });
      else found.push({ from: at, last: at, to: null });
    } else if (open !== undefined && open.to === null) open.to = at;
  }
  return found.filter(({ from, last }) => last > from).map(({ from, to }) => ({ from, to }));
}

/** The samples of a series at full resolution. */
function pointsOf(series: Series, view: View): Point[] {
  return view.points(series, view.window);
}

/** The higher, the worse. */
export function badnessOf({ signal }: Series): (value: number) => number {
  return (value) => (signal.bad === 'low' ? -value : value);
}

/** Whether a value is noticeably worse than usual. */
export function isOff(series: Series, value: number, usual: number): boolean {
  const bad = badnessOf(series);
  const least = Math.max(leastOf(series), profileOf(series).leastShare * Math.abs(usual), 1e-9);
  return bad(value) - bad(usual) >= least;
}
