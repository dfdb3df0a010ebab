import type { Series } from '../telemetry/model.ts';
import { pointsIn } from '../telemetry/view.ts';
import type { Anomaly } from './anomalies.ts';
import { profileOf } from './profiles.ts';
import { mean, median } from './ranking/statistics.ts';

/** One instance that behaves unlike all others. */
export interface OddInstance {
  instance: string;
  /** Its pod, if its labels name one. */
  pod: string | null;
  anomaly: Anomaly;
  /** The number of healthy ones. */
  others: number;
}

const MINUTE = 60_000;
/** The least excess of its failures over the others', as a share of requests. */
const LEAST_SHARE = 0.05;
/** The least ratio to the others. */
const FACTOR = 2;
/** The others may deviate this much from their own past. */
const STEADY = 1.5;

/**
 * The one instance of a service that fails or is slow while the others are as before; `null` if there are several, or
 * none.
 *
 * @param during.onset when the service's trouble began
 */
export function oddInstanceIn(
  series: readonly Series[],
  during: { onset: number; to: number },
): OddInstance | null {
  const groups = Map.groupBy(series, ({ signal }) => signal.id);
  for (const group of groups.values()) {
    const found = oddOneOf(group, during);
    if (found !== null) return found;
  }
  return null;
}

function oddOneOf(
  group: readonly Series[],
  { onset, to }: { onset: number; to: number },
): OddInstance | null {
  const compared = group
    .map((one) => ({
      one,
      before: levelIn(one, onset - 40 * MINUTE, onset - 2 * MINUTE),
      now: levelIn(one, onset, to),
    }))
    .filter(({ now }) => now !== null)
    .map(({ one, before, now }) => ({ one, before: before ?? 0, now: now ?? 0 }))
    .sort((a, b) => b.now - a.now);
  const [worst, ...others] = compared;
  if (worst === undefined || others.length === 0) return null;
  const least = worst.one.signal.measure === 'errors' ? LEAST_SHARE : 0;
  const rest = median(others.map(({ now }) => now));
  const next = others[0]?.now ?? 0;
  const isOdd = worst.now >= FACTOR * Math.max(next, rest) && worst.now - next > least;
  const areSteady = others.every(({ before, now }) => now <= STEADY * before + least);
  const moved = worst.now >= FACTOR * worst.before + least;
  if (!isOdd || !areSteady || !moved) return null;
  const { labels, instance, service } = worst.one;
  return {
    instance: instance ?? service,
    pod: labels.pod ?? null,
    others: others.length,
    anomaly: {
      series: worst.one,
      profile: profileOf(worst.one),
      onset,
      end: null,
      before: worst.before,
      worst: worst.now,
      worstAt: to,
    },
  };
}

function levelIn(series: Series, from: number, to: number): number | null {
  const values = pointsIn(series, { from, to }).map(({ value }) => value);
  return values.length === 0 ? null : mean(values);
}
