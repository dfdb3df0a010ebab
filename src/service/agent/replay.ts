import { fires } from '../telemetry/exported/alerted.ts';
import type { Points } from '../telemetry/model.ts';

/** When one alert of a rule fired; `to` is the last sample at which its condition held. Milliseconds. */
export interface Firing {
  /** Which alert of the rule: its labels as text. */
  alert: string;
  from: number;
  to: number;
}

export interface Measured {
  alert: string;
  points: Points;
}

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

/** How many of the firings that mattered are lost: of the same alert, nothing fires before the first one ended. */
export function lostOf(mattered: readonly Firing[], other: readonly Firing[]): number {
  return mattered.filter(
    ({ alert, from, to }) => !other.some((one) => one.alert === alert && one.to >= from && one.from <= to),
  ).length;
}
