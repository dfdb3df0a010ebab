import { mean } from '../../lib/statistics.ts';
import type { Change, Edge, Measure, Series, Span, Window } from '../telemetry/model.ts';
import { copiesOf } from '../telemetry/same-name.ts';
import { pointsIn, type ServiceNode, type View } from '../telemetry/view.ts';
import {
  type Anomaly,
  anomaliesIn,
  disappearancesIn,
  type OddInstance,
  oddInstanceIn,
  profileOf,
  type Survey,
} from './anomalies.ts';
import { failingLines } from './failing-lines.ts';
import { type LogPattern, newPatterns } from './log-patterns.ts';
import { anomalyOf, type Incident } from './place/incident.ts';
import { type ChangeVerdict, mayBeBehind, type Proof, sameChange } from './ranking/blamed-change.ts';
import type { Ranking, Suspect } from './ranking/types.ts';

/** A service where the problem may have begun, with the evidence for and against it. */
export interface Candidate {
  node: ServiceNode;
  anomalies: readonly Anomaly[];
  /** When its first anomaly began. */
  onset: number;
  /** When the alert's own expression left what was usual; `null` if that does not show. */
  since: number | null;
  /** Its changes from a quarter of an hour before its first symptom to shortly after its last, newest first. */
  changes: readonly Change[];
  /** What proves that one of them is the cause; `null` if nothing does. */
  proof: { change: Change; proof: Proof } | null;
  /** New log lines that are not about its callees. */
  ownLogs: readonly LogPattern[];
  /** Those of them by which it fails itself, if they were there when its first anomaly began. */
  complaints: readonly LogPattern[];
  /** The first span in which the service itself failed. */
  failedSpan: Span | null;
  /** Callees that were degraded before it or at the same time, severely enough to explain it. */
  explainedBy: readonly string[];
  anomaly(measure: Measure): Anomaly | undefined;
  /** The ranking's case against it; `null` if it is not suspected. */
  suspect: Suspect | null;
  /** Whether the ranking found anything, so that its verdict on a service means something. */
  isRanked: boolean;
  /** Whether it reports the metric that the issue is about: if that is healthy, it is not the cause. */
  couldShow(primary: Anomaly): boolean;
  /** Whether anything of the incident is felt by callers, here or above. */
  isFelt: boolean;
  /** How likely it is the cause, according to the ranking, relative to the first suspect; 1 without suspects. */
  suspicion: number;
  /** The highest upper limit of a series since the onset; `null` if no metric shows it. */
  limitOf(series: Series): number | null;
  /** Its traffic surge, if any. */
  surge: Anomaly | null;
  /** Its disappearance, if it stopped reporting. */
  gone: Anomaly | null;
  /** Whether its callers still get answers from it since then, as they count them. */
  isServed: boolean;
  /** Whether what waits for it grows, as it measures that itself or the queue that it takes from does. */
  isBehind: boolean;
  /** The one failing instance while the others are healthy. */
  oddInstance: OddInstance | null;
  /** Slow or failing calls to or from it whose callee does not report the problem itself. */
  brokenCalls: readonly BrokenCall[];
  /** A host outside that it is, or that it calls in vain, and those of other operators to which calls began to fail then. */
  outside: { host: string; others: readonly string[] } | null;
  /** What most of the new failures of it, of its calls and of the calls to it have in common, the most frequent first. */
  reasons: readonly FailureReason[];
}

/** Failed requests whose labels say why: `error_type="certificate_expired"`. */
export interface FailureReason {
  /** The values of those labels. */
  words: string;
  /** If it is about calls. */
  edge: Edge | null;
  anomaly: Anomaly;
}

interface BrokenCall {
  edge: Edge;
  anomaly: Anomaly;
}

const MINUTE = 60_000;
/** What begins this long before the first symptom may be why. */
const LEAD = 15 * MINUTE;
/** Samples are coarse. */
const AT_ONCE = 2 * MINUTE;

/** Candidates: every degraded service of the incident, the ranking's first suspects, and any suspected resource. */
export function candidatesIn(incident: Incident, survey: Survey, view: View, verdict: Verdict): Candidate[] {
  const { ranking } = verdict;
  const affected = new Map(incident.affected);
  for (const [i, suspect] of ranking.ranking.entries()) {
    const isOwn = ['web', 'service', 'worker'].includes(survey.nodes.get(suspect.service)?.kind ?? 'unknown');
    if (affected.has(suspect.service) || (i >= SUSPECTS && isOwn)) continue;
    const own = survey.anomalies.get(suspect.service) ?? [];
    const anomaly = anomalyOf(suspect, view);
    if (anomaly !== null) affected.set(suspect.service, [...own, anomaly]);
  }
  return [...affected].flatMap(([service, anomalies]) => {
    const node = survey.nodes.get(service);
    return node ? [candidate(node, anomalies, incident, survey, view, verdict)] : [];
  });
}

