import { mean, median, quantileOfSorted, usual } from '../../../lib/statistics.ts';
import type { LogLine, Span } from '../../telemetry/model.ts';
import { lowerBound } from '../../telemetry/samples.ts';
import { beginOf, type Departure, departures, UNSEEN } from './event-order.ts';
import { type Outcome, type Shape, type Step, type Timing, type Traced, takeApart } from './span-times.ts';
import type { Reason } from './types.ts';
import { FEWEST, logLikelihoodRatio, UNUSUAL, usualShare } from './usual-share.ts';

export interface SpanEvidence {
  service: string;
  /** Milliseconds of delay per request, averaged over all of them; a failed request costs its whole time. */
  cost: number;
  reason: Reason;
}

/** Spans older than this are not current, however late an alert comes. */
const STALE = 5 * 60_000;
/** How far before a delay traces must go back for its onset to be seen. */
const SEEN_BEFORE = 20_000;

/**
 * The evidence of spans against each service. A service is responsible for its own work; a slow call is shared by both
 * ends, and the end with more slow calls gets the larger share: if a machine's network is slow, everything to and from
 * it is.
 */
export function chargesFromSpans(
  spans: readonly Span[],
  logs: readonly LogLine[],
  trigger: number,
): SpanEvidence[] {
  const newest = spans.reduce((latest, span) => Math.max(latest, span.at + span.durationMs), 0);
  if (spans.length === 0 || newest < trigger - STALE) return [];
  const now = Math.min(newest, trigger);
  const traced = takeApart(spans);
  const seenFrom = beginOf(spans, now) + SEEN_BEFORE;
  const { slow, known } = slowWork(traced, now, seenFrom);
  const calls = slow.filter(({ timing }) => timing.kind === 'call');
  const share = shareOfSlowCalls(known, calls);
  const cuts = cutShort(traced, now);
  return [
    ...slow.flatMap((work) => chargesOfSlow(work, share)),
    ...failing(traced, now).map((one) => chargeOfFailing(one, traced)),
    ...cuts.flatMap((cut) => chargesOfCut(cut, cuts, traced)),
    ...departures(spans, logs, now).map((one) => chargeOfDeparture(one, traced, now)),
  ];
}

/** How much of the calls from a service, and to it, is slow. A normal call weighs as much as a slow one. */
function shareOfSlowCalls(known: readonly Timing[], slow: readonly SlowWork[]): Map<string, number> {
  const counts = new Map<string, { slow: number; all: number }>();
  const unusual = new Set(slow.map(({ timing }) => timing));
  for (const timing of known) {
    if (timing.kind !== 'call' || timing.callee === null) continue;
    for (const service of [`from ${timing.service}`, `to ${timing.callee}`]) {
      const count = counts.get(service) ?? { slow: 0, all: 0 };
      count.all++;
      if (unusual.has(timing)) count.slow++;
      counts.set(service, count);
    }
  }
  return new Map([...counts].map(([service, { slow, all }]) => [service, slow / all]));
}

function chargesOfSlow(work: SlowWork, share: ReadonlyMap<string, number>): SpanEvidence[] {
  const { timing, added } = work;
  const reason: Reason = {
    what: timing.kind === 'self' ? 'slow-work' : 'slow-calls',
    service: timing.service,
    callee: timing.callee,
    operation: timing.operation,
    now: work.now,
    usually: work.usually,
    deviation: work.deviation,
    onset: work.onset,
  };
  if (timing.callee === null) return [{ service: timing.service, cost: added, reason }];
  const caller = share.get(`from ${timing.service}`) ?? 0;
  const callee = share.get(`to ${timing.callee}`) ?? 0;
  return [
    // If nothing else is known about the two, a slow answer is the callee's fault.
    { service: timing.service, cost: added * caller * 0.9, reason },
    { service: timing.callee, cost: added * callee, reason },
  ];
}

function chargeOfFailing(one: Failing, traced: Traced): SpanEvidence {
  const { service, operation } = one.outcome;
  return {
    service,
    cost: one.requests * median(traced.requests),
    reason: {
      what: 'failures',
      service,
      operation,
      now: one.now,
      usually: one.usually,
      deviation: one.deviation,
      onset: one.onset,
    },
  };
}

function chargeOfDeparture(one: Departure, traced: Traced, now: number): SpanEvidence {
  const requests = Math.max(1, traced.roots.length - lowerBound(traced.roots, now - one.window));
  const { service, operation, event, usually, deviation, onset, shares } = one;
  return {
    service,
    cost: (one.count / requests) * median(traced.requests),
    reason: { what: 'departure', service, operation, event, now: one.now, usually, deviation, onset, shares },
  };
}

