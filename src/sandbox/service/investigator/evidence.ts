import type { ArtifactRef, Evidence } from '../../../service/schema/results.ts';
import type { Telemetry, Window } from '../telemetry.ts';
import type { Cabinet } from './cabinet.ts';
import type { Clue } from './kinds/types.ts';
import { patternOf } from './log-patterns.ts';
import type { Survey } from './survey.ts';
import type { Suspect } from './suspects.ts';
import type { Case } from './verdict.ts';
import { timeOfDay } from './words.ts';

const MINUTE = 60_000;

/** The window that pictures show: some time before the onset, so that the usual level is seen. */
export function windowToShow(survey: Survey, onset: number): Window {
  return { from: Math.min(onset, survey.trigger) - 25 * MINUTE, to: survey.window.to };
}

/** What speaks for the cause: its clues, and one failed request. */
export function relevantEvidence(
  { suspect, reading }: Case,
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
  const span = suspect.failedSpan;
  if (!span) return found;
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
