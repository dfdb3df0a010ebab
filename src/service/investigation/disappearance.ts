import type { Series } from '../telemetry/model.ts';

/** A service whose series ended together while those of others continued. */
export interface Disappearance {
  service: string;
  /** The series that represents it: its requests if measured. */
  series: Series;
  /** The time of its first missing sample, in milliseconds since the epoch. */
  onset: number;
  /** The last value. */
  before: number;
}

const MINUTE = 60_000;
/** Prometheus bridges missed scrapes for five minutes, so gaps are longer than they look. */
const LEAST_GAP = 2 * MINUTE;
/** A service sampled regularly for this long was meant to stay, unlike a batch job. */
const STEADY = 30 * MINUTE;
const STEADY_SHARE = 0.9;

/** Services that stopped reporting, relative to the newest sample of any service, not the clock. */
export function disappearancesIn(series: readonly Series[], trigger: number): Disappearance[] {
  const whole = series.filter(({ edge, signal }) => edge === null && !signal.shared);
  const newest = Math.max(...whole.map((one) => endOf(one, trigger)));
  return [...Map.groupBy(whole, ({ service }) => service)].flatMap(([service, all]) => {
    const ended = Math.max(...all.map((one) => endOf(one, trigger)));
    const shown = all.find(({ signal }) => signal.measure === 'requests') ?? all[0];
    if (shown === undefined || newest - ended < LEAST_GAP) return [];
    // Rates end before gauges do, so each series is compared with its own end.
    const end = endOf(shown, trigger);
    if (!wasSteady(shown, end)) return [];
    const { step, before } = lastOf(shown, end);
    return [{ service, series: shown, onset: end + step, before }];
  });
}

function endOf({ points: { times } }: Series, trigger: number): number {
  return times.findLast((at) => at <= trigger) ?? Number.NEGATIVE_INFINITY;
}

function wasSteady({ points: { times } }: Series, ended: number): boolean {
  const near = times.filter((at) => at > ended - STEADY && at <= ended);
  const step = Math.min(...near.subarray(1).map((at, i) => at - (near[i] ?? at)));
  return near.length >= (STEADY_SHARE * STEADY) / Math.max(step, MINUTE) && near.length >= 10;
}

function lastOf({ points: { times, values } }: Series, ended: number): { step: number; before: number } {
  const last = times.findLastIndex((at) => at <= ended);
  return {
    step: (times[last] ?? 0) - (times[last - 1] ?? 0),
    before: values[last] ?? 0,
  };
}
