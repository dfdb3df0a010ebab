import type { ArtifactRef, Evidence } from '../../../contract/schema.ts';
import { distinctBy } from '../../telemetry/collect.ts';
import type { View } from '../../telemetry/view.ts';
import { profileOf, type Survey } from '../anomalies.ts';
import { clearedChanges, comparedSince, type Steady } from '../compared.ts';
import { capitalize, joinNames, labelOf, level, timeOfDay, withOneUnit } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import type { Present } from '../place/departures.ts';
import { affectedServices, type Incident } from '../place/incident.ts';
import { callGraph } from '../ranking/share-blame.ts';
import { type EvidenceStore, windowToShow } from './artifacts.ts';
import { began, movement } from './movement.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MOST = 3;

/** What was compared and is not the cause: other changes, what answers as before, what did not move. */
export function ruledOut(
  best: Hypothesis,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
  present: Present | null,
): Evidence[] {
  const { node, onset } = best.candidate;
  const seen = { view, survey, present };
  const failing = [node.name, incident.symptom, ...incident.affected.keys()];
  return [
    ...clearedBy(failing, onset, evidenceStore, seen),
    ...asBefore(node.calls, incident, onset, evidenceStore, seen),
    ...unmoved(node.name, onset, evidenceStore, seen),
  ];
}

interface Seen {
  view: View;
  survey: Survey;
  present: Present | null;
}

/** What was compared where nothing explains the issue: the metrics of a service, and what changed before the trigger. */
export function evidenceOfNoAnomaly(
  services: readonly string[],
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
  present: Present | null,
): Evidence[] {
  const seen = { view, survey, present };
  const graph = callGraph(view.snapshot.edges);
  const [subject] = services;
  const beneath = subject === undefined ? null : graph.reachableFrom(subject);
  const elsewhere = affectedServices(survey)
    .filter(({ service }) => beneath !== null && graph.knows(subject ?? '') && !beneath.has(service))
    .sort((a, b) => a.primary.onset - b.primary.onset);
  const since = survey.trigger - 15 * MINUTE;
  return [
    ...services.flatMap((service) => unmoved(service, since, evidenceStore, seen)),
    ...elsewhere
      .slice(0, MOST)
      .map(({ service, primary }) =>
        evidence(
          `${service} is degraded too`,
          `${movement(service, primary)} ${began(primary)}. No known call path leads there from ${subject}.`,
          'low',
          evidenceStore.metric(primary.series, windowToShow(survey, survey.trigger)),
        ),
      ),
    ...clearedBy(services, survey.trigger, evidenceStore, seen),
  ];
}

/** Changes of what the failing services do not depend on, whose own requests did not move with them. */
function clearedBy(
  failing: readonly string[],
  onset: number,
  evidenceStore: EvidenceStore,
  seen: Seen,
): Evidence[] {
  const { survey } = seen;
  const near = survey.changes.filter(({ at }) => at > onset - HOUR && at <= survey.trigger);
  // Two sources may have seen one deploy.
  const once = distinctBy(
    near,
    ({ service, kind, title, version }) => `${service} ${kind} ${version ?? title}`,
  );
  return clearedChanges(once, failing, seen)
    .toSorted((a, b) => b.change.at - a.change.at)
    .slice(0, MOST)
    .map(({ change, of }) =>
      evidence(
        `${change.title}, ${timeOfDay(change.at)}`,
        `${of === 1 ? 'The one series' : `None of the ${of} series`} ${change.service === null ? '' : `of ${change.service} `}that ${of === 1 ? 'was' : 'were'} compared before and after it ${of === 1 ? 'did not move' : 'moved'}, and no known call path leads there from ${failing[0] ?? 'the issue'}.`,
        'medium',
        evidenceStore.change(change),
      ),
    );
}

/** Dependencies whose requests were measured before and since, and did not move. What was not measured is not known to be well. */
function asBefore(
  calls: readonly string[],
  incident: Incident,
  onset: number,
  evidenceStore: EvidenceStore,
  seen: Seen,
): Evidence[] {
  return calls
    .filter((callee) => !incident.affected.has(callee))
    .slice(0, MOST)
    .flatMap((callee) => {
      const { steady, of } = comparedSince(onset, callee, seen);
      const felt = steady.filter(({ series }) => profileOf(series).role === 'symptom');
      const shown = felt.find(({ series }) => series.signal.measure === 'latency') ?? felt[0];
      const ref = shown ? evidenceStore.metric(shown.series, windowToShow(seen.survey, onset)) : null;
      if (shown === undefined || ref === null || steady.length < of) return [];
      return [
        evidence(
          `${callee} answers as before`,
          `A dependency, but its ${labelOf(shown.series)} did not move: ${amountOf(shown)} now, ${rangeOf(shown)}. ${comparison(steady.length, of, callee)}`,
          'medium',
          ref,
        ),
      ];
    });
}

/** Metrics of a service that were measured before and since, and did not move. */
function unmoved(service: string, since: number, evidenceStore: EvidenceStore, seen: Seen): Evidence[] {
  const { steady, of } = comparedSince(since, service, seen);
  const shown = steady
    .filter(({ series }) => !['symptom'].includes(profileOf(series).role))
    .filter(({ series: { signal } }) => signal.measure !== 'restarts' && signal.measure !== 'other')
    .filter((one, i, all) => all.findIndex(({ series }) => sameMeasure(series, one.series)) === i)
    .slice(0, MOST);
  if (shown.length === 0) return [];
  const window = windowToShow(seen.survey, since);
  return [
    evidence(
      `${service} ${joinNames(shown.map(({ series }) => labelOf(series)))} did not move`,
      `${capitalize(shown.map(levelOf).join('; '))}. ${comparison(steady.length, of, service)}`,
      'medium',
      ...shown.map(({ series }) => evidenceStore.metric(series, window)),
    ),
  ];
}

function sameMeasure(a: Steady['series'], b: Steady['series']): boolean {
  return a.signal.measure === b.signal.measure;
}

/** `memory usage 46.2%, before 45.1% to 47.3%`. */
export function levelOf({ series, now, ...range }: Steady): string {
  return `${level(labelOf(series), now, series.signal)} (${rangeOf({ series, now, ...range })})`;
}

/** `14 ms to 16.1 ms before`. */
function rangeOf({ series, lowest, highest }: Steady): string {
  const [low, high] = [lowest, highest].map((now) => amountOf({ series, now }));
  if (low === high) return `${low} before`;
  // Of two buckets it is enough to say from where to where the estimates went.
  const { bounds: _, ...plain } = series.signal;
  const ends = [lowest, highest].map((now) => amountOf({ series: { ...series, signal: plain }, now }));
  return `${withOneUnit(ends[0] ?? '', ends[1] ?? '').join(' to ')} before`;
}

function amountOf({ series: { signal }, now }: Pick<Steady, 'series' | 'now'>): string {
  return level(signal.label, now, signal).slice(signal.label.length + 1);
}

function comparison(steady: number, of: number, service: string): string {
  return steady === of
    ? `Of ${of} series of ${service} that were compared, none moved.`
    : `Of ${of} series of ${service} that were compared, ${steady} did not move.`;
}

function evidence(
  title: string,
  description: string,
  confidence: string,
  ...refs: readonly (ArtifactRef | null)[]
): Evidence {
  return {
    title,
    status: 'irrelevant',
    description,
    confidence,
    artifacts: refs.flatMap((ref) => ref ?? []),
  };
}
