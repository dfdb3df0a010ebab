import { lowerBound } from '../../../lib/lower-bound.ts';
import { usualShare } from './minute-shares.ts';
import type { Outcome, Traced } from './span-times.ts';
import { logLikelihoodRatio } from './statistics.ts';

/** Work that fails more often than it used to, without any of its calls failing. */
export interface Failing {
  outcome: Outcome;
  /** The share of its spans that fail without a failed call, 0 to 1. */
  now: number;
  usually: number;
  /** How unlikely this is by chance, comparable with a deviation. */
  deviation: number;
  /** How many of all requests are affected. */
  requests: number;
  onset: number;
}

const MINUTE = 60_000;
const WINDOWS = [1 * MINUTE, 3 * MINUTE];
/** The minimum of failures now, and of past spans to compare with. */
const FEWEST = 3;
const FEWEST_BEFORE = 20;
const UNUSUAL = 4;
/** The minimum growth of the share. */
const GREW = 0.02;

/** Finds where failures begin. Work that fails because a call failed is not where it began. */
export function failing(traced: Traced, now: number): Failing[] {
  const found: Failing[] = [];
  for (const outcome of traced.outcomes) {
    const both = WINDOWS.map((window) => compare(outcome, traced, now - window, now)).filter(
      (one) => one !== null,
    );
    const worst = both.sort((a, b) => b.deviation - a.deviation)[0];
    if (worst !== undefined) found.push(worst);
  }
  return found.sort((a, b) => b.deviation - a.deviation);
}

function compare(outcome: Outcome, traced: Traced, since: number, now: number): Failing | null {
  const { times, failures } = outcome;
  const from = lowerBound(times, since);
  const of = times.length - from;
  const count = failures.subarray(from).reduce((sum, one) => sum + one, 0);
  if (from < FEWEST_BEFORE || count < FEWEST) return null;
  const before = failures.subarray(0, from).reduce((sum, one) => sum + one, 0);
  const usually = (before + 0.5) / (from + 1);
  const share = count / of;
  const { center, spread } = usualShare(
    times,
    { until: from, now, otherwise: usually },
    (i) => (failures[i] ?? 0) > 0,
  );
  if (share < Math.max(usually, center + 3 * spread) + GREW) return null;
  const deviation = Math.sqrt(2 * logLikelihoodRatio(count, of, usually));
  if (deviation < UNUSUAL) return null;
  const requests = Math.max(1, traced.roots.length - lowerBound(traced.roots, since));
  const onset = times[failures.indexOf(1, from)] ?? now;
  return { outcome, now: share, usually, deviation, requests: count / requests, onset };
}
