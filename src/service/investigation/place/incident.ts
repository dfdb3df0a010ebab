import type { Series, Span } from '../../telemetry/model.ts';
import { pointsIn, type View } from '../../telemetry/view.ts';
import { type Anomaly, anomalyAt, leastOf, profileOf, type Survey } from '../anomalies.ts';
import { isFilled } from '../climb.ts';
import type { Ranking, Reason, Suspect } from '../ranking/types.ts';

const MINUTE = 60_000;

/** The strongest evidence against a suspect, as an anomaly of a series; `null` if there is none to show. */
export function anomalyOf(suspect: Suspect, view: View): Anomaly | null {
  for (const reason of suspect.reasons) {
    const series = seriesBehind(reason, view);
    if (series === undefined) continue;
    return {
      series,
      profile: profileOf(series),
      onset: reason.onset,
      end: null,
      before: reason.usually,
      worst: reason.now,
      worstAt: view.trigger,
    };
  }
  return null;
}

function seriesBehind(reason: Reason, view: View): Series | undefined {
  if (reason.what !== 'series') return spanSeries(reason, view.snapshot.spans);
  return view.snapshot.series.find(
    ({ service, signal, instance, edge }) =>
      signal.id === reason.signal &&
      instance === reason.instance &&
      // A slow call counts against both of its ends, and is one caller's.
      (edge === null
        ? reason.callee === null && service === reason.service
        : edge.callee === reason.callee && edge.caller === reason.caller),
  );
}

/** An operation's duration per minute according to its spans, or how often it was cut short or departed if that is what moved. */
function spanSeries(reason: Exclude<Reason, { what: 'series' }>, spans: readonly Span[]): Series | undefined {
  const own = spans.filter(
    ({ service, operation }) => service === reason.service && operation === reason.operation,
  );
  const shares = reason.what === 'departure' ? reason.shares : null;
  // What no longer happens is not an error of its own.
  const isMissing = reason.what === 'departure' && reason.now < reason.usually;
  if (own.length === 0 && shares === null) return undefined;
  const minutes = [...Map.groupBy(own, ({ at }) => Math.floor(at / MINUTE))].sort(([a], [b]) => a - b);
  const isShare = reason.what === 'cut-short' || reason.what === 'departure';
  const share =
    reason.what === 'departure'
      ? `share of \`${reason.operation}\` with "${reason.event}"`
      : `share of \`${reason.operation}\` cut short`;
  return {
    signal: {
      id: `spans of ${reason.operation}`,
      name: isShare ? `${reason.operation} count` : `${reason.operation} duration`,
      label: isShare ? share : `time in \`${reason.operation}\``,
      measure: isMissing ? 'success' : isShare ? 'errors' : 'latency',
      unit: isShare ? '1' : 'ms',
      bad: isMissing ? 'low' : 'high',
      metricType: 'gauge',
      quantile: 'mean',
    },
    service: reason.service,
    instance: null,
    edge: null,
    labels: {},
    points: shares ?? {
      times: Float64Array.from(minutes, ([minute]) => (minute + 1) * MINUTE),
      values: Float64Array.from(minutes, ([, some]) =>
        isShare ? some.length : some.reduce((sum, { durationMs }) => sum + durationMs, 0) / some.length,
      ),
    },
    limit: null,
    query: null,
    providerUrl: null,
    provider: own.length === 0 ? 'logs' : 'traces',
  };
}

/** Whose series an incident's primary anomaly is; a call counts against both of its ends. */
export function ownerOf({ series }: Anomaly, symptom: string): string {
  return series.edge === null ? series.service : symptom;
}

/** Services degraded together, from the point of view of the service. */
export interface Incident {
  /** The service to explain. */
  symptom: string;
  chosen: 'named' | 'neighbour' | 'worst';
  /** The anomaly that represents the issue. */
  primary: Anomaly;
  /** Simultaneous anomalies: of the symptom, and of what it depends on through degraded services. */
  affected: ReadonlyMap<string, readonly Anomaly[]>;
}

