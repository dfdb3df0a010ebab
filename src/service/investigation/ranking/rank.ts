import { ALERT_RULE_SIGNAL, type Measure, type Series } from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/view.ts';
import { chargesFromSpans, type SpanEvidence } from './from-spans.ts';
import { chargesFromLines } from './line-order.ts';
import { movements } from './series.ts';
import { callGraph, isShare, type Moved } from './share-blame.ts';
import type { Ranking, Reason, Subject, Suspect, SuspectKind } from './types.ts';

/**
 * The deviation at which one observation alone proves a problem. Traces are compared in many ways at once, so the
 * largest deviation is large by chance, too; failures are counted individually.
 */
const SPANS_SHOW = 12;
const CUT_SHORT_SHOWS = 7.4;
const DEPARTURES_SHOW = 4.5;
const SERIES_SHOWS = 6;
const ERRORS_SHOW = 2.6;
/** The deviation at which a series has half of its maximum weight. */
const HALF = 8;
/** The weight of series if spans are available as well. */
const SERIES_BESIDE_SPANS = 0.35;
/** The alert's own measure proves a problem, but hardly says where. */
const ALERTED = 0.2;
/** What no call leads to, if no call of its own is known either: a database, a queue, a machine. */
const UNCONNECTED = 0.3;
/** An external address that reports its own series is often a load balancer in front of an internal service. */
const OUTSIDE = 0.5;
/** A problem at the point where the objective is measured is the symptom, whatever its cause. */
const SYMPTOM = 0.5;
/** A busy CPU or a full memory is no problem in itself, unless it is at its limit. */
const UNFELT = 0.3;
const AT_LIMIT = 0.9;

/** What began so long before the alert is one trouble only with what began about then. */
const LONG_AGO = 90 * 60_000;
const ABOUT = 30 * 60_000;

/**
 * Without another trouble than the subject's own, or the clearest where it has none: what went on for hours before it, or
 * what began after all of it.
 */
function ofItsTime(moved: readonly Moved[], { trigger, edges }: Snapshot, subject: Subject): Moved[] {
  const felt = moved.filter(({ aspect }) => aspect !== 'saturation');
  const [clearest] = felt.toSorted((a, b) => clarityOfSeries(b) - clarityOfSeries(a));
  const own = moved.filter(({ service }) => service === subject.service);
  const onsets = (own.length > 0 ? own : clearest ? [clearest] : []).map(({ deviation }) => deviation.onset);
  // Of what nobody feels, such as a busy CPU, none is of another time.
  if (onsets.length === 0) return [...moved];
  const [first, last] = [Math.min(...onsets), Math.max(...onsets)];
  // Where nobody knows who calls whom, time alone joins two troubles.
  const isLong = (onset: number) => edges.length === 0 || onset < trigger - LONG_AGO;
  return moved.filter(
    ({ service, deviation: { onset, isExhausted } }) =>
      (isExhausted === true && (edges.length > 0 || service === subject.service)) ||
      (!(isLong(onset) && onset < first - ABOUT) && !(isLong(last) && onset > last + ABOUT)),
  );
}

/** Who is to blame for an alert, as far as a telemetry snapshot shows. */
export function rankCauses(snapshot: Snapshot, subject: Subject): Ranking {
  const { spans, logs, edges, trigger } = snapshot;
  const reachable = reachableOf(snapshot, subject);
  const nearness = nearnessOf(snapshot, subject, reachable);
  const charges =
    spans.length > 0
      ? chargesFromSpans(spans, logs, trigger)
      : chargesFromLines(logs, edges, trigger).filter(({ service }) => nearness(service) > 0);
  const moved = ofItsTime(
    movements(snapshot, subject.service).filter(({ service }) => nearness(service) > 0),
    snapshot,
    subject,
  );
  const bySpans = Math.max(0, ...charges.map(clarityOf));
  // Where nobody knows who calls whom, problems elsewhere say nothing of a service that is well.
  const isWell =
    speaksForItself(snapshot, subject) && !moved.some(({ service }) => service === subject.service);
  const isRelevant = ({ service }: Moved) => reachable?.has(service) ?? !isWell;
  const bySeries = Math.max(
    0,
    ...moved.filter((one) => one.aspect !== 'saturation' && isRelevant(one)).map(clarityOfSeries),
  );
  const clarity = Math.max(bySpans, bySeries);
  if (clarity < 1) return { found: false, ranking: [] };
  const spansAreClear = bySpans >= 1;
  const outside = new Set(
    snapshot.services.filter(({ kind }) => kind === 'external').map(({ name }) => name),
  );
  const isSubjectExhausted = moved.some(
    ({ service, deviation }) => deviation.isExhausted && service === subject.service,
  );
  const weighed = [
    ...(spansAreClear ? weighedBySpans(charges) : []),
    ...moved.map((one): Weighed => {
      // Exhaustion at the subject itself needs no other service's problem to explain it.
      const isBeside = isSubjectExhausted && reachable === null && one.service !== subject.service;
      const near = isBeside ? UNCONNECTED : nearness(one.service);
      const inside = outside.has(one.service) && one.aspect !== 'calls' ? OUTSIDE : 1;
      const symptom =
        one.service === subject.service && reachable !== null && !isSubjectExhausted ? SYMPTOM : 1;
      const beside = spansAreClear ? SERIES_BESIDE_SPANS : 1;
      return {
        service: one.service,
        weight: weightOf(one) * near * inside * symptom * beside,
        reason: reasonOf(one),
      };
    }),
  ];
  return { found: true, ranking: suspectsOf(weighed, clarity) };
}

