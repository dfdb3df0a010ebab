import { mean, median } from '../../lib/statistics.ts';
import type { Measure, Series } from '../telemetry/model.ts';
import { type Point, pointsIn } from '../telemetry/view.ts';
import { limitOf } from './time-left.ts';

/** From this share of its limit on, what climbed to it is dated at the start of its climb. */
const NEARLY_FULL = 0.85;

/** What filled up, from where its climb began. */
export interface Climb {
  series: Series;
  foot: Point;
  /** The first sample near its end. */
  full: Point;
}

/** What fills by and by; connections are used up as fast as requests come. */
const FILLS: ReadonlySet<Measure> = new Set<Measure>(['memory', 'disk']);

/** Whether something that fills by and by, and has a limit, is at it. */
export function isFilled(series: Series, value: number): boolean {
  if (!FILLS.has(series.signal.measure)) return false;
  const limit = limitOf(series);
  return limit !== null && limit > 0 && value >= NEARLY_FULL * limit;
}

/**
 * Where the climb began that led to a moment: where it left what was level before, or its lowest sample if it began with
 * a fall, as after a restart.
 *
 * @param points oldest first
 */
function footOf(points: readonly Point[], until: number): Point | null {
  const last = points.findLastIndex(({ at }) => at <= until);
  const top = points[last];
  if (top === undefined) return null;
  const low = (some: readonly Point[]) =>
    some.reduce<Point | undefined>(
      (least, one) => (least && least.value <= one.value ? least : one),
      undefined,
    );
  // From when it was last as high.
  const began = points.slice(0, last).findLastIndex(({ value }, i) => value >= top.value && i < last - PAUSE);
  const climb = points.slice(began + 1, last + 1);
  const lowest = low(climb)?.value ?? top.value;
  const part = climb.findLast(({ value }) => value <= lowest + PART * (top.value - lowest)) ?? top;
  const lasted = (top.at - part.at) / (1 - PART);
  const inside = (from: number, to: number) => climb.filter(({ at }) => at >= from && at <= to);
  const before = inside(top.at - 2 * lasted, top.at - lasted * (1 + PART)).map(({ value }) => value);
  const middle = before.length === 0 ? lowest : median(before);
  const around =
    before.length === 0 ? 0 : 2 * 1.4826 * median(before.map((value) => Math.abs(value - middle)));
  const isLevel = around <= PART * (top.value - middle);
  const [base, noise] = isLevel ? [middle, around] : [lowest, 0];
  const most = base + Math.max(noise, LEAST * (top.value - base));
  const left = climb.findLast(({ value }) => value <= most) ?? part;
  const fallen = low(smooth(inside(left.at - PART * lasted, left.at))) ?? left;
  return fallen.value < base - noise ? fallen : left;
}

/** Each sample with the median of those around it. */
function smooth(points: readonly Point[]): Point[] {
  return points.map(({ at }, i) => ({
    at,
    value: median(points.slice(Math.max(0, i - 2), i + 3).map(({ value }) => value)),
  }));
}

/** Samples in a row that may be as high by chance. */
const PAUSE = 3;
/** So much of a climb is more than what comes and goes. */
const PART = 0.25;
/** So small a part of it is none. */
const LEAST = 0.02;

/** The climb of a resource that is full now; `null` if it is not, or was always about as full. */
export function climbOf(series: Series): Climb | null {
  const { edge, signal } = series;
  if (edge !== null || signal.shared === true) return null;
  const points = pointsIn(series, EVER);
  const now = points.at(-1)?.value ?? 0;
  if (!isFilled(series, now)) return null;
  // Of a disk that has nothing left, what was left matters, however little of the whole.
  const high = signal.measure === 'disk' && now >= FULL * (limitOf(series) ?? 0) ? ALMOST : HIGH;
  // It may have been full before, and emptied.
  const began = points.findLastIndex(({ value }) => value < high * now);
  const full = points.find(({ value }, i) => i > began && value >= NEARLY * now);
  const foot = full === undefined ? null : footOf(points, full.at);
  return full === undefined || foot === null || foot.value > high * now ? null : { series, foot, full };
}

const EVER = { from: 0, to: Number.POSITIVE_INFINITY };
const NEARLY = 0.9;
const HIGH = 0.8;
const FULL = 0.99;
const ALMOST = 0.95;

const HOUR = 3_600_000;
/** A climb may have been as far before by this share of itself. */
const LOW = 0.25;
const FEWEST = 12;
/** Requests may have grown so much meanwhile. */
const GROWN = 1.3;

/**
 * Whether a resource was steady until a moment, and has climbed ever since: for as long before as it climbed after, and three
 * hours at least, it was nowhere near; and what comes in did not grow with it.
 */
export function climbsSince({ series, foot, full }: Climb, requests: Series | undefined): boolean {
  const from = foot.at - Math.max(3 * HOUR, full.at - foot.at);
  const before = pointsIn(series, { from: 0, to: foot.at });
  const near = before.filter(({ at }) => at >= from);
  const known = near.length >= FEWEST ? near : before.slice(-FEWEST);
  const most = foot.value + LOW * (full.value - foot.value);
  if (known.length < FEWEST || known.some(({ value }) => value > most)) return false;
  if (requests === undefined) return true;
  const [was, is] = [
    pointsIn(requests, { from, to: foot.at }),
    pointsIn(requests, { from: foot.at, to: full.at }),
  ].map((points) => (points.length === 0 ? 0 : mean(points.map(({ value }) => value))));
  return (is ?? 0) <= GROWN * (was ?? 0);
}
