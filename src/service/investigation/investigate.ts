import type { Evidence, Findings, RootCause } from '../../contract/schema.ts';
import type { Budget } from '../telemetry/budget.ts';
import { collect, distinctBy } from '../telemetry/collect.ts';
import { expressionIn } from '../telemetry/exported/alerted.ts';
import type { Change, Measure, Service, Window } from '../telemetry/model.ts';
import type { SystemCopy, TelemetrySource } from '../telemetry/source.ts';
import { type Snapshot, type View, viewOf } from '../telemetry/view.ts';
import { type Survey, survey } from './anomalies.ts';
import { withState } from './cluster-state.ts';
import { acrossCopies, type InCopy, MOST_COPIES } from './copies.ts';
import {
  confidenceOf,
  diagnose,
  type Earlier,
  earlierProblem,
  type Hypothesis,
  rivalOf,
  sentencesOn,
  summaryOf,
} from './diagnose.ts';
import { cameAndWent } from './episodes.ts';
import { EvidenceStore, evidenceOfNoAnomaly, relevantEvidence, ruledOut, windowToShow } from './evidence.ts';
import type { Fact } from './fact.ts';
import { factOfAnomaly, factOfState, sentenceOf, shownFacts } from './facts.ts';
import { amount, capitalize, duration, joinNames, level, timeOfDay } from './format.ts';
import { affectedCallers, affectedServices, type Incident, ownerOf } from './incident.ts';
import { metricObservation, movement } from './kinds/observations.ts';
import { SHORT_MS } from './locate.ts';
import { type Alerted, alertedSeries, labelsOf, namedService, unknownSubject } from './names.ts';
import { neighborhood, partOf } from './neighborhood.ts';
import type { Present } from './present.ts';
import { sameChange } from './ranking/blamed-change.ts';
import { causalTrees, remediationFor, timelineOf } from './results.ts';
import { type FailingRoute, failingRoute } from './routes.ts';
import type { Investigation, IssueToInvestigate } from './types.ts';

export type { IssueToInvestigate } from './types.ts';

interface Run {
  issue: IssueToInvestigate;
  named: string | null;
  alerted: readonly Alerted[];
  survey: Survey;
  evidenceStore: EvidenceStore;
  view: View;
  id: () => string;
}

/**
 * Reads the telemetry around an issue's trigger, and looks for the cause.
 *
 * @param options.id a new identifier at each call
 * @param options.now milliseconds: a trigger in the future is treated as now
 */
export async function investigate(
  issue: IssueToInvestigate,
  source: TelemetrySource,
  { id, now, budget }: { id: () => string; now: number; budget: Budget },
): Promise<Investigation> {
  const copies = await source.copies?.(labelsOf(issue), windowOf(issue, now), budget);
  const several = copies?.known && copies.value.length > 1 ? copies.value : [];
  if (several.length === 0) return investigateOne(issue, source, { id, now, budget });
  const all: InCopy[] = [];
  for (const copy of several.slice(0, MOST_COPIES)) {
    // What was read of one copy is none of another's.
    const own = { id, now, budget: { ...budget }, copy: copy.labels };
    all.push({ copy, found: await investigateOne(issue, source, own) });
  }
  return acrossCopies(all, several.slice(MOST_COPIES));
}

/** @param options.copy the labels of the copy to look at, if the system has several */
async function investigateOne(
  issue: IssueToInvestigate,
  source: TelemetrySource,
  {
    id,
    now,
    budget,
    copy = {},
  }: { id: () => string; now: number; budget: Budget; copy?: SystemCopy['labels'] },
): Promise<Investigation> {
  const observed = await observe(source, issue, { now, budget, copy });
  const alerted = alertedSeries(observed);
  // The alert's measure is a series of that service like any other.
  const measured = alerted.filter(({ service }) => service !== null).map(({ series }) => series);
  const snapshot = { ...observed, series: [...observed.series, ...measured] };
  return findCause(issue, snapshot, alerted, { id, source, budget });
}

/**
 * Looks for the cause of an issue in the telemetry read around its trigger (`observe`), and writes down what it found
 * and ruled out. If nothing is wrong, there is no `rootCauseSummary`.
 *
 * @param options.id a new identifier at each call
 */