/** The multiple of the smallest conclusive deviation; 1 or more is conclusive. */
function clarityOf({ reason: { what, deviation } }: SpanEvidence): number {
  if (what === 'departure') return deviation / DEPARTURES_SHOW;
  return deviation / (what === 'cut-short' || what === 'failures' ? CUT_SHORT_SHOWS : SPANS_SHOW);
}

function clarityOfSeries({ deviation: { deviation, series } }: Moved): number {
  return deviation / (isShare(series) ? ERRORS_SHOW : SERIES_SHOWS);
}

/** The share of all delay and failure of requests; what may be chance counts for less. */
function weighedBySpans(charges: readonly SpanEvidence[]): Weighed[] {
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

function weightOf({ aspect, own, deviation: { deviation, series, now, isExhausted } }: Moved): number {
  const felt = aspect !== 'saturation' || isExhausted || isAtLimit(series, now);
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

function speaksForItself({ series }: Snapshot, { service }: Subject): boolean {
  return series.some(
    (one) =>
      one.service === service && one.edge === null && ['errors', 'latency'].includes(one.signal.measure),
  );
}

/** Measures of work for others. What has none of them only reports: an exporter, a build machine, an office. */
const WORK: ReadonlySet<Measure> = new Set<Measure>([
  'requests',
  'errors',
  'success',
  'latency',
  'queue',
  'lag',
  'connections',
  'waiting',
  'cache-hits',
  'disk',
  'certificate',
]);

/** How much a problem somewhere says about the subject, 0 to 1: nothing, if no way leads there. */
function nearnessOf(
  { series, edges }: Snapshot,
  subject: Subject,
  reachable: ReadonlyMap<string, number> | null,
): (service: string) => number {
  const connected = new Set(edges.flatMap(({ caller, callee }) => [caller, callee]));
  const working = new Set(
    series.filter(({ signal }) => WORK.has(signal.measure)).map(({ service }) => service),
  );
  return (service) => {
    if (service === subject.service) return 1;
    // Nobody knows a way from a subject without calls into the calls of others.
    if (connected.has(service))
      return reachable === null ? (subject.service ? UNCONNECTED : 1) : Number(reachable.has(service));
    if (!working.has(service)) return 0;
    return reachable === null ? 1 : UNCONNECTED;
  };
}

function reasonOf({ service, aspect, deviation }: Moved): Reason {
  const { series } = deviation;
  return {
    what: 'series',
    aspect,
    service,
    caller: series.edge?.caller ?? null,
    callee: series.edge?.callee ?? null,
    signal: series.signal.id,
    instance: series.instance,
    now: deviation.now,
    usually: deviation.usually,
    deviation: deviation.deviation,
    onset: deviation.onset,
  };
}

/** A piece of evidence against a service. */
interface Weighed {
  service: string;
  weight: number;
  reason: Reason;
}

/** Brings the suspects' shares close to how often the first of them was right. */
const SHARPEN = 1.5;

/**
 * The suspects, most likely first.
 * @param clarity the multiple of the smallest conclusive deviation, 1 or more: a barely visible problem is not certain
 */
function suspectsOf(weighed: readonly Weighed[], clarity: number): Suspect[] {
  const weights = [...Map.groupBy(weighed, ({ service }) => service)].map(([service, all]) => {
    const sorted = onceForEach(all).toSorted((a, b) => b.weight - a.weight);
    return { service, sorted, weight: sorted.reduce((sum, { weight }) => sum + weight, 0) };
  });
  const sharp = weights.reduce((sum, { weight }) => sum + weight ** SHARPEN, 0);
  const certainty = 1 - 0.5 / clarity;
  return weights
    .sort((a, b) => b.weight - a.weight)
    .map(({ service, sorted, weight }) => ({
      service,
      score: (certainty * weight ** SHARPEN) / sharp,
      kind: kindOf(sorted[0]?.reason),
      onset: Math.min(...sorted.map(({ reason }) => reason.onset)),
      reasons: sorted.map(({ reason }) => reason),
    }));
}

/** Several series of one thing, such as those of five instances, weigh as much as the largest. */
function onceForEach(weighed: readonly Weighed[]): Weighed[] {
  const seen = new Set<string>();
  return weighed
    .toSorted((a, b) => b.weight - a.weight)
    .map((one) => {
      if (one.reason.what !== 'series') return one;
      const key = `${one.reason.aspect} ${one.reason.callee ?? ''}`;
      const again = seen.has(key);
      seen.add(key);
      return again ? { ...one, weight: 0 } : one;
    });
}

function kindOf(reason: Reason | undefined): SuspectKind {
  if (reason === undefined) return 'other';
  if (reason.what === 'series') return reason.aspect;
  if (reason.what === 'cut-short' || reason.what === 'departure') return 'cut-short';
  if (reason.what === 'failures') return 'errors';
  return reason.what === 'slow-calls' ? 'calls' : 'latency';
}
