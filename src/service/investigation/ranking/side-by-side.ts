import { mean } from '../../../lib/statistics.ts';
import type { Change, Series, VersionRun } from '../../telemetry/model.ts';

/** What requests to the instances of a new version are like, and to those of the old one at the same time. */
export interface SideBySide {
  kind: 'version';
  signal: Series['signal'];
  /** Means over the time in which both ran. */
  is: number;
  was: number;
  newer: number;
  older: number;
}

/** The window of a rate after a start still has samples of what ran before; and who just started may be slow. */
const SETTLES_MS = 90_000;
/** Samples at the same time that it takes. */
const FEWEST = 3;
/** The least ratio to the old version. */
const FACTOR = 2;
/** The least difference, as a share of requests or in milliseconds. */
const LEAST_SHARE = 0.05;
const LEAST_DELAY_MS = 20;
/** The old version may deviate this much from its own past. */
const STEADY = 1.5;
/** How far back that past goes. */
const PAST_MS = 40 * 60_000;

/**
 * Whether every instance of a new version fails, or is slow, while every one of the old version is as before, at the
 * same times; `null` if not, or if they did not run side by side.
 *
 * @param instances series of errors and latency per instance, of any service
 */
export function sideBySide(change: Change, instances: readonly Series[]): SideBySide | null {
  const runs = change.instances ?? [];
  const newer = runs.filter(({ isNew }) => isNew);
  const older = runs.filter(({ isNew }) => !isNew);
  if (newer.length === 0 || older.length === 0) return null;
  const own = instances.filter(({ service }) => service === change.service);
  for (const group of Map.groupBy(own, ({ signal }) => signal.id).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { signal } = first;
    const is = levels(newer, group);
    const was = levels(older, group);
    const times = [...is.keys()].filter((at) => was.has(at));
    if (times.length < FEWEST) continue;
    const least = leastOf(signal);
    const meansOf = (side: Levels) => meansByInstance(side, times);
    const [low, high] = [Math.min(...meansOf(is)), Math.max(...meansOf(was))];
    const past = pastOf(older, group, change.at);
    if (low < FACTOR * high || low - high < least || high > STEADY * past + least / 2) continue;
    return {
      kind: 'version',
      signal,
      is: mean(meansOf(is)),
      was: mean(meansOf(was)),
      newer: meansOf(is).length,
      older: meansOf(was).length,
    };
  }
  return null;
}

function leastOf({ measure, unit }: Series['signal']): number {
  if (measure === 'errors') return LEAST_SHARE;
  return unit === 'ms' ? LEAST_DELAY_MS : LEAST_DELAY_MS / 1000;
}

/** By time, the level of each instance that runs then. */
type Levels = ReadonlyMap<number, ReadonlyMap<string, number>>;

function levels(runs: readonly VersionRun[], group: readonly Series[]): Levels {
  const found = new Map<number, Map<string, number>>();
  for (const { instance, from, to } of runs)
    for (const { points } of group.filter((one) => one.instance === instance))
      points.times.forEach((at, i) => {
        const value = points.values[i];
        if (value === undefined || Number.isNaN(value) || at < from + SETTLES_MS || at > to) return;
        found.set(at, (found.get(at) ?? new Map<string, number>()).set(instance, value));
      });
  return found;
}

function meansByInstance(side: Levels, times: readonly number[]): number[] {
  const all = new Map<string, number[]>();
  for (const at of times)
    for (const [instance, value] of side.get(at) ?? [])
      all.set(instance, [...(all.get(instance) ?? []), value]);
  return [...all.values()].map(mean);
}

/** What the instances of the old version had before the change. */
function pastOf(runs: readonly VersionRun[], group: readonly Series[], at: number): number {
  const names = new Set(runs.map(({ instance }) => instance));
  const values = group
    .filter(({ instance }) => instance !== null && names.has(instance))
    .flatMap(({ points }) =>
      [...points.values].filter((_, i) => {
        const time = points.times[i] ?? 0;
        return time >= at - PAST_MS && time < at;
      }),
    )
    .filter((value) => !Number.isNaN(value));
  return values.length === 0 ? 0 : mean(values);
}