/** The ranking's result, and what is known of the changes before. */
interface Verdict {
  ranking: Ranking;
  changes: ChangeVerdict;
  /** When the alert's own expression left what was usual, if it shows. */
  since: number | null;
}

/** The chance that a service the ranking does not suspect is the cause after all. */
const UNSUSPECTED = 0.5;

const SUSPECTS = 3;

function suspicionOf(suspect: Suspect | null, { ranking }: Ranking): number {
  const most = ranking[0]?.score ?? 0;
  if (most === 0) return 1;
  return suspect === null ? UNSUSPECTED : UNSUSPECTED + (1 - UNSUSPECTED) * (suspect.score / most);
}

function outsideOf(
  { name, kind }: ServiceNode,
  brokenCalls: readonly BrokenCall[],
  { onset, survey, view }: { onset: number; survey: Survey; view: View },
): Candidate['outside'] {
  const isOutside = ({ edge }: BrokenCall) => survey.nodes.get(edge.callee)?.kind === 'external';
  const host = kind === 'external' ? name : brokenCalls.find(isOutside)?.edge.callee;
  return host === undefined ? null : { host, others: failingAtOnce(host, onset, survey, view) };
}

/** Hosts outside, of other operators than this one, to which calls began to fail at this time. */
function failingAtOnce(host: string, onset: number, { nodes, window }: Survey, view: View): string[] {
  const own = operatorOf(host);
  if (own === null) return [];
  const failing = view.snapshot.series.flatMap((series) => {
    const { edge, signal } = series;
    if (edge === null || signal.measure !== 'errors' || nodes.get(edge.callee)?.kind !== 'external')
      return [];
    if ([own, null].includes(operatorOf(edge.callee))) return [];
    const isSame = ({ onset: began, end }: Anomaly) => end === null && Math.abs(began - onset) <= AT_ONCE;
    return anomaliesIn(series, view.points(series, window)).some(isSame) ? [edge.callee] : [];
  });
  return [...new Set(failing)].sort();
}

/** `bank.example` of `api.bank.example:443`; `null` if it is no public name. */
function operatorOf(host: string): string | null {
  return /(?:^|\.)([\w-]+\.[a-z]{2,})(?::\d+)?$/iu.exec(host)?.[1]?.toLowerCase() ?? null;
}

/** When the first anomaly began; merely supporting anomalies count only if there are no others. */
export function onsetOf(anomalies: readonly Anomaly[]): number {
  const own = anomalies.filter(({ profile }) => profile.role !== 'context');
  return Math.min(...(own.length > 0 ? own : anomalies).map(({ onset }) => onset));
}

