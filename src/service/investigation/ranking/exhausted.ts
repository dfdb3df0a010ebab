import { lowerBound } from '../../../lib/lower-bound.ts';
import type { Series } from '../../telemetry/model.ts';
import type { Deviation } from './series-deviation.ts';
import { median } from './statistics.ts';

/** The deviation given to anything used up, however slowly that happened. */
export const EXHAUSTED = 30;
/** The share of its limit at which nothing is left. */
const FULL = 0.97;
/** A resource always this full is normal. */
const USUALLY_BELOW = 0.9;
/** The minimum of samples for a history. */
const FEWEST = 12;

/**
 * A full disk, exhausted connections or memory, an expired certificate, no instance left: the current value counts, not
 * how fast it got there. `null` if it is not used up, or always was.
 */
export function exhaustionOf(series: Series, trigger: number): Deviation | null {
  const { measure } = series.signal;
  if (measure === 'certificate') return since(series, trigger, (left) => left <= 0, 0);
  if (measure === 'up') return since(series, trigger, (up) => up <= 0, 0);
  if (measure !== 'disk' && measure !== 'connections' && measure !== 'memory') return null;
  const limit = series.signal.unit === '1' ? 1 : (series.limit?.values.at(-1) ?? 0);
  if (limit <= 0) return null;
  return since(series, trigger, (used) => used >= FULL * limit, USUALLY_BELOW * limit);
}

function since(
  series: Series,
  trigger: number,
  isOver: (value: number) => boolean,
  usuallyBelow: number,
): Deviation | null {
  const { times, values } = series.points;
  const end = lowerBound(times, trigger + 1);
  const now = values[end - 1];
  if (end < FEWEST || now === undefined || !isOver(now)) return null;
  let first = end - 1;
  while (first > 0 && isOver(values[first - 1] ?? Number.NaN)) first--;
  const usually = median(values.subarray(0, end));
  if (first === 0 || (usuallyBelow > 0 && usually >= usuallyBelow)) return null;
  return { series, deviation: EXHAUSTED, isExhausted: true, now, usually, onset: times[first] ?? trigger };
}
