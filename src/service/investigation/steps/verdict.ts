import type { Findings } from '../../../contract/schema.ts';
import type { Measure } from '../../telemetry/model.ts';
import type { TelemetrySource } from '../../telemetry/source.ts';
import type { Case } from '../case.ts';
import type { Fact } from '../fact.ts';
import { factOfAnomaly, factOfState, sentenceOf, shownFacts } from '../facts.ts';
import type { Hypothesis } from '../hypothesis.ts';
import { withUsers } from '../overcommitted.ts';
import { ownStepFor } from '../own-actions.ts';
import type { Present } from '../place/departures.ts';
import { ownerOf } from '../place/incident.ts';
import { predictionOf } from '../prediction.ts';
import { failingMeanwhile, stoppedWork } from '../stopped.ts';
import type { Traced } from '../trace.ts';
import type { Investigation, Primary } from '../types.ts';
import { EvidenceStore } from '../words/artifacts.ts';
import { causeFound, limitsOf, suspectsSentence } from '../words/cause.ts';
import { withImpact } from '../words/impact.ts';
import { factsInside, withInside } from '../words/inside.ts';
import { findingOfLines } from '../words/lines.ts';
import { began, movement } from '../words/movement.ts';
import { exportedOfAll, nothingFound, notInvestigated } from '../words/nothing.ts';
import { withOwnStep } from '../words/own-actions.ts';
import { withState } from '../words/state.ts';
import { withTimesLeft } from '../words/time-left.ts';
import { alsoNamed } from './explain.ts';

/** Puts the case into words: the cause and the evidence for it, or what was looked at. */
export function verdict(
  c: Case,
  { source, id, trace }: { source: TelemetrySource; id: () => string; trace: readonly Traced[] },
): Investigation {
  const { issue, view, present, subject, placed, hypotheses, changes } = c;
  const { snapshot } = view;
  const { incident } = placed;
  const { named, unknown } = subject;
  const evidenceStore = new EvidenceStore({
    view,
    id,
    environment: issue.environment,
    provider: source.name,
    proven: changes.proven,
  });
  const telling = { of: c, evidenceStore, id };
  const [best] = hypotheses;
  const measured = incident && best ? causeFound(telling, incident, best) : nothingFound(telling);
  const affected = incident ? [incident.symptom, ...incident.affected.keys()] : [];
  const lines = best === undefined ? findingOfLines(c.lines) : null;
  const others = [lines, failingMeanwhile(c), stoppedWork(c)].filter((one) => one !== null);
  const wrong = [...withUsers(snapshot.state ?? [], view), ...others];
  const { symptom = null, primary } = incident ?? {};
  const explained = withState(measured, wrong, {
    issue,
    named,
    affected,
    // What the alert measures may have begun later than what was slow already.
    onset: primary === undefined ? null : Math.max(primary.onset, subject.since ?? primary.onset),
    isOpen: best?.assessment.isOpen === true || WAITS.has(primary?.profile.measure ?? 'other'),
    isOnlyAfter: best?.assessment.isOnlyAfter === true,
    // An outage of the issue's own service is what the issue says already.
    isSymptom:
      best?.candidate.node.name === symptom &&
      (best?.assessment.isOpen === true || best?.kind.name === 'outage'),
    view,
    id,
  });
  const found = withInside(explained, telling);
  const told = withSuspects(withOwnStep(found, ownStepFor(c, source.actions ?? []), id), c);
  const [said, is] = [told, measured].map(({ rootCause }) => rootCause.rootCauseSummary ?? '');
  const isUnexplained = best?.kind.name === 'unexplained' && c.proven.rival === null && said === is;
  const shown = isUnexplained ? { ...told, rootCause: { ...told.rootCause, isUnexplained } } : told;
  const results = {
    ...withTimesLeft(withImpact(shown, c.proven.impact), c.proven, snapshot.trigger),
    prediction: incident && best && isOf(found, measured, best) ? predictionOf(best, incident) : null,
    facts: shownFacts([...factsOf(c), ...factsInside(c)]),
    trace: [...trace],
    limits: limitsOf(c),
  };
  const isFound = results.rootCause.rootCauseSummary !== undefined;
  // Where nothing was found, the problem may have begun only with the alert.
  const onset =
    subject.since ?? incident?.primary.onset ?? (isFound || unknown !== null ? null : issue.triggeredAt);
  return {
    results,
    artifacts: evidenceStore.artifacts,
    changes: snapshot.changes.filter(({ at, details }) => details !== null && onset !== null && at <= onset),
    gaps: snapshot.gaps,
    isEarly: onset !== null && isEarly(onset, snapshot.trigger, present),
    unread: isFound ? null : notInvestigated(c),
    primary: primaryOf(c),
    changed: named === null ? 0 : exportedOfAll([named], view).departed.length,
  };
}

/** Where nothing measures why: what changed shortly before at what the alert names, and which departs. */
function withSuspects(findings: Findings, c: Case): Findings {
  if (c.hypotheses.length > 0) return findings;
  const named = new Set(alsoNamed(c));
  const near = c.changes.suspects.filter(({ service }) => named.has(service ?? ''));
  const { rootCause } = findings;
  const told = suspectsSentence(near, c.subject.since ?? c.issue.triggeredAt);
  return {
    ...findings,
    rootCause: { ...rootCause, incidentOverview: `${rootCause.incidentOverview}${told}` },
  };
}

/** What the issue is told from, or what was over before it. */
function primaryOf({ placed: { incident }, proven: { earlier } }: Case): Primary | null {
  const anomaly = incident?.primary ?? earlier?.anomaly;
  if (anomaly === undefined) return null;
  const { onset, end, series } = anomaly;
  const service = incident === null ? series.service : ownerOf(incident.primary, incident.symptom);
  return {
    ...{ service, onset, end: incident !== null || earlier?.isOver === true ? end : null },
    sentence: `${movement(service, anomaly)} ${began(anomaly)}.`,
    isNeighbor: incident?.chosen === 'neighbour',
  };
}

/** Whether the cause is still the one that was measured, also where the cluster or a database says the same of its place. */
function isOf({ rootCause }: Findings, measured: Findings, { candidate }: Hypothesis): boolean {
  const [said, is] = [rootCause.rootCauseSummary ?? '', measured.rootCause.rootCauseSummary ?? ''];
  const [place = ''] = said.split(': ');
  return (
    said === is || (said.includes(is) && place.split(/[^\p{L}\p{N}_.-]+/u).includes(candidate.node.name))
  );
}

/** What departs at the services of the incident, and what the cluster itself reports. */
function factsOf({ view, placed: { incident } }: Case): { fact: Fact; sentence: string }[] {
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

/** What waits says nothing of why. */
const WAITS: ReadonlySet<Measure> = new Set<Measure>(['queue', 'lag']);