function candidate(
  node: ServiceNode,
  anomalies: readonly Anomaly[],
  incident: Incident,
  survey: Survey,
  view: View,
  { ranking, changes: { proven }, since }: Verdict,
): Candidate {
  const suspect = ranking.ranking.find(({ service }) => service === node.name) ?? null;
  const onset = onsetOf(anomalies);
  const brokenCalls = brokenCallsOf(node, suspect, survey, view);
  const lastOnset = Math.max(...anomalies.map((anomaly) => anomaly.onset));
  const during = { from: onset - MINUTE, to: survey.window.to };
  const begun = newPatterns(view, node.name, during, { from: onset - 40 * MINUTE, to: onset - MINUTE });
  // What had ended before is of another trouble.
  const failing = failingLines(view, node.name).filter(
    ({ first, last }) => first >= onset - LEAD && last >= onset - MINUTE,
  );
  const aboutCalls = ({ example }: LogPattern) => node.calls.some((callee) => example.includes(callee));
  const ownLogs = [...new Map([...begun, ...failing].map((one) => [one.key, one])).values()]
    .filter((pattern) => !aboutCalls(pattern))
    .toSorted((a, b) => b.count - a.count);
  // A deploy and its commit are one change, and only one of them says where it went.
  const proof =
    proven.find(({ change }) => change.service === node.name) ??
    proven.find(({ change }) => change.service === null) ??
    null;
  const isBlamed = (change: Change) =>
    proof !== null &&
    sameChange(change, proof.change) &&
    (change.service ?? proof.change.service ?? node.name) === node.name;
  const gone = goneFrom(node.name, view);
  const most = ({ limit }: Series) => {
    const values = limit === null ? [] : pointsIn({ points: limit }, { from: onset, to: survey.window.to });
    return values.length === 0 ? null : Math.max(...values.map(({ value }) => value));
  };
  const isOf = ({ service }: Change, name: string) =>
    service === name || (service !== null && copiesOf(service, view.snapshot.services).includes(name));
  return {
    node,
    anomalies,
    onset,
    since,
    changes: view.snapshot.changes
      .filter(
        (change) =>
          isBlamed(change) ||
          (isOf(change, node.name) &&
            mayBeBehind(change, onset, view.snapshot) &&
            change.at >= Math.min(onset, since ?? onset) - LEAD &&
            change.at <= Math.max(lastOnset, since ?? lastOnset) + MINUTE),
      )
      // What is proven comes first, whatever came later.
      .sort((a, b) => Number(isBlamed(b)) - Number(isBlamed(a)) || b.at - a.at),
    proof,
    ownLogs,
    complaints: failing.filter((one) => one.first <= onset + AT_ONCE && !aboutCalls(one)),
    failedSpan: failedSpanOf(node.name, view.traces(node.name, { from: onset, to: survey.window.to })),
    explainedBy: node.calls.filter((callee) => {
      const below = incident.affected.get(callee);
      return below !== undefined && onsetOf(below) <= onset + MINUTE && accountsFor(below, anomalies);
    }),
    outside: outsideOf(node, brokenCalls, { onset, survey, view }),
    suspect,
    isRanked: ranking.found,
    suspicion: suspicionOf(suspect, ranking),
    isFelt: [...incident.affected.values()].flat().some(({ profile }) => profile.role === 'symptom'),
    couldShow: (primary) => view.series(node.name).some((series) => comparable(series, primary.series)),
    anomaly: (measure) => {
      const own = anomalies.filter(({ profile }) => profile.measure === measure);
      // Of several resources of one kind, such as a heap and all of the memory, the fullest.
      const share = ({ series, worst }: Anomaly) => worst / (most(series) ?? Number.POSITIVE_INFINITY);
      return own.toSorted((a, b) => share(b) - share(a))[0];
    },
    limitOf: most,
    surge:
      anomalies.find(({ profile, worst, before }) => profile.measure === 'requests' && worst > before) ??
      surgeOf(node.name, view, { from: survey.window.from, to: survey.window.to }, onset),
    gone,
    isServed: gone !== null && isServed(node.name, gone.onset, view),
    isBehind: [node.name, ...connectedWith(node.name, view)].some((name) =>
      (survey.anomalies.get(name) ?? []).some(({ profile: { measure } }) => WAITS.has(measure)),
    ),
    oddInstance: oddInstanceIn(
      view.snapshot.instances.filter(({ service }) => service === node.name),
      { onset, to: survey.window.to },
    ),
    brokenCalls,
    reasons: reasonsOf(node.name, onset, survey, view),
  };
}

/** Labels that say why a request failed. */
const REASONS = ['error_type', 'exception', 'response_flags', 'status', 'reason', 'result', 'error'];

/** At this many times its usual rate, a failure is a new one. */
const NEW_FAILURE = 3;

/** The least share of all new failures. */
const MOST_FAILURES = 0.4;

function reasonsOf(service: string, onset: number, { window }: Survey, view: View): FailureReason[] {
  const about = view.snapshot.series.filter(
    ({ signal, edge, service: own }) =>
      signal.measure === 'reasons' && (own === service || edge?.callee === service),
  );
  const grown = about.flatMap((series) => {
    const words = REASONS.flatMap((label) => series.labels[label] || []).join(' ');
    const rate = (span: Window) => meanIn(series, span);
    const before = rate({ from: onset - 40 * MINUTE, to: onset - 2 * MINUTE });
    const now = rate({ from: onset, to: window.to });
    if (/^[-\d\s]*$/u.test(words) || now < NEW_FAILURE * before || now === 0) return [];
    const points = pointsIn(series, { from: onset - 2 * MINUTE, to: window.to });
    const first = points.find(({ value }) => value > (before + now) / 4) ?? points[0];
    const worst = points.reduce((a, b) => (b.value > a.value ? b : a), { at: onset, value: now });
    const anomaly = {
      series,
      profile: profileOf(series),
      onset: first?.at ?? onset,
      end: null,
      before,
      worst: worst.value,
      worstAt: worst.at,
    };
    return [{ words, edge: series.edge, anomaly, added: now - before }];
  });
  const all = grown.reduce((sum, { added }) => sum + added, 0);
  return grown.filter(({ added }) => added >= MOST_FAILURES * all).sort((a, b) => b.added - a.added);
}

function meanIn(series: Series, span: Window): number {
  const values = pointsIn(series, span).map(({ value }) => value);
  // Until its first failure, a counter of failures has no series.
  return values.length === 0 ? 0 : mean(values);
}

