import type { Snapshot } from '../../telemetry/snapshot.ts';
import { callGraph } from './call-graph.ts';
import { type Moved, movements } from './from-series.ts';
import { chargesFromSpans } from './from-spans.ts';
import type { Ranking, Reason, Subject, Suspect, SuspectKind } from './types.ts';

/** From where on spans, and series that callers feel, show that something is wrong. */
const SPANS_FOUND = 12;
const CUT_FOUND = 7.4;
const SERIES_FOUND = 6;
const ERRORS_FOUND = 2.6;
/** Half of the weight that evidence can have is reached at this deviation. */
const HALF = 8;
/** What series weigh where spans tell as well. */
const SERIES_BESIDE_SPANS = 0.35;
/** A service that the symptom does not depend on, as far as calls are known. */
const UNREACHABLE = 0.3;
/** An address outside is often a service inside, seen by its caller. */
const OUTSIDE = 0.5;
/** What is seen where the objective is measured is the symptom, whoever causes it. */
const SYMPTOM = 0.5;

interface Held {
  weight: number;
  reason: Reason;
}

/** Who is to blame for what an alert reports, as far as a snapshot of telemetry tells. */
export function rankCauses(snapshot: Snapshot, subject: Subject): Ranking {
  const charges = chargesFromSpans(snapshot.spans, snapshot.trigger);
  const total = charges.reduce((sum, { cost }) => sum + cost, 0);
  const spansFound = charges.some(
    ({ reason }) => reason.deviation >= (reason.what === 'cut-short' ? CUT_FOUND : SPANS_FOUND),
  );
  const held = new Map<string, Held[]>();
  const hold = (service: string, one: Held) => {
    const all = held.get(service);
    if (all === undefined) held.set(service, [one]);
    else all.push(one);
  };
  if (spansFound)
    for (const { service, cost, reason } of charges) hold(service, { weight: cost / total, reason });
  const moved = movements(snapshot);
  const factor = spansFound ? SERIES_BESIDE_SPANS : 1;
  const reachable = reachableOf(snapshot, subject);
  const outside = new Set(
    snapshot.services.filter(({ kind }) => kind === 'external').map(({ name }) => name),
  );
  const seriesFound = moved.some(
    ({ service, aspect, deviation }) =>
      (aspect === 'latency' || aspect === 'errors' || aspect === 'calls') &&
      deviation.deviation >= (aspect === 'errors' ? ERRORS_FOUND : SERIES_FOUND) &&
      (reachable?.has(service) ?? true),
  );
  if (!spansFound && !seriesFound) return { found: false, ranking: [] };
  for (const one of moved) {
    const { service, deviation } = one;
    const strength = deviation.deviation / (deviation.deviation + HALF);
    const near = (reachable?.has(service) ?? true) ? 1 : UNREACHABLE;
    const inside = outside.has(service) ? OUTSIDE : 1;
    const symptom = service === subject.service ? SYMPTOM : 1;
    const kind = one.aspect === 'saturation' || one.aspect === 'other' ? 0.3 : 1;
    hold(service, {
      weight: factor * one.own * strength * near * inside * kind * symptom,
      reason: reasonOf(one),
    });
  }
  return { found: true, ranking: suspectsOf(held) };
}

function reachableOf(snapshot: Snapshot, { service }: Subject): ReadonlyMap<string, number> | null {
  if (
    service === null ||
    !snapshot.edges.some(({ caller, callee }) => caller === service || callee === service)
  )
    return null;
  return callGraph(snapshot.edges).reachableFrom(service);
}

function reasonOf({ service, deviation }: Moved): Reason {
  const { series } = deviation;
  return {
    what: 'series',
    service,
    callee: series.edge?.callee ?? null,
    metric: series.signal.name,
    unit: series.signal.unit,
    instance: series.instance,
    now: deviation.now,
    usually: deviation.usually,
    deviation: deviation.deviation,
    onset: deviation.onset,
  };
}

function suspectsOf(held: ReadonlyMap<string, readonly Held[]>): Suspect[] {
  const weights = [...held].map(([service, all]) => {
    const sorted = all.toSorted((a, b) => b.weight - a.weight);
    return { service, sorted, weight: all.reduce((sum, { weight }) => sum + weight, 0) };
  });
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  return weights
    .sort((a, b) => b.weight - a.weight)
    .map(({ service, sorted, weight }) => ({
      service,
      score: weight / total,
      kind: kindOf(sorted[0]?.reason),
      onset: Math.min(...sorted.map(({ reason }) => reason.onset)),
      reasons: sorted.map(({ reason }) => reason),
      explains: weight / total,
    }));
}

function kindOf(reason: Reason | undefined): SuspectKind {
  if (reason?.what === 'slow-calls') return 'calls';
  return reason?.what === 'cut-short' ? 'cut-short' : 'latency';
}
