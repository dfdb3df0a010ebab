import { median } from '../../../lib/statistics.ts';
import type { Exported } from '../model.ts';

/** A series that left everything that it was before, for good. */
export interface Departing {
  of: Exported;
  before: number;
  now: number;
  since: number;
  /** In powers of two; to and from zero is far. */
  far: number;
}

const FEWEST_BEFORE = 6;
const FEWEST_AFTER = 2;
/** Of the largest value that was seen: as little is nothing. */
const LITTLE = 0.02;
const MOST_FAR = 6;

/**
 * How a series departed in the window that was read; `null` if it did not.
 *
 * @param fewest samples from before: of what the alert is about, one says where it came from
 */
export function departureOf(of: Exported, fewest = FEWEST_BEFORE): Departing | null {
  const { times, values } = of.points;
  const split = splitOf(values, fewest) ?? rampIn(values);
  if (split === null) return null;
  const [before, now] = [median(values.subarray(0, split)), median(values.subarray(-3))];
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const little = LITTLE * scale;
  const far = Math.abs(Math.log2((Math.abs(now) + little) / (Math.abs(before) + little)));
  return { of, before, now, since: times[split] ?? 0, far: Math.min(MOST_FAR, far) };
}

/**
 * The first sample from which on all lie outside of what was before it, by as much as that moved; `null` if there is none.
 */
function splitOf(values: Float64Array, fewest: number): number | null {
  const count = values.length;
  if (count < FEWEST_BEFORE + FEWEST_AFTER) return null;
  const lowest = new Float64Array(count);
  const highest = new Float64Array(count);
  for (let i = count - 1; i >= 0; i--) {
    const value = values[i] ?? 0;
    lowest[i] = i === count - 1 ? value : Math.min(value, lowest[i + 1] ?? value);
    highest[i] = i === count - 1 ? value : Math.max(value, highest[i + 1] ?? value);
  }
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const splits: { at: number; gap: number }[] = [];
  for (let i = 0; i <= count - FEWEST_AFTER; i++) {
    const gap = Math.max((lowest[i] ?? 0) - high, low - (highest[i] ?? 0));
    if (i >= fewest && gap > high - low) splits.push({ at: i, gap });
    low = Math.min(low, values[i] ?? 0);
    high = Math.max(high, values[i] ?? 0);
  }
  // Few samples have no spread: the first of all may be the largest by chance.
  const widest = Math.max(...splits.map(({ gap }) => gap));
  return splits.find(({ at, gap }) => at >= FEWEST_BEFORE || gap >= CLEARLY * widest)?.at ?? null;
}

/** Of the widest gap. */
const CLEARLY = 1 / 4;

/** So many of its steps go one way, and it goes on to the end. */
const STEADY = 0.75;
/** Twice or half of where it began. */
const LEAST_RAMP = 2;

/** Where a series that rises or falls steadily began to: it leaves nothing at once. */
function rampIn(values: Float64Array): number | null {
  const count = values.length;
  if (count < FEWEST_BEFORE + FEWEST_AFTER) return null;
  const [first, last] = [median(values.subarray(0, 3)), median(values.subarray(-3))];
  const [low, high] = [Math.min(Math.abs(first), Math.abs(last)), Math.max(Math.abs(first), Math.abs(last))];
  if (high < LEAST_RAMP * low || high === 0) return null;
  const way = Math.sign(last - first);
  const isBegun = (value: number) => way * (value - first) > 0.1 * Math.abs(last - first);
  const begin = Math.max(1, values.findIndex(isBegun));
  let steps = 0;
  for (let i = begin; i < count; i++) if (way * ((values[i] ?? 0) - (values[i - 1] ?? 0)) > 0) steps++;
  return steps >= STEADY * (count - begin) && count - begin > FEWEST_AFTER ? begin : null;
}
