import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { textWidth } from '../font.ts';
import type { Curve } from './types.ts';
import { type Measure, measureOf, type Range, written } from './units.ts';

/** The rectangle in which curves are drawn, and how values and times become places in it. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  measure: Measure;
  /** The values of the grid's lines, with what is written beside them. */
  grid: { value: number; label: string }[];
  /** First and last time of the values themselves. */
  times: Range;
  /** Least and greatest value. */
  values: Range;
}

export const TICK_SIZE = 14;

const MINUTE = 60_000;
const ROWS = 5;

/** The frame of the curves between `top` and `bottom`; `roomRight` is kept free for their names. */
export function frameOf(
  curves: readonly Curve[],
  place: { width: number; margin: number; top: number; bottom: number; roomRight: number },
  { unit, triggeredAt }: { unit: string; triggeredAt: number | undefined },
): Frame {
  const points = curves.flatMap(({ parts }) => parts.flat());
  const values = rangeOf(points.map(({ value }) => value));
  const times = rangeOf(points.map(({ at }) => at));
  const measure = measureOf(unit, values);
  // Ticks are round in what is written, not in what was measured.
  const shown = scaleLinear().domain(domainOf(values, measure)).nice(ROWS);
  const [least = 0, most = 1] = shown.domain();
  const ticks = shown.ticks(ROWS);
  const step = Math.abs((ticks[1] ?? most) - (ticks[0] ?? least)) / measure.factor;
  const grid = ticks.map((tick) => ({
    value: tick / measure.factor,
    label: written(tick / measure.factor, measure, step),
  }));
  const labels = Math.max(...grid.map(({ label }) => textWidth(label, TICK_SIZE)));
  const left = place.margin + Math.ceil(labels) + 10;
  const right = place.width - place.roomRight;
  return {
    left,
    right,
    top: place.top,
    bottom: place.bottom,
    x: scaleLinear().domain(spanOf(times, triggeredAt)).range([left, right]),
    y: scaleLinear()
      .domain([least / measure.factor, most / measure.factor])
      .range([place.bottom, place.top]),
    measure,
    grid,
    times,
    values,
  };
}

/** Whether the axis leaves out a part between 0 and the values. */
export function isCutOff({ y, values }: Frame): boolean {
  const [least = 0] = y.domain();
  return least > 0 && values.least > 0;
}

function rangeOf(numbers: readonly number[]): Range {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of numbers) {
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  return { least, most };
}

/** From 0 if that is sensible, as written numbers: a level far from 0 that hardly moves is shown by itself. */
function domainOf({ least, most }: Range, { factor, suffix, fromZero }: Measure): [number, number] {
  const [low, high] = [least * factor, most * factor];
  const isFar = low > 0 && high - low < high * 0.1 && high > low;
  const isPercent = suffix === '%';
  const from = low < 0 || (isFar && !fromZero) ? low : 0;
  const to = isPercent && high > 50 && high <= 100 ? 100 : Math.max(high, 0);
  return from === to ? [from, from + 1] : [from, to];
}

/** The times of the values, and the trigger where it is near them; at least some time, so that one point has a place. */
function spanOf({ least, most }: Range, triggeredAt: number | undefined): [number, number] {
  const span = Math.max(most - least, 10 * MINUTE);
  const isNear = triggeredAt !== undefined && triggeredAt > least - span && triggeredAt < most + span;
  const from = isNear ? Math.min(least, triggeredAt) : least;
  const to = isNear ? Math.max(most, triggeredAt) : most;
  return from === to ? [from - 5 * MINUTE, to + 5 * MINUTE] : [from, to];
}
