import type { Snapshot } from '../../telemetry/snapshot.ts';
import { callGraph } from './call-graph.ts';
import { isShare, type Moved, movements } from './from-series.ts';
import { type Charge, chargesFromSpans } from './from-spans.ts';
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
/** A busy processor or a full memory is not a trouble by itself, unless it is at its limit. */
const UNFELT = 0.3;
const AT_LIMIT = 0.9;

interface Held {
  weight: number;
  reason: Reason;
}

/** Who is to blame for what an alert reports, as far as a snapshot of telemetry tells. */
export function rankCauses(snapshot: Snapshot, subject: Subject): Ranking {
  const charges = chargesFromSpans(snapshot.spans, snapshot.trigger);
  const total = charges.reduce((sum, charge) => sum + certain(charge), 0);
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
    for (const charge of charges)
      hold(charge.service, { weight: certain(charge) / total, reason: charge.reason });
  const moved = movements(snapshot);
  const factor = spansFound ? SERIES_BESIDE_SPANS : 1;
  const reachable = reachableOf(snapshot, subject);
  const outside = new Set(
    snapshot.services.filter(({ kind }) => kind === 'external').map(({ name }) => name),
  );
  const seriesFound = moved.some(
    (one) =>
      one.aspect !== 'saturation' &&
      one.deviation.deviation >= (isShare(one.deviation.series) ? ERRORS_FOUND : SERIES_FOUND) &&
      (reachable?.has(one.service) ?? true),
  );
  if (!spansFound && !seriesFound) return { found: false, ranking: [] };
  for (const one of moved) {
    const { service, deviation } = one;
    const strength = deviation.deviation / (deviation.deviation + HALF);
    const near = (reachable?.has(service) ?? true) ? 1 : UNREACHABLE;
    const inside = outside.has(service) ? OUTSIDE : 1;
    const symptom = service === subject.service && reachable !== null ? SYMPTOM : 1;
    const hurts = isFelt(one) ? 1 : UNFELT;
    hold(service, {
      weight: factor * one.own * strength * near * inside * hurts * symptom,
      reason: reasonOf(one),
    });
  }
  return { found: true, ranking: suspectsOf(held) };
}

function isFelt({ aspect, deviation: { series, now } }: Moved): boolean {
  return aspect !== 'saturation' || (series.signal.unit === '1' && now >= AT_LIMIT);
}

/** What a charge costs, if it is sure; less, if it may be chance. */
function certain({ cost, reason: { what, deviation } }: Charge): number {
  return cost * Math.min(1, (deviation / (what === 'cut-short' ? CUT_FOUND : SPANS_FOUND)) ** 2);
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
