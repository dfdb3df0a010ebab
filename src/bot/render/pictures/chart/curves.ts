import { phrase } from '../../results/phrases.ts';
import { drawable } from '../drawable.ts';
import { thin } from './thin.ts';
import type { Curve, Metric, Point, Sample, Series } from './types.ts';

/** More than these cannot be told apart. */
const MAX_CURVES = 8;
const MAX_POINTS = 1000;
/** So many usual distances without a sample are a gap. */
const GAP = 2.5;
const NOTHING = '–';

/** What is drawn of a metric. */
export interface Curves {
  curves: Curve[];
  /** The names of the attributes that tell the curves apart. */
  by: string[];
  /** How many series there are, drawn or not. */
  total: number;
}

/** The series as curves: of more than eight, those that vary most; named after the attributes that differ. */
export function curvesOf({ name, series }: Metric): Curves {
  const chosen =
    series.length <= MAX_CURVES
      ? series
      : [...series].sort((a, b) => variation(b) - variation(a)).slice(0, MAX_CURVES);
  const by = differing(chosen);
  return {
    curves: chosen.map((one) => ({
      label: nameOf(one, by, drawable) || drawable(name, 80),
      name: nameOf(one, by, phrase) || phrase(name, 80),
      parts: partsOf(one.samples),
    })),
    by: by.map((key) => drawable(key, 60)),
    total: series.length,
  };
}

function variation({ samples }: Series): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { value } of samples)
    if (value !== null) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  return most - least;
}

/** The keys whose values are not the same in every series. */
function differing(series: readonly Series[]): string[] {
  const keys = new Set(series.flatMap(({ attributes }) => [...attributes.keys()]));
  return [...keys].filter((key) => new Set(series.map(({ attributes }) => attributes.get(key))).size > 1);
}

function nameOf({ attributes }: Series, by: readonly string[], shown: typeof drawable): string {
  return by.map((key) => shown(attributes.get(key), 80) || NOTHING).join(' · ');
}

/** The parts between gaps, thinned if there are more points than can be seen. */
function partsOf(samples: readonly Sample[]): Point[][] {
  const points: (Point & { part: number })[] = [];
  const far = usualDistance(samples) * GAP;
  let part = 0;
  let isBroken = false;
  for (const { at, value } of samples) {
    if (value === null) {
      isBroken = true;
      continue;
    }
    const last = points.at(-1);
    if (last && (isBroken || at - last.at > far)) part++;
    isBroken = false;
    points.push({ at, value, part });
  }
  const parts = new Map<number, Point[]>();
  for (const { at, value, part: own } of thin(points, MAX_POINTS)) {
    const known = parts.get(own);
    if (known) known.push({ at, value });
    else parts.set(own, [{ at, value }]);
  }
  return [...parts.values()];
}

/** The median of the distances between samples; infinite for less than three. */
function usualDistance(samples: readonly Sample[]): number {
  if (samples.length < 3) return Number.POSITIVE_INFINITY;
  const distances = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at));
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? Number.POSITIVE_INFINITY;
}
