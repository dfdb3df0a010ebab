import type { ArtifactRef, TimelineEntry } from '../../contract/schema/results.ts';
import { type Cabinet, CHANGES } from './cabinet.ts';
import { windowToShow } from './evidence.ts';
import { movement } from './kinds/clues.ts';
import type { Scene } from './scene.ts';
import type { Survey } from './survey.ts';
import type { Case } from './verdict.ts';
import { amount, sentence } from './words.ts';

interface Moment {
  at: number;
  type: 'change' | 'onset' | 'effect' | 'log' | 'alert' | 'outcome';
  title: string;
  description: string;
  ref?: ArtifactRef | null;
}

const MINUTE = 60_000;

/** What happened when, oldest first: changes, onsets, first errors, the alert, the end where there is one. */
export function timelineOf(
  best: Case | null,
  scene: Scene | null,
  survey: Survey,
  cabinet: Cabinet,
  options: { id: () => string; title: string },
): TimelineEntry[] {
  const alert: Moment = {
    at: survey.trigger,
    type: 'alert',
    title: 'The alert',
    description: options.title,
  };
  const moments = [alert, ...(best && scene ? momentsOf(best, scene, survey, cabinet) : [])];
  return moments
    .sort((a, b) => a.at - b.at)
    .map(({ at, type, title, description, ref }) => {
      const timestamp = new Date(at).toISOString();
      return {
        id: options.id(),
        type,
        timestamp,
        title,
        description,
        evidence: ref
          ? [{ artifactId: ref.documentId, timestamp, title: ref.title, description: ref.description }]
          : [],
      };
    });
}

function momentsOf(
  { suspect, reading, kind }: Case,
  scene: Scene,
  survey: Survey,
  cabinet: Cabinet,
): Moment[] {
  const origin = suspect.node.name;
  const shown = windowToShow(survey, suspect.onset);
  const changes = survey.changes
    .filter(({ service, at }) => service === origin && at >= suspect.onset - 30 * MINUTE)
    .map(
      (change): Moment => ({
        at: change.at,
        type: 'change',
        title: change.title,
        description: `${CHANGES[change.kind]} of ${change.service}.`,
        ref: cabinet.change(change),
      }),
    );
  const onsets = [...scene.unwell].flatMap(([service, anomalies]): Moment[] => {
    const first = [...anomalies].sort((a, b) => a.onset - b.onset)[0];
    if (!first) return [];
    return [
      {
        at: first.onset,
        type: service === origin ? 'onset' : 'effect',
        title:
          service === origin ? sentence(`${kind.name} begins at ${service}`) : `${service} becomes unwell`,
        description: sentence(`${movement(service, first)}.`),
        ref: cabinet.metric(service, first.signal.metric, shown),
      },
    ];
  });
  const logs = reading.clues.flatMap((clue): Moment[] =>
    clue.type === 'log'
      ? [
          {
            at: clue.pattern.first,
            type: 'log',
            title: `First in the logs of ${origin}`,
            description: clue.pattern.example,
          },
        ]
      : [],
  );
  return [...changes, ...onsets, ...logs, ...endOf(scene, survey)];
}

function endOf({ primary, symptom }: Scene, survey: Survey): Moment[] {
  if (primary.end === null) return [];
  const length = amount((primary.end - primary.onset) / 1000, 's');
  return [
    {
      at: Math.min(primary.end, survey.window.to),
      type: 'outcome',
      title: `${symptom} is well again`,
      description: sentence(`${primary.signal.label} is back at its level after ${length}.`),
    },
  ];
}