/** More requests than usual are not bad in themselves, so they are not an anomaly of a series. */
function surgeOf(service: string, view: View, window: Window, onset: number): Anomaly | null {
  const calls = view.snapshot.series.filter(
    ({ edge, signal }) => edge?.callee === service && edge.side === 'caller' && signal.measure === 'requests',
  );
  // The calls to what counts none itself.
  const requests =
    view.seriesOf(service, 'requests') ??
    calls.sort((a, b) => (b.points.values.at(-1) ?? 0) - (a.points.values.at(-1) ?? 0))[0];
  if (requests === undefined) return null;
  const rising = { ...requests, signal: { ...requests.signal, bad: 'high' as const } };
  const found = anomaliesIn(rising, view.points(requests, window));
  return (
    found.find(
      ({ onset: began, end }) => began <= onset + 5 * MINUTE && (end === null || end > onset + MINUTE),
    ) ?? null
  );
}

function goneFrom(service: string, view: View): Anomaly | null {
  const own = disappearancesIn(view.snapshot.series, view.trigger).find((one) => one.service === service);
  if (own === undefined) return null;
  const { series, onset, before } = own;
  return { series, profile: profileOf(series), onset, end: null, before, worst: 0, worstAt: view.trigger };
}

const WAITS: ReadonlySet<Measure> = new Set<Measure>(['queue', 'lag']);

function connectedWith(service: string, { snapshot: { edges } }: View): string[] {
  return edges.flatMap(({ caller, callee }) =>
    caller === service ? [callee] : callee === service ? [caller] : [],
  );
}

/** Calls that most of the time succeed. */
const MOSTLY = 0.5;

function isServed(service: string, since: number, view: View): boolean {
  const calls = (measure: Measure) =>
    view.snapshot.series.filter(
      ({ edge, signal }) => edge?.callee === service && edge.side === 'caller' && signal.measure === measure,
    );
  const during = { from: since, to: view.trigger + 1 };
  const isCalled = calls('requests').some((one) => meanIn(one, during) > 0);
  return (
    isCalled &&
    calls('errors').some((one) => pointsIn(one, during).length > 0 && meanIn(one, during) < MOSTLY)
  );
}

/** A callee that does not report metrics cannot be shown to be healthy. */
function brokenCallsOf(node: ServiceNode, suspect: Suspect | null, survey: Survey, view: View): BrokenCall[] {
  if (suspect === null || ['external', 'database', 'cache', 'queue'].includes(node.kind)) return [];
  const isHealthy = (service: string) =>
    view.series(service).some(({ signal: { measure } }) => measure === 'latency') &&
    !(survey.anomalies.get(service) ?? []).some(({ profile }) => profile.role === 'symptom');
  const calls = suspect.reasons.filter(
    (reason) => (reason.what === 'series' && reason.aspect === 'calls') || reason.what === 'slow-calls',
  );
  return calls.flatMap((reason) => {
    const anomaly = anomalyOf({ ...suspect, reasons: [reason] }, view);
    const edge = anomaly?.series.edge ?? null;
    return anomaly !== null && edge !== null && isHealthy(edge.callee) ? [{ edge, anomaly }] : [];
  });
}

/**
 * Whether a problem in one place is enough to account for one in another: errors and delays fade on their way up, so
 * below there must be at least a third of what is seen above. Failures of somebody who has become as slow, and which begin
 * soon after, are timeouts and full pools, whatever fails below. True if nothing above is measured that way.
 */
export function accountsFor(below: readonly Anomaly[], above: readonly Anomaly[]): boolean {
  const measured = above.filter(({ profile: { measure } }) => measure === 'errors' || measure === 'latency');
  const excess = ({ worst, before }: Anomaly) => Math.abs(worst - before);
  return measured.every((seen) => {
    const same = below.find(({ series }) => comparable(series, seen.series));
    if (same !== undefined) return excess(same) >= excess(seen) / 3;
    const isSlow = ({ profile, onset, worst, before }: Anomaly) =>
      profile.measure === 'latency' &&
      onset < seen.onset &&
      onset >= seen.onset - SOON_MS &&
      worst >= MUCH_SLOWER * before;
    return seen.profile.measure === 'errors' && below.some(isSlow) && above.some(isSlow);
  });
}

/** Callers that wait this many times as long give up, or run out of connections. */
const MUCH_SLOWER = 3;

/** Within so many milliseconds. */
const SOON_MS = 5 * MINUTE;

function comparable({ signal: a }: Series, { signal: b }: Series): boolean {
  return a.measure === b.measure && a.unit === b.unit;
}

function failedSpanOf(service: string, spans: readonly Span[]): Span | null {
  const failedBelow = new Set(
    spans.filter(({ failed }) => failed === true).map(({ parentSpanId }) => parentSpanId),
  );
  return (
    spans.find((span) => span.service === service && span.failed === true && !failedBelow.has(span.spanId)) ??
    null
  );
}
