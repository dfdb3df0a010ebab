import { ALERT_RULE_SIGNAL, type Series } from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/snapshot.ts';
import { callGraph } from './call-graph.ts';
import { movements } from './from-series.ts';
import { type Charge, chargesFromSpans } from './from-spans.ts';
import { isShare, type Moved } from './share-blame.ts';
import { type Held, suspectsOf } from './suspects.ts';
import type { Ranking, Reason, Subject } from './types.ts';

/**
 * From which deviation on one observation alone shows that something is wrong. Traces are compared in many ways at once,
 * so the largest of their deviations is large by chance, too; failures are counted one by one.
 */
const SPANS_SHOW = 12;
const CUT_SHORT_SHOWS = 7.4;
const SERIES_SHOWS = 6;
const ERRORS_SHOW = 2.6;
/** Half of the weight that a series can have is reached at this deviation. */
const HALF = 8;
/** What series weigh where spans tell as well. */
const SERIES_BESIDE_SPANS = 0.35;
/** What the alert measures shows that something is wrong, but hardly where. */
const ALERTED = 0.2;
/** A service that the symptom does not depend on, as far as calls are known. */
const UNREACHABLE = 0.3;
/** An address outside that reports series of its own is often a load balancer before a service inside. */
const OUTSIDE = 0.5;
/** What is seen where the objective is measured is the symptom, whoever causes it. */
const SYMPTOM = 0.5;
/** A busy processor or a full memory is no trouble by itself, unless it is at its limit. */
const UNFELT = 0.3;
const AT_LIMIT = 0.9;

/** Who is to blame for what an alert reports, as far as a snapshot of telemetry tells. */
export function rankCauses(snapshot: Snapshot, subject: Subject): Ranking {
  const charges = chargesFromSpans(snapshot.spans, snapshot.trigger);
  const moved = movements(snapshot, subject.service);
  const reachable = reachableOf(snapshot, subject);
  const bySpans = Math.max(0, ...charges.map(clarityOf));
  const bySeries = Math.max(
    0,
    ...moved
      .filter(({ service, aspect }) => aspect !== 'saturation' && (reachable?.has(service) ?? true))
      .map(clarityOfSeries),
  );
  const clarity = Math.max(bySpans, bySeries);
  if (clarity < 1) return { found: false, ranking: [] };
  const spansTell = bySpans >= 1;
  const outside = new Set(
    snapshot.services.filter(({ kind }) => kind === 'external').map(({ name }) => name),
  );
  const isSubjectExhausted = moved.some(
    ({ service, deviation }) => deviation.isExhausted && service === subject.service,
  );
  const held = [
    ...(spansTell ? heldBySpans(charges) : []),
    ...moved.map((one): Held => {
      // What has run out at the subject itself needs nobody else's trouble to explain it.
      const isNear = reachable?.has(one.service) ?? (!isSubjectExhausted || one.service === subject.service);
      const near = isNear ? 1 : UNREACHABLE;
      const inside = outside.has(one.service) && one.aspect !== 'calls' ? OUTSIDE : 1;
      const symptom =
        one.service === subject.service && reachable !== null && !isSubjectExhausted ? SYMPTOM : 1;
      const beside = spansTell ? SERIES_BESIDE_SPANS : 1;
      return {
        service: one.service,
        weight: weightOf(one) * near * inside * symptom * beside,
        reason: reasonOf(one),
      };
    }),
  ];
  return { found: true, ranking: suspectsOf(held, clarity) };
}

/** How often over the least that shows trouble; 1 and more shows it. */
function clarityOf({ reason: { what, deviation } }: Charge): number {
  return deviation / (what === 'cut-short' || what === 'failures' ? CUT_SHORT_SHOWS : SPANS_SHOW);
}

function clarityOfSeries({ deviation: { deviation, series } }: Moved): number {
  return deviation / (isShare(series) ? ERRORS_SHOW : SERIES_SHOWS);
}

/** The share of all that requests are delayed by or fail for; what may be chance counts for less. */
function heldBySpans(charges: readonly Charge[]): Held[] {
  const weighed = charges.map((charge) => {
    const clarity = clarityOf(charge) ** 2;
    return {
      service: charge.service,
      weight: (charge.cost * clarity) / (clarity + 1),
      reason: charge.reason,
    };
  });
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  return weighed.map((one) => ({ ...one, weight: one.weight / total }));
}

function weightOf({ aspect, own, deviation: { deviation, series, now } }: Moved): number {
  const felt = aspect !== 'saturation' || isAtLimit(series, now);
  const alerted = series.signal.id === ALERT_RULE_SIGNAL ? ALERTED : 1;
  return ((own * deviation) / (deviation + HALF)) * (felt ? 1 : UNFELT) * alerted;
}

function isAtLimit({ signal, limit }: Series, now: number): boolean {
  const most = signal.unit === '1' ? 1 : (limit?.values.at(-1) ?? 0);
  return most > 0 && now >= AT_LIMIT * most;
}

function reachableOf(snapshot: Snapshot, { service }: Subject): ReadonlyMap<string, number> | null {
  if (
    service === null ||
    !snapshot.edges.some(({ caller, callee }) => caller === service || callee === service)
  )
    return null;
  return callGraph(snapshot.edges).reachableFrom(service);
}

function reasonOf({ service, aspect, deviation }: Moved): Reason {
  const { series } = deviation;
  return {
    what: 'series',
    aspect,
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
