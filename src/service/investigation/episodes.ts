import { median, quantile } from '../../lib/statistics.ts';
import type { Series } from '../telemetry/model.ts';
import type { Point, View } from '../telemetry/view.ts';
import { leastOf, profileOf } from './anomalies.ts';
import { joinNames, timeOfDay } from './format.ts';

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

/**
 * `up and connections in use were 0 between 22:26 UTC and 22:28 UTC`: what is far from 0 at all times but for a while that is
 * over; empty if nothing is. What fails or waits is meant to be 0.
 */
export function interruptions(
  all: readonly { name: string; points: readonly Pick<Point, 'at' | 'value'>[] }[],
): string {
  const found = all.flatMap(({ name, points }) => {
    const [first, last] = [points.findIndex(isNothing), points.findLastIndex(isNothing)];
    const [before, after] = [points[first - 1], points[last + 1]];
    const rest = [...points.slice(0, Math.max(0, first)), ...points.slice(last + 1)].map(
      ({ value }) => value,
    );
    const isGap = points.slice(first, last + 1).every(isNothing) && rest.length >= FEWEST_AROUND;
    return before !== undefined &&
      after !== undefined &&
      isGap &&
      Math.min(...rest) >= FAR_OF_IT * median(rest)
      ? [{ name, from: before.at, to: after.at }]
      : [];
  });
  if (found.length === 0) return '';
  const names = [...new Set(found.map(({ name }) => name))];
  const [from, to] = [Math.min(...found.map((one) => one.from)), Math.max(...found.map((one) => one.to))];
  return `${joinNames(names.slice(0, MOST_NAMED))} ${names.length === 1 ? 'was' : 'were'} 0 between ${timeOfDay(from)} and ${timeOfDay(to)}`;
}

const isNothing = ({ value }: Pick<Point, 'value'>) => value === 0;
const FEWEST_AROUND = 8;
/** Of its level. */
const FAR_OF_IT = 1 / 4;
const MOST_NAMED = 3;

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