/**
 * Chooses the service to explain: the named one, else a neighbor of it; if the issue names none, the worst. Anomalies
 * mentioned in the text take precedence. `null` if everything is healthy around the trigger.
 */
export function findIncident(survey: Survey, named: string | null, text: string): Incident | null {
  if (named !== null) {
    const own = primaryOf(survey, named, text);
    if (own) return incidentAround(survey, named, 'named', own);
    const node = survey.nodes.get(named);
    const callers = [...survey.nodes.values()].filter(({ calls }) => calls.includes(named));
    const near = worstOf(survey, [...callers.map(({ name }) => name), ...(node?.calls ?? [])]);
    return near && incidentAround(survey, near.service, 'neighbour', near.primary);
  }
  const worst = worstOf(survey, [...survey.nodes.keys()]);
  return worst && incidentAround(survey, worst.service, 'worst', worst.primary);
}

/**
 * An incident that only the ranking sees, represented by what moved at the named service, else at its first suspect. `null` if there is no series
 * to show for it.
 */
export function incidentFrom(
  survey: Survey,
  view: View,
  ranking: Ranking,
  named: string | null,
): Incident | null {
  const [first] = ranking.ranking;
  const own = ranking.ranking.find(({ service }) => service === named);
  const shown = [own, first].flatMap((suspect) => {
    const anomaly = suspect && anomalyOf(suspect, view);
    return anomaly && !isNegligible(anomaly) ? [{ service: suspect.service, anomaly }] : [];
  });
  const [represents] = shown;
  if (first === undefined || represents === undefined) return null;
  return {
    symptom: named ?? first.service,
    chosen: named === null ? 'worst' : 'named',
    primary: represents.anomaly,
    affected: new Map(
      shown.map(({ service, anomaly }) => [service, [anomaly, ...(survey.anomalies.get(service) ?? [])]]),
    ),
  };
}

/** So few more failures that they matter in no system, however unusual they are. */
export function isNegligible({ profile: { measure, least }, worst, before }: Anomaly): boolean {
  return measure === 'errors' && Math.abs(worst - before) < least;
}

/** The size of an anomaly, in multiples of the noticeable minimum. */
function severityOf({ series, profile, before, worst }: Anomaly): number {
  const least = Math.max(leastOf(series), profile.leastShare * Math.abs(before), 1e-9);
  const weight = profile.role === 'context' ? 0.3 : 1;
  return weight * Math.min(50, Math.abs(worst - before) / least);
}

/** Every service that is degraded around the trigger, with its worst anomaly. */
export function affectedServices(survey: Survey): { service: string; primary: Anomaly }[] {
  return [...survey.nodes.keys()].flatMap((service) => {
    const primary = primaryOf(survey, service);
    return primary ? [{ service, primary }] : [];
  });
}

/** Direct and indirect callers of a service that degraded no earlier than `onset` (with half a minute of tolerance). */
export function affectedCallers(survey: Survey, service: string, onset: number): string[] {
  const callers = new Set([service]);
  for (let size = 0; size < callers.size; ) {
    size = callers.size;
    for (const { name, calls } of survey.nodes.values())
      if (calls.some((callee) => callers.has(callee))) callers.add(name);
  }
  return affectedServices(survey)
    .filter((one) => one.service !== service && callers.has(one.service))
    .filter(({ primary }) => primary.onset >= onset - MINUTE / 2)
    .map((one) => one.service);
}

function worstOf(survey: Survey, services: readonly string[]): { service: string; primary: Anomaly } | null {
  const found = services.flatMap((service) => {
    const primary = primaryOf(survey, service);
    return primary
      ? [{ service, primary, ongoing: goesOn(primary, survey), severity: severityOf(primary) }]
      : [];
  });
  const isOld = (one: { primary: Anomaly }) => Number(one.primary.onset < survey.window.from);
  return (
    found.sort(
      (a, b) => Number(b.ongoing) - Number(a.ongoing) || isOld(a) - isOld(b) || b.severity - a.severity,
    )[0] ?? null
  );
}