function chargesOfCut(cut: CutShort, all: readonly CutShort[], traced: Traced): SpanEvidence[] {
  const { shape, after } = cut;
  const cost = cut.requests * median(traced.requests);
  const reason: Reason = {
    what: 'cut-short',
    service: shape.service,
    operation: shape.operation,
    now: cut.now,
    usually: cut.usually,
    deviation: cut.deviation,
    onset: cut.onset,
  };
  if (after === null) return [{ service: shape.service, cost, reason }];
  // It stops after calling another service: either that failed, or this work did afterwards. If the other one also
  // stops early, it failed; otherwise, the more kinds of work stop there, the less likely it is this work's fault.
  const failed = all.some((other) => other.shape.service === after);
  const blamed = failed ? 0.9 : cut.contexts / (cut.contexts + 1);
  return [
    { service: shape.service, cost: cost * (1 - blamed), reason },
    { service: after, cost: cost * blamed * 0.99, reason },
  ];
}

/** Work that ends before making its usual calls: it failed, or returned early. */
interface CutShort {
  shape: Shape;
  /** The other service that it called last; null if it called none. */
  after: string | null;
  /** The share of spans that end there, now and usually. */
  now: number;
  usually: number;
  /** How unlikely this is by chance: the root of the log-likelihood ratio, comparable with a deviation. */
  deviation: number;
  requests: number;
  /** How many kinds of this work are cut short there. */
  contexts: number;
  onset: number;
}

const MINUTE = 60_000;
/** The lengths of "now": the fastest alerts come a minute after a fault, others after some minutes. */
const WINDOWS = [1 * MINUTE, 3 * MINUTE];
/** The minimum of past spans to compare shares with. */
const FEWEST_BEFORE = 20;
/** The share of the past at which a set of calls is usual. */
const USUAL = 0.02;
/** The minimum growth of the share. */
const CUT_GREW = 0.1;

/** Finds work that now stops at a point where it rarely or never stopped before. */
function cutShort(traced: Traced, now: number): CutShort[] {
  const found: CutShort[] = [];
  for (const shape of traced.shapes) {
    const best = new Map<number, CutShort>();
    for (const window of WINDOWS) {
      const from = lowerBound(shape.times, now - window);
      if (from < FEWEST_BEFORE || shape.times.length - from < FEWEST) continue;
      const requests = Math.max(1, traced.roots.length - lowerBound(traced.roots, now - window));
      for (const [set, one] of compareCuts(shape, from, requests, now)) {
        if (one.deviation > (best.get(set)?.deviation ?? 0)) best.set(set, one);
      }
    }
    found.push(...best.values());
  }
  return found.sort((a, b) => b.deviation - a.deviation);
}