async function findCause(
  issue: IssueToInvestigate,
  snapshot: Snapshot,
  alerted: readonly Alerted[],
  { id, source, budget }: { id: () => string; source: TelemetrySource; budget: Budget },
): Promise<Investigation> {
  const view = viewOf(snapshot);
  const named =
    namedService(issue, snapshot.services) ?? alerted.find(({ isFiring }) => isFiring)?.service ?? null;
  const unknown = named === null ? unknownSubject(issue) : null;
  const text = `${issue.title} ${issue.description}`;
  const diagnosis = diagnose(view, { named, text, isUnknown: unknown !== null });
  const { survey: seen, incident, best, others, changes } = diagnosis;
  const evidenceStore = new EvidenceStore({
    view,
    id,
    environment: issue.environment,
    provider: source.name,
    proven: changes.proven,
  });
  const run: Run = { issue, named, alerted, survey: seen, evidenceStore, view, id };
  const route =
    incident && (await failingRoute(incident.primary, source, { trigger: snapshot.trigger, budget }));
  const measured =
    incident && best
      ? resultsOf(run, incident, { best, others, route, suspects: otherThan(best, changes.suspects) })
      : nothingFound(run, unknown, diagnosis.present);
  const affected = incident ? [incident.symptom, ...incident.affected.keys()] : [];
  const explained = withState(measured, snapshot.state ?? [], {
    issue,
    named,
    affected,
    onset: incident?.primary.onset ?? null,
    isOpen:
      best !== null &&
      (best.kind.isOpen?.(best.candidate) === true ||
        (incident !== null && ['queue', 'lag'].includes(incident.primary.profile.measure))),
    view,
    id,
  });
  const results = { ...explained, facts: shownFacts(factsOf(run, incident)) };
  const isFound = results.rootCause.rootCauseSummary !== undefined;
  // Where nothing was found, the problem may have begun only with the alert.
  const onset = incident?.primary.onset ?? (isFound || unknown !== null ? null : issue.triggeredAt);
  return {
    results,
    artifacts: evidenceStore.artifacts,
    changes: snapshot.changes.filter(({ at, details }) => details !== null && onset !== null && at <= onset),
    gaps: snapshot.gaps,
    isEarly: onset !== null && isEarly(onset, snapshot.trigger, diagnosis.present),
    unread: isFound || seen.nodes.size > 0 ? null : (results.rootCause.incidentOverview ?? null),
  };
}

/** What departs at the services of the incident, and what the cluster itself reports. */
function factsOf({ view }: Run, incident: Incident | null): { fact: Fact; sentence: string }[] {
  const anomalies = [...(incident?.affected.values() ?? [])]
    .flat()
    .filter(({ profile }) => profile.role !== 'context');
  const state = view.snapshot.state ?? [];
  return [
    ...anomalies.map((one) => ({ fact: factOfAnomaly(one, view), sentence: sentenceOf(one) })),
    ...state.map((one) => ({ fact: factOfState(one, null, view.window), sentence: one.sentence })),
  ];
}

/** Samples from after the onset; with fewer, what follows from what cannot be seen. */
const FEWEST_SAMPLES = 3;

function isEarly(onset: number, trigger: number, present: Present | null): boolean {
  return present !== null && trigger - onset < FEWEST_SAMPLES * present.stepMs;
}

interface Found {
  best: Hypothesis;
  others: readonly Hypothesis[];
  route: FailingRoute | null;
  /** Changes that came shortly before, and are not proven to be the cause. */
  suspects: readonly Change[];
}

/** The suspects that the verdict does not name already. */
function otherThan({ assessment }: Hypothesis, suspects: readonly Change[]): readonly Change[] {
  const named = assessment.observations.flatMap((one) => (one.type === 'change' ? [one.change] : []));
  return suspects.filter((suspect) => !named.some((one) => sameChange(one, suspect)));
}

/** ` Deployed shortly before, not proven: payments 2.0.0 (3 min before), …`; empty if nothing was. */
function suspectsSentence(suspects: readonly Change[], onset: number): string {
  if (suspects.length === 0) return '';
  const named = suspects.map(({ service, version, title, at }) => {
    const what = service === null || version === null ? `"${title}"` : `${service} ${version}`;
    return `${what} (${at <= onset ? `${duration(onset - at)} before` : `${duration(at - onset)} after`})`;
  });
  return ` Changed shortly before, not proven: ${named.join(', ')}.`;
}

