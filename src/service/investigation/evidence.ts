import type { ArtifactRef, Evidence } from '../../contract/schema/results.ts';
import type { Telemetry, Window } from '../telemetry/telemetry.ts';
import type { Cabinet } from './cabinet.ts';
import { movement } from './kinds/clues.ts';
import type { Clue } from './kinds/types.ts';
import { patternOf } from './log-patterns.ts';
import type { Scene } from './scene.ts';
import type { Survey } from './survey.ts';
import type { Suspect } from './suspects.ts';
import type { Case } from './verdict.ts';
import { duration, sentence, timeOfDay } from './words.ts';

const MINUTE = 60_000;

/** The window that pictures show: some time before the onset, so that the usual level is seen. */
export function windowToShow(survey: Survey, onset: number): Window {
  return { from: Math.min(onset, survey.trigger) - 25 * MINUTE, to: survey.window.to };
}

/** What speaks for the cause: its clues, one failed request, and how it was felt where the issue speaks of. */
export function relevantEvidence(
  { suspect, reading }: Case,
  scene: Scene,
  confidence: string,
  cabinet: Cabinet,
  survey: Survey,
  telemetry: Telemetry,
): Evidence[] {
  const found = reading.clues.map((clue) => ({
    title: clue.title,
    status: 'relevant',
    description: clue.description,
    confidence,
    artifacts: present(artifactOf(clue, suspect, cabinet, survey, telemetry)),
  }));
  const felt = feltAs(suspect, scene, confidence, cabinet, survey);
  const span = suspect.failedSpan;
  if (!span) return [...found, ...felt];
  const trace = telemetry
    .traces(suspect.node.name, { from: span.at - MINUTE, to: span.at + MINUTE })
    .filter(({ traceId }) => traceId === span.traceId);
  return [
    ...found,
    {
      title: `A request that failed in ${suspect.node.name}`,
      status: 'relevant',
      description: `\`${span.operation}\` at ${timeOfDay(span.at)} failed there, and nowhere below: \`${span.error}\`.`,
      confidence,
      artifacts: present(cabinet.trace(trace)),
    },
    ...felt,
  ];
}

function feltAs(
  suspect: Suspect,
  { symptom, primary }: Scene,
  confidence: string,
  cabinet: Cabinet,
  survey: Survey,
): Evidence[] {
  if (symptom === suspect.node.name) return [];
  const lag = primary.onset - suspect.onset;
  const when = lag > 0 ? `${duration(lag)} after` : 'at the same time as';
  return [
    {
      title: sentence(movement(symptom, primary)),
      status: 'relevant',
      description: `It began at ${timeOfDay(primary.onset)}, ${when} the first sign of trouble in ${suspect.node.name}.`,
      confidence,
      artifacts: present(cabinet.metric(symptom, primary.signal.metric, windowToShow(survey, suspect.onset))),
    },
  ];
}

/** The artifact behind a clue. */
export function artifactOf(
  clue: Clue,
  suspect: Suspect,
  cabinet: Cabinet,
  survey: Survey,
  telemetry: Telemetry,
): ArtifactRef | null {
  const service = suspect.node.name;
  switch (clue.type) {
    case 'metric':
      return cabinet.metric(service, clue.anomaly.signal.metric, windowToShow(survey, suspect.onset));
    case 'change':
      return cabinet.change(clue.change);
    case 'log': {
      const window = { from: clue.pattern.first, to: survey.window.to };
      const lines = telemetry
        .logs(service, window)
        .filter(({ message }) => patternOf(message) === clue.pattern.key);
      return cabinet.logs(service, lines);
    }
  }
}

function present<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}
