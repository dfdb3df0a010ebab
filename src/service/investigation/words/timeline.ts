import type { ArtifactRef, TimelineEntry } from '../../../contract/schema.ts';
import type { Anomaly, Survey } from '../anomalies.ts';
import { amount, capitalize } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import type { Incident } from '../place/incident.ts';
import type { IssueToInvestigate } from '../types.ts';
import { type EvidenceStore, nameOfChange, windowToShow } from './artifacts.ts';
import { quoted } from './lines.ts';
import { movement } from './movement.ts';

interface Moment {
  at: number;
  type: 'change' | 'onset' | 'effect' | 'log' | 'alert' | 'outcome';
  title: string;
  description: string;
  ref?: ArtifactRef | null;
}

const MINUTE = 60_000;

/** The course of events, oldest first: changes, onsets, first errors, the alert, and the end, if any. */
export function timelineOf(
  best: Hypothesis | null,
  incident: Incident | null,
  survey: Survey,
  evidenceStore: EvidenceStore,
  options: { id: () => string; issue: Pick<IssueToInvestigate, 'title' | 'triggeredAt'> },
): TimelineEntry[] {
  const alert: Moment = {
    at: Math.min(options.issue.triggeredAt, survey.trigger),
    type: 'alert',
    title: 'Alert',
    description: options.issue.title,
  };
  const moments = [alert, ...(best && incident ? momentsOf(best, incident, survey, evidenceStore) : [])];
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
  { candidate, assessment, kind }: Hypothesis,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
): Moment[] {
  const origin = candidate.node.name;
  const shown = windowToShow(survey, candidate.onset);
  const changes = [...new Set([...candidate.changes, ...survey.changes])]
    .filter(
      (change) =>
        candidate.changes.includes(change) ||
        (change.service === origin && change.at >= candidate.onset - 30 * MINUTE) ||
        // What came later may have ended it.
        (incident.affected.has(change.service ?? '') && change.at >= candidate.onset),
    )
    .map(
      (change): Moment => ({
        at: change.at,
        type: 'change',
        title: change.title,
        description: `${nameOfChange(change)}${change.service === null ? '' : ` of ${change.service}`}.`,
        ref: evidenceStore.change(change),
      }),
    );
  const onsets = [...incident.affected].flatMap(([service, anomalies]): Moment[] => {
    const [earliest] = anomalies.toSorted((a, b) => a.onset - b.onset);
    // What it is told from; another trouble of it may have been earlier.
    const { worst, symptom } = service === origin ? assessment.signs : {};
    const first = worst ?? symptom ?? earliest;
    if (!first) return [];
    return [
      {
        at: first.onset,
        type: service === origin ? 'onset' : 'effect',
        title: service === origin ? begins({ kind, assessment }, service) : degrades(service, first),
        description: `${movement(service, first)}.`,
        ref: evidenceStore.metric(first.series, shown),
      },
    ];
  });
  const logs = assessment.observations.flatMap((observation): Moment[] =>
    observation.type === 'log'
      ? [
          {
            at: observation.pattern.first,
            type: 'log',
            title: `First in the ${origin} logs`,
            description: quoted(observation.pattern.example),
          },
        ]
      : [],
  );
  return [...changes, ...onsets, ...logs, ...endOf(incident, survey)];
}

/** What only its callers measure may be as well as ever. */
function degrades(service: string, { series: { edge } }: Anomaly): string {
  return edge?.callee === service ? `Calls to ${service} degrade` : `${service} degrades`;
}

/** What is not known, or only came before, is not said to hit anything. */
function begins({ kind, assessment }: Pick<Hypothesis, 'kind' | 'assessment'>, service: string): string {
  return kind.name === 'unexplained' || assessment.isOnlyAfter === true
    ? `${service} leaves its usual range`
    : `${capitalize(kind.name)} hits ${service}`;
}

function endOf({ primary, symptom }: Incident, survey: Survey): Moment[] {
  if (primary.end === null) return [];
  const length = amount((primary.end - primary.onset) / 1000, 's');
  return [
    {
      at: Math.min(primary.end, survey.window.to),
      type: 'outcome',
      title: `${symptom} recovers`,
      description: capitalize(`${primary.series.signal.label} is back to normal after ${length}.`),
    },
  ];
}
