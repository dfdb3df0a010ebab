import type { ArtifactRef, Evidence } from '../../../contract/schema.ts';
import type { Change } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import { PROFILES, type Survey, seriesAbout } from '../anomalies.ts';
import { onsetOf } from '../candidates.ts';
import { capitalize, duration, joinNames, level, timeOfDay } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import { affectedServices, type Incident } from '../place/incident.ts';
import { type EvidenceStore, windowToShow } from './artifacts.ts';
import { headlineOf } from './headline.ts';
import { movement } from './movement.ts';
import { inWords } from './observed.ts';

const MINUTE = 60_000;

const MOST = 3;

/** What was checked and is not the cause: other changes, healthy dependencies, stable metrics, other hypotheses. */
export function ruledOut(
  best: Hypothesis,
  others: readonly Hypothesis[],
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
): Evidence[] {
  return [
    ...otherChanges(best, incident, survey, evidenceStore),
    ...secondaryServices(best, incident, survey, evidenceStore),
    ...healthyDependencies(
      best.candidate.node.calls,
      incident,
      survey,
      evidenceStore,
      view,
      best.candidate.onset,
    ),
    ...stableMetrics(best.candidate.node.name, survey, evidenceStore, view, best.candidate.onset),
    ...otherHypotheses(best, others),
  ];
}

/** What was checked when nothing is wrong: the metrics of a service, and the changes before the trigger. */
export function evidenceOfNoAnomaly(
  services: readonly string[],
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
): Evidence[] {
  /** That something began, or was over, is no sign that nothing moved. */
  const movedWith = ({ at, service }: Change) =>
    [...survey.anomalies]
      .filter(([name]) => service === null || name === service)
      .flatMap(([, all]) => all.flatMap(({ onset, end }) => [onset, end ?? onset]))
      .some((moment) => moment >= at - MINUTE && moment <= at + 15 * MINUTE);
  const changes = survey.changes.filter(
    (change) => change.at > survey.trigger - 60 * MINUTE && change.at <= survey.trigger && !movedWith(change),
  );
  const elsewhere = affectedServices(survey).sort((a, b) => a.primary.onset - b.primary.onset);
  return [
    ...services.flatMap((service) => stableMetrics(service, survey, evidenceStore, view, survey.trigger)),
    ...elsewhere
      .slice(0, MOST)
      .map(({ service, primary }) =>
        evidence(
          `${service} is degraded, but unrelated to this issue`,
          `${movement(service, primary)} at ${timeOfDay(primary.onset)}, with no effect on ${services[0] ?? 'what the issue names'}.`,
          'medium',
          evidenceStore.metric(primary.series, windowToShow(survey, survey.trigger)),
        ),
      ),
    ...changes
      .slice(-MOST)
      .map((change) =>
        evidence(
          `${change.title}, ${timeOfDay(change.at)}`,
          `Landed at ${timeOfDay(change.at)}; no metric moved with it.`,
          'high',
          evidenceStore.change(change),
        ),
      ),
  ];
}

function otherChanges(
  { candidate, assessment }: Hypothesis,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
): Evidence[] {
  const blamed = assessment.observations.flatMap((observation) =>
    observation.type === 'change' ? [observation.change] : [],
  );
  const near = survey.changes.filter(
    (change) =>
      change.at > candidate.onset - 60 * MINUTE &&
      change.at <= survey.trigger &&
      !blamed.some(({ at, service }) => at === change.at && service === change.service),
  );
  const weight = ({ service }: Change) =>
    service === candidate.node.name ? 2 : service !== null && incident.affected.has(service) ? 1 : 0;
  const nearest = near.sort((a, b) => weight(b) - weight(a) || b.at - a.at).slice(0, MOST);
  return nearest.map((change) => {
    const own = change.service === candidate.node.name;
    const after = change.at > candidate.onset;
    const why = after
      ? `Landed ${duration(change.at - candidate.onset)} after the problem started.`
      : own
        ? `Landed ${duration(candidate.onset - change.at)} before the problem started.`
        : `The problem does not start in ${change.service ?? 'what it touched'}.`;
    return evidence(
      `${change.title}, ${timeOfDay(change.at)}`,
      why,
      own ? 'medium' : 'high',
      evidenceStore.change(change),
    );
  });
}

