import { mean } from '../../lib/statistics.ts';
import type { Measure, Series } from '../telemetry/model.ts';
import type { Point } from '../telemetry/view.ts';

/** When something is full, drained or expired, if it goes on as it does. */
export interface TimeLeft {
  series: Series;
  end: 'full' | 'drained' | 'expired';
  /** The newest value, and what it runs towards. */
  now: number;
  limit: number;
  at: number;
  /** Between these moments, by how uncertain the slope is. */
  earliest: number;
  latest: number;
  /** For how long it was seen to move so; `null` if its end is known, and not estimated. */
  seenMs: number | null;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FEWEST = 8;
const LEAST_MS = 4 * MINUTE;
/** No further ahead than so many times as long as it was seen moving. */
const AHEAD = 4;
/** The share of the movement that a straight line explains; less is noise, or bends. */
const STRAIGHT = 0.9;
/** Both halves and the newest samples are at least so steep, of the whole: what slows down does not arrive. */
const GOES_ON = 0.8;
/** As high before as this share of what it is now, and fallen by this share of its limit. */
const NEARLY = 0.98;
const FALLEN = 0.05;
/** With more room than this, what moves a little is not running out. */
const LEAST_USED = 0.5;
/** A shorter queue is drained in no time. */
const LEAST_QUEUE = 10;
/** What is older says nothing of the present. */
const PRESENT_MS = 5 * MINUTE;
const WARNED_OF = 7 * DAY;

const FILLS: ReadonlySet<Measure> = new Set<Measure>(['disk', 'memory', 'connections', 'queue']);

/**
 * When a series reaches its limit (a queue: its limit, or nothing), told from the longest of its newest stretches that is
 * straight. `null` where it does not move towards it, or no more than by its noise, or was as far before and came back.
 *
 * @param points oldest first
 */
export function timeLeft(series: Series, points: readonly Point[], now: number): TimeLeft | null {
  const last = points.at(-1);
  if (last === undefined || now - last.at > PRESENT_MS) return null;
  const { measure, unit } = series.signal;
  if (measure === 'certificate') {
    const left = last.value * (unit === 'ms' ? 1 : 1000);
    const at = last.at + left;
    const known = { earliest: at, latest: at, seenMs: null };
    return left > WARNED_OF ? null : { series, end: 'expired', now: last.value, limit: 0, at, ...known };
  }
  if (!FILLS.has(measure)) return null;
  const limit = limitOf(series);
  if (measure === 'queue' && last.value >= LEAST_QUEUE) {
    const drained = reached(points, 0);
    if (drained !== null) return { series, end: 'drained', now: last.value, limit: 0, ...drained };
  }
  if (limit === null || limit <= 0 || last.value < LEAST_USED * limit || last.value >= limit) return null;
  const full = cameBack(points, limit) ? null : reached(points, limit);
  return full && { series, end: 'full', now: last.value, limit, ...full };
}

/** What it cannot exceed; `null` if that is not known. */
export function limitOf({ limit, signal }: Series): number | null {
  return limit?.values.at(-1) ?? (signal.unit === '1' ? 1 : null);
}

/** Whether it was nearly as high before, and fell by itself: it may do so again. */
function cameBack(points: readonly Point[], limit: number): boolean {
  const now = points.at(-1)?.value ?? 0;
  let highest = Number.NEGATIVE_INFINITY;
  return points.some(({ value }) => {
    highest = Math.max(highest, value);
    return highest >= NEARLY * now && value <= highest - FALLEN * limit;
  });
}

type Reached = Pick<TimeLeft, 'at' | 'earliest' | 'latest' | 'seenMs'>;

function reached(points: readonly Point[], target: number): Reached | null {
  for (let some = points; some.length >= FEWEST; some = some.slice(Math.ceil(some.length / 2))) {
    const [first, last] = [some[0], some.at(-1)];
    const seenMs = (last?.at ?? 0) - (first?.at ?? 0);
    if (last === undefined || seenMs < LEAST_MS) return null;
    const middle = some.length >> 1;
    const line = lineThrough(some);
    const [older, newer, newest] = [some.slice(0, middle), some.slice(middle), some.slice(-FEWEST)].map(
      lineThrough,
    );
    const room = target - line.level;
    const way = Math.sign(room);
    const goesOn = [older, newer, newest].every(
      (part) => part !== undefined && way * part.slope + part.error >= GOES_ON * way * line.slope,
    );
    if (line.straight < STRAIGHT || way * line.slope <= 0 || !goesOn) continue;
    const slopes = [older, newer].map((part) => way * (part?.slope ?? 0));
    const paces = [...slopes, ...[-1, 1].map((side) => way * line.slope + side * line.error)];
    const left = Math.abs(room / line.slope);
    const slowest = Math.min(...paces);
    const bending = bentMs(slopes, Math.abs(room), seenMs / 2);
    if (slowest <= 0 || bending === null || left > AHEAD * seenMs || left > DAY) return null;
    const latest = last.at + Math.max(Math.abs(room) / slowest, bending);
    return { at: last.at + left, earliest: last.at + Math.abs(room) / Math.max(...paces), latest, seenMs };
  }
  return null;
}

/** How long it takes if it goes on to slow down as it did from one half to the next; `null`: then it never arrives. */
function bentMs([older = 0, newer = 0]: readonly number[], room: number, halfMs: number): number | null {
  const kept = newer / older;
  if (kept >= 1) return 0;
  const share = (room * (1 - kept)) / (newer * halfMs * kept);
  return share >= 1 ? null : (halfMs * Math.log(1 - share)) / Math.log(kept);
}

/** The least-squares line: its level at the end, its slope a millisecond, and twice the standard error of that. */
function lineThrough(points: readonly Point[]): {
  level: number;
  slope: number;
  error: number;
  straight: number;
} {
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ value }) => value))];
  const sum = (of: (point: Point) => number) => points.reduce((all, point) => all + of(point), 0);
  const [width, height] = [sum(({ at }) => (at - x) ** 2), sum(({ value }) => (value - y) ** 2)];
  const slope = width === 0 ? 0 : sum(({ at, value }) => (at - x) * (value - y)) / width;
  const off = points.map(({ at, value }) => value - y - slope * (at - x));
  const squares = off.reduce((all, one) => all + one ** 2, 0);
  // Neighbors that err together tell less than as many that err alone.
  const beside = off.slice(1).reduce((all, one, i) => all + one * (off[i] ?? 0), 0);
  const together = squares === 0 ? 0 : Math.min(0.95, Math.max(0, beside / squares));
  const variance = (squares / Math.max(1, points.length - 2)) * ((1 + together) / (1 - together));
  return {
    level: y + slope * ((points.at(-1)?.at ?? x) - x),
    slope,
    error: width === 0 ? 0 : 2 * Math.sqrt(variance / width),
    straight: height === 0 ? 0 : 1 - squares / height,
  };
}
