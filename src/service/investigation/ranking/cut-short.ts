import { lowerBound } from '../../../lib/lower-bound.ts';
import { usualShare } from './minute-shares.ts';
import type { Shape, Step, Traced } from './span-times.ts';
import { logLikelihoodRatio } from './statistics.ts';

/** Work that ends before making its usual calls: it failed, or returned early. */
export interface CutShort {
  shape: Shape;
  /** The other service that it called last; null if it called none. */
  after: string | null;
  /** The share of spans that end there, now and usually. */
  now: number;
  usually: number;
  /** How unlikely this is by chance: the root of the log-likelihood ratio, comparable with a deviation. */
  deviation: number;
  /** How many of all requests it cuts short. */
  requests: number;
  /** How many kinds of this work are cut short there. */
  contexts: number;
  onset: number;
}

const MINUTE = 60_000;
const WINDOWS = [1 * MINUTE, 3 * MINUTE];
/** The minimum of spans cut short now, and of past spans to compare with. */
const FEWEST = 3;
const FEWEST_BEFORE = 20;
const UNUSUAL = 4;
/** The share of the past at which a set of calls is usual. */
const USUAL = 0.02;
/** The minimum growth of the share. */
const GREW = 0.1;

/** Finds work that now stops at a point where it rarely or never stopped before. */
export function cutShort(traced: Traced, now: number): CutShort[] {
  const found: CutShort[] = [];
  for (const shape of traced.shapes) {
    const best = new Map<number, CutShort>();
    for (const window of WINDOWS) {
      const from = lowerBound(shape.times, now - window);
      if (from < FEWEST_BEFORE || shape.times.length - from < FEWEST) continue;
      const requests = Math.max(1, traced.roots.length - lowerBound(traced.roots, now - window));
      for (const [set, one] of compare(shape, from, requests, now)) {
        if (one.deviation > (best.get(set)?.deviation ?? 0)) best.set(set, one);
      }
    }
    found.push(...best.values());
  }
  return found.sort((a, b) => b.deviation - a.deviation);
}

function compare(shape: Shape, from: number, requests: number, now: number): Map<number, CutShort> {
  const past = countsOf(shape, 0, from);
  const current = countsOf(shape, from, shape.of.length);
  const found = new Map<number, CutShort>();
  for (const [set, count] of current.entries()) {
    if (count < FEWEST) continue;
    const wider = [...shape.sets.keys()].filter(
      (other) => (past[other] ?? 0) >= USUAL * from && isWithin(shape.sets[set], shape.sets[other]),
    );
    if (wider.length === 0) continue;
    const whole = sum(wider, current);
    const wholeBefore = sum(wider, past);
    const before = past[set] ?? 0;
    const share = count / (count + whole);
    const usually = (before + 0.5) / (before + wholeBefore + 1);
    if (share - usually < GREW) continue;
    const { center, spread } = usualShare(shape.times, { until: from, now, otherwise: usually }, (i) => {
      const of = shape.of[i] ?? 0;
      return of === set ? true : wider.includes(of) ? false : null;
    });
    if (share < center + 3 * spread + GREW) continue;
    found.set(set, {
      shape,
      after: lastCalledBy(shape, set, from),
      now: share,
      usually,
      deviation: Math.sqrt(2 * logLikelihoodRatio(count, count + whole, usually)),
      requests: count / requests,
      contexts: wider.filter(
        (other) => (current[other] ?? 0) < 0.5 * ((past[other] ?? 0) / from) * (shape.of.length - from),
      ).length,
      onset: shape.times[shape.of.indexOf(set, from)] ?? now,
    });
  }
  for (const [set, { deviation }] of found) if (deviation < UNUSUAL) found.delete(set);
  return found;
}

/** The service last called by most of the spans now cut short. */
function lastCalledBy(shape: Shape, set: number, from: number): string | null {
  const counts = new Map<string | null, number>();
  for (let i = from; i < shape.of.length; i++) {
    if (shape.of[i] !== set) continue;
    const last = shape.lastCalled[i] ?? null;
    counts.set(last, (counts.get(last) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function countsOf(shape: Shape, from: number, to: number): number[] {
  const counts = shape.sets.map(() => 0);
  for (let i = from; i < to; i++) {
    const set = shape.of[i] ?? 0;
    counts[set] = (counts[set] ?? 0) + 1;
  }
  return counts;
}

function isWithin(small: readonly Step[] | undefined, large: readonly Step[] | undefined): boolean {
  if (small === undefined || large === undefined || small.length >= large.length) return false;
  return small.every((step) =>
    large.some(({ service, operation }) => service === step.service && operation === step.operation),
  );
}

function sum(indices: readonly number[], counts: readonly number[]): number {
  return indices.reduce((total, index) => total + (counts[index] ?? 0), 0);
}
