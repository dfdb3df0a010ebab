import type { Span } from '../../telemetry/model.ts';
import { type CutShort, cutShort } from './cut-short.ts';
import { type Failing, failing } from './failures.ts';
import { type SlowWork, slowWork } from './slow-work.ts';
import { type Timing, type Traced, takeApart } from './span-times.ts';
import { median } from './statistics.ts';
import type { Reason } from './types.ts';

/** The evidence of spans against a service. */
export interface Charge {
  service: string;
  /** Milliseconds of delay per request, averaged over all of them; a failed request costs its whole time. */
  cost: number;
  reason: Reason;
}

/** Spans older than this are not current, however late an alert comes. */
const STALE = 5 * 60_000;
const MOST_SPANS = 150_000;

/**
 * The evidence of spans against each service. A service is responsible for its own work; a slow call is shared by both
 * ends, and the end with more slow calls gets the larger share: if a machine's network is slow, everything to and from
 * it is.
 */
export function chargesFromSpans(spans: readonly Span[], trigger: number): Charge[] {
  const newest = spans.reduce((latest, span) => Math.max(latest, span.at + span.durationMs), 0);
  if (spans.length === 0 || newest < trigger - STALE) return [];
  const now = Math.min(newest, trigger);
  const traced = takeApart(newestOf(spans));
  const { slow, known } = slowWork(traced, now);
  const calls = slow.filter(({ timing }) => timing.kind === 'call');
  const share = shareOfSlowCalls(known, calls);
  const cuts = cutShort(traced, now);
  return [
    ...slow.flatMap((work) => chargesOfSlow(work, share)),
    ...failing(traced, now).map((one) => chargeOfFailing(one, traced)),
    ...cuts.flatMap((cut) => chargesOfCut(cut, cuts, traced)),
  ];
}

/** The newest spans, if there are very many: enough for a history. */
function newestOf(spans: readonly Span[]): readonly Span[] {
  if (spans.length <= MOST_SPANS) return spans;
  const since = Float64Array.from(spans, ({ at }) => at).sort()[spans.length - MOST_SPANS] ?? 0;
  return spans.filter(({ at }) => at >= since);
}

/** How much of the calls to and from a service is slow. A normal call weighs as much as a slow one. */
function shareOfSlowCalls(known: readonly Timing[], slow: readonly SlowWork[]): Map<string, number> {
  const counts = new Map<string, { slow: number; all: number }>();
  const unusual = new Set(slow.map(({ timing }) => timing));
  for (const timing of known) {
    if (timing.kind !== 'call' || timing.callee === null) continue;
    for (const service of [timing.service, timing.callee]) {
      const count = counts.get(service) ?? { slow: 0, all: 0 };
      count.all++;
      if (unusual.has(timing)) count.slow++;
      counts.set(service, count);
    }
  }
  return new Map([...counts].map(([service, { slow, all }]) => [service, slow / all]));
}

function chargesOfSlow(work: SlowWork, share: ReadonlyMap<string, number>): Charge[] {
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
  const caller = share.get(timing.service) ?? 0;
  const callee = share.get(timing.callee) ?? 0;
  return [
    // If nothing else is known about the two, a slow answer is the callee's fault.
    { service: timing.service, cost: added * caller * 0.9, reason },
    { service: timing.callee, cost: added * callee, reason },
  ];
}

function chargeOfFailing(one: Failing, traced: Traced): Charge {
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

function chargesOfCut(cut: CutShort, all: readonly CutShort[], traced: Traced): Charge[] {
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