/** The service's anomaly that the trigger refers to, preferably an ongoing one. */
function primaryOf(survey: Survey, service: string, text = ''): Anomaly | null {
  const bySeries = Map.groupBy(survey.anomalies.get(service) ?? [], ({ series }) => series);
  const recent = [...bySeries.values()]
    .map((anomalies) => anomalyAt(anomalies, survey.trigger))
    .filter((anomaly) => anomaly !== null)
    .filter(({ profile }) => profile.role !== 'context');
  const ongoing = recent.filter((anomaly) => goesOn(anomaly, survey));
  const from = ongoing.length > 0 ? ongoing : recent;
  const spokenOf = ({ profile }: Anomaly) => Number(profile.words.test(text));
  const isOld = ({ onset }: Anomaly) => Number(onset < survey.window.from);
  return (
    from.sort(
      (a, b) => spokenOf(b) - spokenOf(a) || isOld(a) - isOld(b) || severityOf(b) - severityOf(a),
    )[0] ?? null
  );
}

/**
 * The worst that a service (`null`: any) went through in the window, though it is not what the trigger is about: it was
 * over by then, or nothing shows that it matters. `null` if everything stayed in its normal range.
 */
export function worstSeen({ anomalies, trigger }: Survey, service: string | null): Anomaly | null {
  const all = service === null ? [...anomalies.values()].flat() : (anomalies.get(service) ?? []);
  const possible = all.filter(({ profile, onset }) => profile.role !== 'context' && onset <= trigger);
  return possible.sort((a, b) => severityOf(b) - severityOf(a))[0] ?? null;
}

function goesOn({ end }: Anomaly, survey: Survey): boolean {
  return end === null || end >= survey.trigger;
}

function incidentAround(
  survey: Survey,
  symptom: string,
  chosen: Incident['chosen'],
  primary: Anomaly,
): Incident {
  const affected = new Map<string, readonly Anomaly[]>();
  const visit = (service: string) => {
    if (affected.has(service)) return;
    const together = (survey.anomalies.get(service) ?? []).filter((anomaly) =>
      coincide(anomaly, primary, survey.window.from),
    );
    if (!together.some(({ profile }) => profile.role !== 'context')) return;
    affected.set(service, together);
    for (const callee of survey.nodes.get(service)?.calls ?? []) visit(callee);
  };
  visit(symptom);
  return { symptom, chosen, primary, affected };
}

function coincide(anomaly: Anomaly, primary: Anomaly, from: number): boolean {
  if (anomaly === primary) return true;
  // What went on for hours before it is another trouble.
  if (anomaly.onset < from && primary.onset - anomaly.onset > 30 * MINUTE && !ranOut(anomaly, primary.onset))
    return false;
  // A resource runs out long before anyone notices, and is free again once the process holding it is killed.
  const [earlier, lasting] = anomaly.profile.role === 'resource' ? [30 * MINUTE, MINUTE] : [12 * MINUTE, 0];
  const overlap = (anomaly.end ?? Number.POSITIVE_INFINITY) + lasting > primary.onset;
  // Something that fills up slowly may have begun at any time.
  if (anomaly.profile.creeps && anomaly.end === null && anomaly.onset <= primary.onset) return true;
  const notLater = anomaly.onset <= (primary.end ?? Number.POSITIVE_INFINITY);
  return overlap && notLater && anomaly.onset >= primary.onset - earlier;
}

/** Whether what fills up still climbed in the hour before something else began, and is full. */
function ranOut({ series, worst }: Anomaly, at: number): boolean {
  const before = pointsIn(series, { from: at - 60 * MINUTE, to: at });
  return isFilled(series, worst) && before.some(({ value }) => value < 0.95 * worst);
}
