import type { ArtifactRef, Evidence } from '../../contract/schema.ts';
import type { Window } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import type { Candidate } from './candidates.ts';
import type { EvidenceStore } from './evidence-store.ts';
import { duration, timeOfDay } from './format.ts';
import type { Hypothesis } from './hypotheses.ts';
import type { Incident } from './incident.ts';
import { movement } from './kinds/observations.ts';
import type { Observation } from './kinds/types.ts';
import { patternOf } from './log-patterns.ts';
import type { Survey } from './survey.ts';

const MINUTE = 60_000;

/** The window to plot: starts some time before the onset to show the usual level. */
export function windowToShow(survey: Survey, onset: number): Window {
  return { from: Math.min(onset, survey.trigger) - 25 * MINUTE, to: survey.window.to };
}

/** The evidence for the cause: its observations, a failed request, and the issue's symptom. */
export function relevantEvidence(
  { candidate, assessment }: Hypothesis,
  incident: Incident,
  confidence: string,
  evidenceStore: EvidenceStore,
  survey: Survey,
  view: View,
): Evidence[] {
  const found = assessment.observations.map((observation) => ({
    title: observation.title,
    status: 'relevant',
    description: observation.description,
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
  if (symptom === candidate.node.name) return [];
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

/** The artifact behind an observation. */
export function artifactOf(
  observation: Observation,
  candidate: Candidate,
  evidenceStore: EvidenceStore,
  survey: Survey,
  view: View,
): ArtifactRef | null {
  const service = candidate.node.name;
  switch (observation.type) {
    case 'metric':
      return evidenceStore.metric(observation.anomaly.series, windowToShow(survey, candidate.onset));
    case 'change':
      return evidenceStore.change(observation.change);
    case 'log': {
      const window = { from: observation.pattern.first, to: survey.window.to };
      const lines = view
        .logs(service, window)
        .filter(({ message }) => patternOf(message) === observation.pattern.key);
      return evidenceStore.logs(service, lines);
    }
  }
}

function present<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}
