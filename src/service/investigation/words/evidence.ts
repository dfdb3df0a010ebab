import type { ArtifactRef, Evidence } from '../../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Trouble } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import type { Survey } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, capitalize, duration, joinNames, measuredBoth, timeOfDay } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import { logged, type Observed } from '../kinds/kind.ts';
import { type LogPattern, patternOf } from '../log-patterns.ts';
import { type Incident, ownerOf } from '../place/incident.ts';
import { type EvidenceStore, windowToShow } from './artifacts.ts';
import { movement } from './movement.ts';
import { inWords, logInWords } from './observed.ts';
import type { Telling } from './telling.ts';

const MINUTE = 60_000;

/** The evidence for the cause: its observations, a failed request, and the issue's symptom. */
export function relevantEvidence(
  { candidate, assessment }: Hypothesis,
  incident: Incident,
  confidence: string,
  evidenceStore: EvidenceStore,
  survey: Survey,
  view: View,
): Evidence[] {
  const told = assessment.observations.some(({ type }) => type === 'log');
  const complaint = told ? [] : logged(candidate.complaints[0]);
  const found = [...assessment.observations, ...complaint].map((observation) => ({
    ...inWords(observation, candidate),
    status: 'relevant',
    confidence,
    artifacts: present(artifactOf(observation, candidate, evidenceStore, survey, view)),
  }));
  const symptoms = symptomEvidence(candidate, incident, confidence, evidenceStore, survey);
  const span = candidate.failedSpan;
  if (!span) return [...found, ...symptoms];
  const trace = view
    .traces(candidate.node.name, { from: span.at - MINUTE, to: span.at + MINUTE })
    .filter(({ traceId }) => traceId === span.traceId);
  return [
    ...found,
    {
      title: `Failed request in ${candidate.node.name}`,
      status: 'relevant',
      description: `\`${span.operation}\` failed at ${timeOfDay(span.at)} in ${candidate.node.name} itself, not in a dependency${span.message === null ? '' : `: \`${span.message}\``}.`,
      confidence,
      artifacts: present(evidenceStore.trace(trace)),
    },
    ...symptoms,
  ];
}

function symptomEvidence(
  candidate: Candidate,
  { symptom, primary }: Incident,
  confidence: string,
  evidenceStore: EvidenceStore,
  survey: Survey,
): Evidence[] {
  const isCandidates = symptom === candidate.node.name || primary.series.edge?.callee === candidate.node.name;
  // Where the named service itself is well, the incident is represented by another's series.
  if (isCandidates || ownerOf(primary, symptom) !== symptom) return [];
  const lag = primary.onset - candidate.onset;
  const when = lag > 0 ? `${duration(lag)} after` : 'at the same time as';
  return [
    {
      title: movement(symptom, primary),
      status: 'relevant',
      description: `Started at ${timeOfDay(primary.onset)}, ${when} the first symptoms in ${candidate.node.name}.`,
      confidence,
      artifacts: present(evidenceStore.metric(primary.series, windowToShow(survey, candidate.onset))),
    },
  ];
}

export function artifactOf(
  observation: Observed,
  candidate: Candidate,
  evidenceStore: EvidenceStore,
  survey: Survey,
  view: View,
): ArtifactRef | null {
  const service = candidate.node.name;
  switch (observation.type) {
    case 'metric':
      return evidenceStore.metric(observation.anomaly.series, windowToShow(survey, candidate.onset));
    case 'reason':
      return evidenceStore.metric(observation.reason.anomaly.series, windowToShow(survey, candidate.onset));
    case 'change':
      return evidenceStore.change(observation.change);
    case 'log':
      return linesOf(service, observation.pattern, evidenceStore, view);
  }
}

function linesOf(service: string, { first, key }: LogPattern, evidenceStore: EvidenceStore, view: View) {
  const lines = view.logs(service, { from: first, to: view.window.to });
  return evidenceStore.logs(
    service,
    lines.filter(({ message }) => patternOf(message) === key),
  );
}

/** What the issue's own service complains of, where the cause is found elsewhere. */
export function evidenceOfLines({ of, evidenceStore }: Telling, likely: readonly Hypothesis[]): Evidence[] {
  const { lines, view, proven } = of;
  const [line] = lines.filter(({ isOngoing }) => isOngoing);
  if (line === undefined || likely.some(({ candidate: { node } }) => node.name === line.service)) return [];
  return [
    {
      ...logInWords(line.service, line),
      status: 'relevant',
      confidence: proven.confidence,
      artifacts: present(linesOf(line.service, line, evidenceStore, view)),
    },
  ];
}

function present<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}

export function evidenceOfRoute(
  { of: { survey: seen, proven }, evidenceStore }: Telling,
  { symptom, primary }: Incident,
): Evidence[] {
  const { route } = proven;
  if (route === null) return [];
  const series = { ...route.series, instance: `${ownerOf(primary, symptom)} ${route.route}` };
  const shown = evidenceStore.metric(series, windowToShow(seen, primary.onset));
  const { label } = series.signal;
  const rest =
    route.others === 1 ? 'The other route has not' : `None of the other ${route.others} routes has`;
  return [
    {
      title: `${capitalize(label)} of ${ownerOf(primary, symptom)} on \`${route.route}\`: from ${measuredBoth(route.before, route.now, series.signal).join(' to ')}`,
      status: 'relevant',
      description: `Medians before and after ${timeOfDay(primary.onset)}. ${rest} moved even a third as much.`,
      confidence: 'high',
      artifacts: shown ? [shown] : [],
    },
  ];
}

const MOST_INCIDENTS = 3;
const LONGEST_NAME = 100;

/** What the status pages of others report, in their own words: of those to whom calls fail, it is evidence. */
export function evidenceOutside(
  outside: readonly Trouble[],
): (Evidence & { title: string; description: string })[] {
  return outside.map(({ host, url, incidents }) => {
    const told = incidents.slice(0, MOST_INCIDENTS).map(({ name, since, isMaintenance }) => {
      const what = isMaintenance ? 'maintenance ' : '';
      const when =
        since === null ? '' : `, since ${timeOfDay(since)} on ${new Date(since).toISOString().slice(0, 10)}`;
      return `${what}“${cutAtWord(oneLine(name), LONGEST_NAME)}”${when}`;
    });
    return {
      title: `The operator of ${host} reports trouble`,
      status: 'relevant',
      description: `${capitalize(joinNames(told))}: ${url}`,
      confidence: 'medium',
      artifacts: [],
    };
  });
}

/** The alert's measure with its rule's threshold, for the issue's service if known. */
export function evidenceOfRule({ of, evidenceStore }: Telling, onset: number): Evidence[] {
  const { survey: seen, view, subject } = of;
  const { alerted, named } = subject;
  const rule = view.snapshot.rule?.rule;
  const shown = alerted.find(({ service }) => service === named) ?? alerted[0];
  const ref = shown ? evidenceStore.metric(shown.series, windowToShow(seen, onset)) : null;
  if (rule === undefined || shown === undefined || ref === null) return [];
  const { threshold } = rule;
  const limit = threshold === null ? '' : ` It fires ${threshold.comparison} ${threshold.value}.`;
  const left = shown.since === null ? '' : ` It left its usual level at ${timeOfDay(shown.since)}.`;
  return [
    {
      title: `Condition of ${rule.name}`,
      status: shown.isFiring ? 'relevant' : 'irrelevant',
      description: `\`${rule.expression}\` was ${amount(shown.now, '')} at ${timeOfDay(seen.trigger)}.${limit}${left}`,
      confidence: 'high',
      artifacts: [ref],
    },
  ];
}