function resultsOf(run: Run, incident: Incident, { best, others, route, suspects }: Found): Findings {
  const { issue, survey: seen, evidenceStore, view, id } = run;
  const rival = rivalOf(best, others);
  const confidence = confidenceOf(best, incident, { gaps: run.view.gaps, others });
  const likely = rival === null ? [best] : [best, rival];
  const rest = others.filter((other) => other.candidate !== rival?.candidate);
  const rootCause: RootCause = {
    id: id(),
    incidentOverview: overviewOf(run, incident, best, { rival, rest, route, suspects }),
    rootCauseSummary: likely.map(summaryOf).join(' About as likely: '),
    // Two causes of one symptom may share evidence.
    relevantEvidence: distinctBy(
      [
        ...likely.flatMap((one) => relevantEvidence(one, incident, confidence, evidenceStore, seen, view)),
        ...evidenceOfRoute(run, incident, route),
        ...evidenceOfRule(run, best.candidate.onset),
      ],
      ({ title }) => title,
    ),
    irrelevantEvidence: ruledOut(best, rest, incident, seen, evidenceStore, view),
  };
  return {
    rootCause,
    ...causalTrees({ best, rival }, confidence, incident, seen, evidenceStore, view),
    remediation: {
      actions: likely.flatMap((one) => remediationFor(one, summaryOf(one), issue, id).actions ?? []),
    },
    timeline: timelineOf(best, incident, seen, evidenceStore, { id, issue }),
  };
}

