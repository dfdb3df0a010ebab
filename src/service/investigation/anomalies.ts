import type { Measure, Series } from '../telemetry/model.ts';
import type { Point } from '../telemetry/view.ts';
import { type Profile, profileOf } from './profiles.ts';

/** A period in which a metric deviated. */
export interface Anomaly {
  series: Series;
  profile: Profile;
  /** When it began to move, before that was enough to be noticed. */
  onset: number;
  /** When it returned to normal; `null` while it continues. */
  end: number | null;
  /** The usual level. */
  before: number;
  /** The worst value, and when. */
  worst: number;
  worstAt: number;
}

const MINUTE = 60_000;
/** Two bad stretches this close count as one. */
const BRIDGE = 3 * MINUTE;
/** At this multiple of the threshold, one sample suffices. */
const GLARING = 2;

/**
 * Every anomaly in a part of a series, oldest first. The usual level is a quantile on the good side, so that trouble
 * may fill most of the window; noise is estimated from differences between neighbours, which trouble hardly affects.
 */
export function anomaliesIn(series: Series, points: readonly Point[]): Anomaly[] {
  if (points.length < 10) return [];
  const { signal } = series;
  const profile = profileOf(series);
  const up = signal.bad === 'low' ? -1 : 1;
  const values = points.map((point) => point.value);
  const before = quantile(values, up > 0 ? 0.3 : 0.7);
  const spread = noiseOf(values);
  const far = Math.max(5 * spread, leastOf(series), profile.leastShare * Math.abs(before));
  const excess = values.map((value) => up * (value - before));
  return stretches(points, excess, far, profile.run).map(([first, last]) => {
    let start = first;
    while (
      profile.creeps &&
      start > 0 &&
      first - start < 16 &&
      (excess[start - 1] ?? 0) > Math.max(2.5 * spread, far / 5)
    )
      start--;
    let worst = first;
    for (let i = first; i <= last; i++) if ((excess[i] ?? 0) > (excess[worst] ?? 0)) worst = i;
    const ended = points[last + 1];
    return {
      series,
      profile,
      onset: points[start]?.at ?? 0,
      end: last >= points.length - 2 ? null : (ended?.at ?? null),
      before,
      worst: values[worst] ?? before,
      worstAt: points[worst]?.at ?? 0,
    };
  });
}

/** Measures whose smallest relevant change is the same in every system: one restart is one restart. */
const COUNTED: ReadonlySet<Measure> = new Set(['restarts', 'oom-kills', 'up', 'waiting']);

/** The smallest change that matters, in the unit of the series; 0 if only noise and level decide. */
export function leastOf(series: Series): number {
  const { measure, unit } = series.signal;
  const comparable = unit === '1' || COUNTED.has(measure);
  return comparable ? profileOf(series).least : 0;
}

/** The anomaly that a trigger most likely refers to: ongoing at that time, or over for at most a quarter of an hour. */
export function anomalyAt(anomalies: readonly Anomaly[], trigger: number): Anomaly | null {
  const recent = anomalies.filter(
    ({ onset, end }) => onset <= trigger + 2 * MINUTE && (end ?? trigger) >= trigger - 15 * MINUTE,
  );
  return recent.at(-1) ?? null;
}

/** The smallest value that at least a share `q` of the values does not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

function noiseOf(values: readonly number[]): number {
  const steps = values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? value)));
  return (1.4826 * quantile(steps, 0.5)) / Math.SQRT2;
}

/** First and last index of every stretch of bad samples, bridging short gaps and dropping lone samples. */
function stretches(
  points: readonly Point[],
  excess: readonly number[],
  far: number,
  run: number,
): [number, number][] {
  const found: [number, number][] = [];
  let count = 0;
  for (let i = 0; i < points.length; i++) {
    count = (excess[i] ?? 0) >= far ? count + 1 : 0;
    // An alert may come with the first bad sample: the newest suffices alone if it is far out.
    const glaring = i === points.length - 1 && (excess[i] ?? 0) >= GLARING * far;
    if (count < (glaring ? 1 : run)) continue;
    const first = i - count + 1;
    const last = found.at(-1);
    if (last && (points[first]?.at ?? 0) - (points[last[1]]?.at ?? 0) <= BRIDGE) last[1] = i;
    else found.push([first, i]);
  }
  return found;
}