function compareCuts(shape: Shape, from: number, requests: number, now: number): Map<number, CutShort> {
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
    if (share - usually < CUT_GREW) continue;
    const { center, spread } = usualShare(shape.times, { until: from, now, otherwise: usually }, (i) => {
      const of = shape.of[i] ?? 0;
      return of === set ? true : wider.includes(of) ? false : null;
    });
    if (share < center + 3 * spread + CUT_GREW) continue;
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

/** Work that fails more often than it used to, without any of its calls failing. */
interface Failing {
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

/** The minimum growth of the share. */
const FAILURE_GREW = 0.02;

/** Finds where failures begin. Work that fails because a call failed is not where it began. */
function failing(traced: Traced, now: number): Failing[] {
  const found: Failing[] = [];
  for (const outcome of traced.outcomes) {
    const both = WINDOWS.map((window) => compareFailures(outcome, traced, now - window, now)).filter(
      (one) => one !== null,
    );
    const worst = both.sort((a, b) => b.deviation - a.deviation)[0];
    if (worst !== undefined) found.push(worst);
  }
  return found.sort((a, b) => b.deviation - a.deviation);
}

function compareFailures(outcome: Outcome, traced: Traced, since: number, now: number): Failing | null {
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
  if (share < Math.max(usually, center + 3 * spread) + FAILURE_GREW) return null;
  const deviation = Math.sqrt(2 * logLikelihoodRatio(count, of, usually));
  if (deviation < UNUSUAL) return null;
  const requests = Math.max(1, traced.roots.length - lowerBound(traced.roots, since));
  const onset = times[failures.indexOf(1, from)] ?? now;
  return { outcome, now: share, usually, deviation, requests: count / requests, onset };
}

/** Work, or a call, that takes longer than it used to. */
interface SlowWork {
  timing: Timing;
  /** Its distance from the past, in units of its usual variation. */
  deviation: number;
  /** Average milliseconds now, and usually. */
  now: number;
  usually: number;
  /** Added milliseconds per request, averaged over all requests. */
  added: number;
  /** When it became slow. */
  onset: number;
}

/** Everything that was compared, even if not unusual: otherwise it is unknown which calls are normal. */
interface Compared {
  slow: readonly SlowWork[];
  /** Timings with enough spans in both periods. */
  known: readonly Timing[];
}

/** The minimum of spans: one slow call is not an incident. */
const SLOW_FEWEST = 4;
const SLOW_UNUSUAL = 6;
/** Deviations below this share of a usual request are not noticeable. */
const FELT = 0.02;
/** The number of past spans that suffices to know how single spans vary. */
const MOST_PAST = 5_000;
/** The minimum variation assumed for an average, as a share of it. */
const LEAST_SPREAD = 0.1;

/** Compares each piece of work's current time with its time in each earlier minute. */
function slowWork(traced: Traced, now: number, seenFrom: number): Compared {
  const typical = median(traced.requests);
  const slow: SlowWork[] = [];
  const known: Timing[] = [];
  for (const timing of traced.timings) {
    let worst: SlowWork | null = null;
    let compared = false;
    for (const window of WINDOWS) {
      const from = lowerBound(timing.times, now - window);
      const requests = traced.roots.length - lowerBound(traced.roots, now - window);
      const past = pastOf(timing, from, now);
      if (timing.times.length - from < SLOW_FEWEST || past === null) continue;
      compared = true;
      const values = timing.values.subarray(from);
      const average = meanWithoutLargest(values);
      const spread = Math.hypot(
        past.spread,
        LEAST_SPREAD * past.center,
        past.single / Math.sqrt(values.length),
        FELT * typical,
      );
      const isSeen = now - window >= seenFrom;
      const deviation = ((average - past.center) / spread) * (isSeen ? 1 : UNSEEN);
      if (deviation < SLOW_UNUSUAL || deviation <= (worst?.deviation ?? 0)) continue;
      worst = {
        timing,
        deviation,
        now: average,
        usually: past.center,
        added: ((average - past.center) * values.length) / Math.max(1, requests),
        onset: onsetOf(timing, from, past.center + SLOW_UNUSUAL * spread),
      };
    }
    if (compared) known.push(timing);
    if (worst !== null) slow.push(worst);
  }
  return { slow: slow.sort((a, b) => b.added - a.added), known };
}

interface Past {
  center: number;
  /** For averages of minutes. */
  spread: number;
  /** For single spans. */
  single: number;
}

/**
 * The average of each minute, and how much these differ. If the past contains an incident, some minutes are far off,
 * which the median ignores. With few minutes their spread is unknown, and is assumed to equal the average.
 */
function pastOf(timing: Timing, until: number, now: number): Past | null {
  const minutes: number[] = [];
  let begin = 0;
  for (let i = 0; i <= until; i++) {
    const same =
      i < until &&
      Math.floor(((timing.times[i] ?? 0) - now) / MINUTE) ===
        Math.floor(((timing.times[begin] ?? 0) - now) / MINUTE);
    if (same) continue;
    if (i - begin >= SLOW_FEWEST) minutes.push(meanWithoutLargest(timing.values.subarray(begin, i)));
    begin = i;
  }
  if (minutes.length === 0) return null;
  const { center, spread } = usual(minutes);
  const sorted = timing.values.slice(Math.max(0, until - MOST_PAST), until).sort();
  const single = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / 1.349;
  return { center, spread: minutes.length < 4 ? center : spread, single };
}

/** One exceptionally long call decides nothing. */
function meanWithoutLargest(values: Float64Array): number {
  const largest = values.reduce((a, b) => Math.max(a, b), 0);
  return (mean(values) * values.length - largest) / Math.max(1, values.length - 1);
}

/** The first span of the window that took unusually long. */
function onsetOf(timing: Timing, from: number, threshold: number): number {
  for (let i = from; i < timing.times.length; i++) {
    if ((timing.values[i] ?? 0) > threshold) return timing.times[i] ?? 0;
  }
  return timing.times[from] ?? 0;
}