function overviewOf(
  { named, survey: seen, view }: Run,
  { symptom, chosen, primary, affected }: Incident,
  { candidate }: Hypothesis,
  {
    rival,
    rest,
    route,
    suspects,
  }: Pick<Found, 'route' | 'suspects'> & { rival: Hypothesis | null; rest: readonly Hypothesis[] },
): string {
  const now = primary.end === null ? 'Ongoing.' : `Over since ${timeOfDay(primary.end)}.`;
  const state = `${now}${cameAndWent(primary.series, view)}`;
  const origin = candidate.node.name;
  const spread = [...affected.keys()].filter((service) => service !== symptom && service !== origin);
  const which = {
    named: '',
    neighbour: `${named} itself looks normal, but its neighbor ${symptom} does not. `,
    worst: 'The issue names no known service; this is the worst anomaly at the time. ',
  }[chosen];
  const via = spread.length > 0 ? ` via ${joinNames(spread)}` : '';
  const two =
    rival === null
      ? ''
      : ` Telemetry does not decide between two causes: ${rival.candidate.node.name} is about as likely.`;
  const where = origin === symptom ? `The problem is in ${symptom} itself` : `Caused by ${origin}${via}`;
  const callers = affectedCallers(seen, symptom, primary.onset);
  const also = callers.length > 0 ? `; also affected: ${callers.join(', ')}` : '';
  const then = rest.flatMap(({ candidate: { node }, assessment: { follows } }) =>
    follows !== undefined && node.calls.includes(origin) ? [` Then ${follows}.`] : [],
  );
  const missing = sentencesOn(view.gaps);
  return `${which}${movement(ownerOf(primary, symptom), primary)} at ${timeOfDay(primary.onset)}${route === null ? '' : `, on \`${route.route}\` above all`}. ${where}${also}.${then.join('')}${two}${suspectsSentence(suspects, candidate.onset)} ${state}${lookedAtSentence(view)}${missing === '' ? '' : ` Not everything could be checked: ${missing}`}`;
}

/** ` I looked at 45 of 1,000 services: …`; empty if all were. */
function lookedAtSentence({ snapshot: { looked } }: View): string {
  return looked == null
    ? ''
    : ` I looked at ${partOf(looked)}: those around it, and those that depart the most from what is usual for them.`;
}

function allOf(services: number): string {
  return services === 1 ? 'the only service' : `all ${services} services`;
}

function nothingFound(run: Run, unknown: string | null, present: Present | null): Findings {
  const { issue, named, survey: seen, evidenceStore, view, id } = run;
  const busiest = [...seen.nodes.values()].filter(({ kind }) => kind === 'web').map(({ name }) => name);
  const checked = named === null ? busiest : [named, ...(seen.nodes.get(named)?.calls ?? []).slice(0, 2)];
  const { looked } = view.snapshot;
  const all = looked == null ? allOf(seen.nodes.size) : partOf(looked);
  const what = named ?? all;
  const gaps = sentencesOn(view.gaps);
  const part = named === null ? '' : lookedAtSentence(view);
  const missing = `${part}${gaps === '' ? '' : ` Not everything could be checked: ${gaps}`}`;
  const earlier = unknown === null ? earlierProblem(view, named) : null;
  const isShort = present !== null && seen.trigger - present.since < SHORT_MS;
  /** What was looked at, how it is now, and from when on. */
  const lookedAt = (): string => {
    const from = present === null ? seen.window.from : Math.max(present.since, seen.window.from);
    const levels = levelsOf(named, view, seen.trigger);
    const stated = levels.map(({ label, value, unit }) => level(label, value, unit)).join(', ');
    const now = stated === '' ? '' : ` At ${timeOfDay(seen.trigger)}: ${stated}.`;
    const isFailing = levels.some(({ measure, value }) => measure === 'errors' && value >= FAILING);
    if (isShort)
      return `I looked at ${what} from ${timeOfDay(from)}, when the data begins: ${duration(seen.trigger - from)} are too short to know what is usual${isFailing ? '' : ', and nothing is bad by itself'}.${now}${isFailing ? ' Nothing shows why requests fail.' : ''}`;
    if (isFailing)
      return `I looked at ${what} from ${timeOfDay(from)} on, and nothing shows why requests fail.${now}`;
    return `I looked at ${what} from ${timeOfDay(from)} on: no metric left its normal range.${now}`;
  };
  const overviewOfNothing = (): string => {
    if (seen.nodes.size === 0)
      return `Not investigated: there is not enough data to look for a cause. ${gaps === '' ? 'The configured sources know no service.' : gaps}`;
    if (looked != null && looked.services.length > 0 && view.snapshot.series.length === 0)
      return `Not investigated: no metrics could be read.${missing}`;
    if (looked?.services.length === 0)
      return `No cause found: none of ${looked.of.toLocaleString('en-US')} services departs from what is usual for it.${missing}`;
    if (unknown !== null)
      return `No cause found: there are no metrics for ${unknown}.${degradedElsewhere(seen)}${missing}`;
    if (earlier === null || isShort) return `No cause found. ${lookedAt()}${missing}`;
    const flapping = cameAndWent(earlier.anomaly.series, view);
    if (earlier.cause === null) return `No cause found: ${earlier.sentence}${flapping}${missing}`;
    const lag = issue.triggeredAt - (earlier.anomaly.end ?? issue.triggeredAt);
    const late = lag < 0 ? '' : ` The alert came ${duration(lag)} after it was over.`;
    return `${earlier.sentence}${flapping}${late}${missing}`;
  };
  return {
    rootCause: {
      id: id(),
      incidentOverview: overviewOfNothing(),
      relevantEvidence: earlier === null ? [] : evidenceOfEarlier(earlier, run),
      irrelevantEvidence: [
        ...evidenceOfNoAnomaly(checked, seen, evidenceStore, view),
        ...evidenceOfRule(run, seen.trigger),
      ],
    },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: timelineOf(null, null, seen, evidenceStore, { id, issue }),
  };
}

/** Nobody calls it normal where so many requests fail. */
const FAILING = 0.05;

/** What a service's main metrics are at a moment, from the finest samples that there are. */
function levelsOf(
  named: string | null,
  view: View,
  at: number,
): { measure: Measure; label: string; value: number; unit: string }[] {
  if (named === null) return [];
  const recent = (view.snapshot.recent ?? []).filter(
    ({ service, edge }) => service === named && edge === null,
  );
  return (['errors', 'latency', 'requests', 'connections', 'memory'] as const).flatMap((measure) => {
    const series = recent.find(({ signal }) => signal.measure === measure) ?? view.seriesOf(named, measure);
    const last = series && view.points(series, { from: at - NEWEST_MS, to: at + 1 }).at(-1);
    if (series === undefined || last === undefined) return [];
    const { label, unit } = series.signal;
    return [{ measure, label, value: last.value, unit }];
  });
}

/** A level that is older than this is not that of now. */
const NEWEST_MS = 3 * 60_000;

/** What shows the problem that is over, and its cause. */
function evidenceOfEarlier(
  { anomaly, cause }: Earlier,
  { evidenceStore, view, survey: seen }: Run,
): Evidence[] {
  const confidence = cause?.confidence ?? 'low';
  const { title, description } = metricObservation(anomaly.series.service, anomaly);
  const shown = evidenceStore.metric(anomaly.series, windowToShow(seen, anomaly.onset));
  const own = { title, status: 'relevant', description, confidence, artifacts: shown ? [shown] : [] };
  if (cause === null) return [own];
  const { best, incident, survey: then } = cause;
  const shows = relevantEvidence(best, incident, confidence, evidenceStore, then, view);
  return distinctBy([own, ...shows], (one) => one.title);
}

/** What else is wrong at the time, though nothing connects it with the issue. */
function degradedElsewhere(seen: Survey): string {
  const names = affectedServices(seen).map(({ service }) => service);
  if (names.length === 0) return '';
  return ` Something else is degraded: ${joinNames(names.slice(0, 3))}.`;
}

/** The route on which the problem shows, next to the others. */
function evidenceOfRoute(
  { survey: seen, evidenceStore }: Run,
  { symptom, primary }: Incident,
  route: FailingRoute | null,
): Evidence[] {
  if (route === null) return [];
  const series = { ...route.series, instance: `${symptom} ${route.route}` };
  const shown = evidenceStore.metric(series, windowToShow(seen, primary.onset));
  const { label, unit } = series.signal;
  const rest =
    route.others === 1 ? 'The other route has not' : `None of the other ${route.others} routes has`;
  return [
    {
      title: `${capitalize(label)} of ${symptom} on \`${route.route}\`: from ${amount(route.before, unit)} to ${amount(route.now, unit)}`,
      status: 'relevant',
      description: `Medians before and since ${timeOfDay(primary.onset)}. ${rest} moved a third as far.`,
      confidence: 'high',
      artifacts: shown ? [shown] : [],
    },
  ];
}