function secondaryServices(
  { candidate }: Hypothesis,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
): Evidence[] {
  return [...incident.affected.keys()]
    .filter((service) => service !== candidate.node.name && service !== incident.symptom)
    .slice(0, MOST)
    .map((service) => {
      const worst = incident.affected.get(service)?.[0];
      const ref = worst ? evidenceStore.metric(worst.series, windowToShow(survey, candidate.onset)) : null;
      const via =
        survey.nodes
          .get(service)
          ?.calls.filter((callee) => incident.affected.has(callee) || callee === candidate.node.name) ?? [];
      const why =
        via.length > 0
          ? `It calls ${joinNames(via)}, and degrades with it.`
          : `It began to degrade at ${timeOfDay(onsetOf(incident.affected.get(service) ?? []))}.`;
      return evidence(`${service} is affected, but not the cause`, why, 'high', ref);
    });
}

function healthyDependencies(
  calls: readonly string[],
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
  onset: number,
): Evidence[] {
  return calls
    .filter((callee) => !incident.affected.has(callee))
    .slice(0, MOST)
    .flatMap((callee) => {
      // What was not measured is not known to be healthy.
      const [series] = seriesAbout(view, callee)
        .filter(({ signal }) => ['latency', 'errors'].includes(signal.measure))
        .sort((a, b) => Number(b.signal.measure === 'latency') - Number(a.signal.measure === 'latency'));
      const ref = series ? evidenceStore.metric(series, windowToShow(survey, onset)) : null;
      if (series === undefined || ref === null) return [];
      return [
        evidence(
          `${callee} is healthy`,
          `A dependency, but its ${series.signal.label} did not move. ${ref.description}`,
          'high',
          ref,
        ),
      ];
    });
}

function stableMetrics(
  service: string,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
  onset: number,
): Evidence[] {
  const moved = new Set((survey.anomalies.get(service) ?? []).map(({ profile }) => profile.measure));
  const window = windowToShow(survey, onset);
  const steady = PROFILES.filter(({ measure, role }) => role !== 'symptom' && !moved.has(measure)).flatMap(
    ({ measure }) => {
      const series = view.seriesOf(service, measure);
      const last = series && view.points(series, window).at(-1);
      if (!series || !last) return [];
      const { label, unit } = series.signal;
      return [{ series, measure, label, now: level(label, last.value, unit) }];
    },
  );
  const shown = steady.filter(({ measure }) => measure !== 'restarts' && measure !== 'other').slice(0, MOST);
  if (shown.length === 0) return [];
  return [
    evidence(
      `${service} ${joinNames(shown.map(({ label }) => label))} did not move`,
      `${capitalize(joinNames(shown.map(({ now }) => now)))}: ${shown.length === 1 ? 'as usual' : 'all normal'}.`,
      'high',
      ...shown.map(({ series }) => evidenceStore.metric(series, window)),
    ),
  ];
}

function otherHypotheses(best: Hypothesis, others: readonly Hypothesis[]): Evidence[] {
  return others
    .filter(
      ({ kind, candidate }) =>
        kind.name !== 'unexplained' && (kind !== best.kind || candidate !== best.candidate),
    )
    .slice(0, MOST)
    .map((other) => {
      const { candidate, assessment, score } = other;
      const [first] = assessment.observations;
      const signs = first === undefined ? 'There are some signs' : inWords(first, candidate).title;
      return evidence(
        `${capitalize(headlineOf(other))}: less likely`,
        `${signs}, but ${headlineOf(best)} explains more.`,
        score > 0.5 ? 'low' : 'medium',
        null,
      );
    });
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
