import { median } from '../../lib/statistics.ts';
import { fires } from '../telemetry/exported/alerted.ts';
import type { Points } from '../telemetry/model.ts';

/** When one alert of a rule fired; `to` is the last sample at which its condition held. Milliseconds. */
export interface Firing {
  /** Which alert of the rule: its labels as text. */
  alert: string;
  from: number;
  to: number;
}

/** What a rule measures, for one alert. */
export interface Measured {
  alert: string;
  points: Points;
}

/** How a rule decides. */
export interface Condition {
  /** `null` if what is measured has a sample only while the condition holds. */
  threshold: { comparison: string; value: number } | null;
  /** How long it has to hold, in milliseconds. */
  heldFor: number;
}

/**
 * When a rule with this condition would have fired, oldest first. As in Prometheus, an alert fires once its condition held
 * at each evaluation for as long as `for` says; a missing sample ends it.
 */
export function replay(measured: readonly Measured[], condition: Condition, stepMs: number): Firing[] {
  const { threshold, heldFor } = condition;
  const holds = (value: number) => threshold === null || fires(value, threshold);
  const firings: Firing[] = [];
  for (const { alert, points } of measured) {
    let since: number | null = null;
    let last = 0;
    const end = () => {
      if (since !== null && last - since >= heldFor) firings.push({ alert, from: since + heldFor, to: last });
      since = null;
    };
    for (const [i, at] of points.times.entries()) {
      if (since !== null && at - last > 1.5 * stepMs) end();
      if (holds(points.values[i] ?? Number.NaN)) {
        since ??= at;
        last = at;
      } else end();
    }
    end();
  }
  return firings.sort((a, b) => a.from - b.from);
}

/** What became of the firings that mattered under another condition. */
export interface Kept {
  lost: number;
  /** How much later they fire, in milliseconds: the median of those that are not lost; 0 if there are none. */
  later: number;
}

/** A firing is kept if the other condition fires for the same alert before the first one ended. */
export function keptOf(mattered: readonly Firing[], other: readonly Firing[]): Kept {
  const delays: number[] = [];
  for (const { alert, from, to } of mattered) {
    const first = other.find((one) => one.alert === alert && one.to >= from && one.from <= to);
    if (first !== undefined) delays.push(Math.max(0, first.from - from));
  }
  return { lost: mattered.length - delays.length, later: delays.length === 0 ? 0 : median(delays) };
}

/** The parts of a window in which nothing was recorded of the rule, longer than this: it can't be replayed there. */
export function missing(measured: readonly Measured[], window: { from: number; to: number }, least: number) {
  const times = [...new Set(measured.flatMap(({ points }) => [...points.times]))].sort((a, b) => a - b);
  const edges = [window.from, ...times, window.to];
  return edges.slice(1).flatMap((to, i) => {
    const from = edges[i] ?? to;
    return to - from > least ? [{ from, to }] : [];
  });
}