/** The alert's measure with its rule's threshold, for the issue's service if known. */
function evidenceOfRule(
  { alerted, named, survey: seen, view, evidenceStore }: Run,
  onset: number,
): Evidence[] {
  const rule = view.snapshot.rule?.rule;
  const shown = alerted.find(({ service }) => service === named) ?? alerted[0];
  const ref = shown ? evidenceStore.metric(shown.series, windowToShow(seen, onset)) : null;
  if (rule === undefined || shown === undefined || ref === null) return [];
  const { threshold } = rule;
  const limit = threshold === null ? '' : ` It fires ${threshold.comparison} ${threshold.value}.`;
  return [
    {
      title: `What ${rule.name} measures`,
      status: shown.isFiring ? 'relevant' : 'irrelevant',
      description: `\`${rule.expression}\` was ${amount(shown.now, '')} at ${timeOfDay(seen.trigger)}.${limit}`,
      confidence: 'high',
      artifacts: [ref],
    },
  ];
}

const MINUTE = 60_000;
/** Read at full resolution before the trigger: enough to see what was usual, and until when. */
const DENSE = 180 * MINUTE;
const STEP = MINUTE;
const STATE_MS = 60 * MINUTE;
/** Logs and traces are read for at most this many services. */
const MOST_SERVICES = 12;

function momentOf({ moment, triggeredAt }: IssueToInvestigate, now: number): number {
  return Math.min(moment ?? triggeredAt, now);
}

function windowOf(issue: IssueToInvestigate, now: number): Window {
  const trigger = momentOf(issue, now);
  return { from: trigger - DENSE, to: trigger + 1 };
}

/**
 * Reads what an investigation needs, up to the trigger and no further.
 *
 * @param options.now milliseconds: a trigger in the future is treated as now
 */
function observe(
  source: TelemetrySource,
  issue: IssueToInvestigate,
  { now, budget, copy }: { now: number; budget: Budget; copy: SystemCopy['labels'] },
): Promise<Snapshot> {
  const trigger = momentOf(issue, now);
  return collect(
    source,
    {
      window: windowOf(issue, now),
      trigger,
      stepMs: STEP,
      pastMs: source.pastMs,
      // The state is as it is now, whatever it was then.
      state: now - trigger <= STATE_MS,
      alert: {
        name: issue.title,
        labels: { ...labelsOf(issue), ...copy },
        expression: expressionIn(`${String(issue.context.alertUrl ?? '')} ${issue.description}`),
      },
      near: (system) => neighborhood(system, [namedService(issue, system.services) ?? []].flat()),
      interest: (metrics) => interestingServices(metrics, namedService(issue, metrics.services)),
    },
    budget,
  );
}

/** The service in question, its dependencies, and anything else degraded; all if there are few. */
export function interestingServices(metrics: Snapshot, named: string | null): string[] | null {
  if (metrics.services.length <= MOST_SERVICES) return null;
  const view = viewOf(metrics);
  // In order of degradation, since for large systems not all are read.
  const degraded = affectedServices(survey(view))
    .sort((a, b) => a.primary.onset - b.primary.onset)
    .map(({ service }) => service);
  const near = named === null ? [] : [named, ...(view.node(named)?.calls ?? [])];
  const known = (name: string) => metrics.services.some((service: Service) => service.name === name);
  const subject = near.slice(0, 1);
  return [...new Set([...subject, ...degraded, ...near])].filter(known).slice(0, MOST_SERVICES);
}
