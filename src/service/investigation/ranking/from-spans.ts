import type { Span } from '../../telemetry/model.ts';
import { type CutShort, cutShort } from './cut-short.ts';
import { type SlowWork, slowWork } from './slow-work.ts';
import { type Shape, type Timing, type Traced, takeApart } from './span-times.ts';
import { median } from './statistics.ts';
import type { Reason } from './types.ts';

/** What spans hold against a service. */
export interface Charge {
  service: string;
  /** Milliseconds that it costs a request, averaged over all of them; a request that fails costs its whole time. */
  cost: number;
  reason: Reason;
}

/** Spans older than this are not now, however late an alert comes. */
const STALE = 5 * 60_000;

/**
 * What the spans hold against each service. A service's own work is its own; a slow call is shared by both ends, and the
 * end more of whose calls are slow has the larger share: when a machine's network is slow, everything to and from it is.
 */
export function chargesFromSpans(spans: readonly Span[], trigger: number): Charge[] {
  const newest = spans.reduce((latest, span) => Math.max(latest, span.at + span.durationMs), 0);
  if (spans.length === 0 || newest < trigger - STALE) return [];
  const now = Math.min(newest, trigger);
  const traced = takeApart(spans);
  const { slow, known } = slowWork(traced, now);
  const calls = slow.filter(({ timing }) => timing.kind === 'call');
  const share = shareOfSlowCalls(known, calls);
  return [
    ...slow.flatMap((work) => chargesOfSlow(work, share)),
    ...cutShort(traced, now).flatMap((cut) => chargesOfCut(cut, traced)),
  ];
}

/** How much of the calls to and from a service is slow. One call that is as always weighs as much as one that is slow. */
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
    // Where nothing else is known of the two, a slow answer is the doing of who answers.
    { service: timing.service, cost: added * caller * 0.9, reason },
    { service: timing.callee, cost: added * callee, reason },
  ];
}

function chargesOfCut(cut: CutShort, traced: Traced): Charge[] {
  const { shape } = cut;
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
  const last = cut.does.length === 1 ? calleeOf(cut, traced.shapes) : null;
  if (last === null) return [{ service: shape.service, cost, reason }];
  // It stops after it has called another: that one failed, or the work did on its return. The more kinds of work stop
  // there, the less it is the work's own doing.
  const blamed = cut.contexts / (cut.contexts + 1);
  return [
    { service: shape.service, cost: cost * (1 - blamed), reason },
    { service: last, cost: cost * blamed * 0.99, reason },
  ];
}

/** Which other service was called last, through a span of the caller or directly. */
function calleeOf(cut: CutShort, shapes: readonly Shape[]): string | null {
  const [step] = cut.does;
  if (step === undefined) return null;
  if (step.service !== cut.shape.service) return step.service;
  const below = shapes.find(
    ({ service, operation }) => service === step.service && operation === step.operation,
  );
  const callees = new Set(below?.sets.flat().map(({ service }) => service));
  callees.delete(step.service);
  const [callee] = callees;
  return callees.size === 1 ? (callee ?? null) : null;
}
