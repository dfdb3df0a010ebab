import type { RootCause } from '../../contract/schema/results.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Snapshot } from '../telemetry/snapshot.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type View, viewOf } from '../telemetry/view.ts';
import { causalTrees } from './causal-trees.ts';
import { diagnose } from './diagnose.ts';
import { relevantEvidence } from './evidence.ts';
import { EvidenceStore } from './evidence-store.ts';
import { duration, joinNames, timeOfDay } from './format.ts';
import { sentencesOn } from './gaps.ts';
import { confidenceOf, type Hypothesis, summaryOf } from './hypotheses.ts';
import { affectedCallers, type Incident } from './incident.ts';
import { movement } from './kinds/observations.ts';
import { namedService } from './named-service.ts';
import { observe } from './observe.ts';
import { remediationFor } from './remediation.ts';
import { evidenceOfNoAnomaly, ruledOut } from './ruled-out.ts';
import type { Survey } from './survey.ts';
import { timelineOf } from './timeline.ts';
import type { Investigation, IssueToInvestigate } from './types.ts';

export type { IssueToInvestigate } from './types.ts';

interface Run {
  issue: IssueToInvestigate;
  named: string | null;
  survey: Survey;
  evidenceStore: EvidenceStore;
  view: View;
  id: () => string;
}

/**
 * Reads the telemetry around the trigger of an issue, and looks for its cause in it.
 *
 * @param options.id a new identifier at each call
 * @param options.now milliseconds: a trigger that is ahead of it is taken for now
 */
export async function investigate(
  issue: IssueToInvestigate,
  source: TelemetrySource,
  { id, now, budget }: { id: () => string; now: number; budget: Budget },
): Promise<Investigation> {
  const snapshot = await observe(source, issue, { now, budget });
  return findCause(issue, snapshot, { id, provider: source.name });
}

/**
 * Looks for the cause of an issue in what was read around its trigger (`observe`), and writes down what it found and
 * what it ruled out (contract, 2.7). Where nothing is wrong, there is no `rootCauseSummary`.
 *
 * @param options.id a new identifier at each call
 * @param options.provider what logs, traces and changes are attributed to
 */
function findCause(
  issue: IssueToInvestigate,
  snapshot: Snapshot,
  options: { id: () => string; provider: string },
): Investigation {
  const { id, provider } = options;
  const view = viewOf(snapshot);
  const named = namedService(issue, snapshot.services);
  const text = `${issue.title} ${issue.description}`;
  const diagnosis = diagnose(view, { named, text });
  const { survey: seen, incident, best, others } = diagnosis;
  const evidenceStore = new EvidenceStore({ view, id, environment: issue.environment, provider });
  const run: Run = { issue, named, survey: seen, evidenceStore, view, id };
  const results = incident && best ? resultsOf(run, incident, best, others) : nothingFound(run);
  return { results, artifacts: evidenceStore.artifacts, gaps: snapshot.gaps };
}

function resultsOf(
  run: Run,
  incident: Incident,
  best: Hypothesis,
  others: readonly Hypothesis[],
): Investigation['results'] {
  const { issue, survey: seen, evidenceStore, view, id } = run;
  const confidence = confidenceOf(best, incident, run.view.gaps);
  const summary = summaryOf(best);
  const rootCause: RootCause = {
    id: id(),
    incidentOverview: overviewOf(run, incident, best),
    rootCauseSummary: summary,
    relevantEvidence: relevantEvidence(best, incident, confidence, evidenceStore, seen, view),
    irrelevantEvidence: ruledOut(best, others, incident, seen, evidenceStore, view),
  };
  return {
    rootCause,
    ...causalTrees(best, confidence, incident, seen, evidenceStore, view),
    remediation: remediationFor(best, summary, issue, id),
    timeline: timelineOf(best, incident, seen, evidenceStore, { id, title: issue.title }),
  };
}

function overviewOf(
  { named, survey: seen, view }: Run,
  { symptom, chosen, primary, affected }: Incident,
  { candidate }: Hypothesis,
): string {
  const state = primary.end === null ? 'Ongoing.' : `Over since ${timeOfDay(primary.end)}.`;
  const origin = candidate.node.name;
  const spread = [...affected.keys()].filter((service) => service !== symptom && service !== origin);
  const which = {
    named: '',
    neighbour: `${named} itself looks normal, but its neighbour ${symptom} does not. `,
    worst: 'The issue names no known service; this is the worst anomaly at the time. ',
  }[chosen];
  const via = spread.length > 0 ? ` via ${joinNames(spread)}` : '';
  const where = origin === symptom ? `The problem is in ${symptom} itself` : `Caused by ${origin}${via}`;
  const callers = affectedCallers(seen, symptom, primary.onset);
  const also = callers.length > 0 ? `; also affected: ${callers.join(', ')}` : '';
  const missing = sentencesOn(view.gaps);
  return `${which}${movement(symptom, primary)} at ${timeOfDay(primary.onset)}. ${where}${also}. ${state}${missing === '' ? '' : ` Not everything could be checked: ${missing}`}`;
}

function nothingFound(run: Run): Investigation['results'] {
  const { issue, named, survey: seen, evidenceStore, view, id } = run;
  const busiest = [...seen.nodes.values()].filter(({ kind }) => kind === 'web').map(({ name }) => name);
  const checked = named === null ? busiest : [named, ...(seen.nodes.get(named)?.calls ?? []).slice(0, 2)];
  const what = named === null ? `any of ${seen.nodes.size} services` : named;
  const span = duration(seen.window.to - seen.window.from);
  const missing = sentencesOn(view.gaps);
  return {
    rootCause: {
      id: id(),
      incidentOverview:
        seen.nodes.size === 0
          ? `There is not enough data to look for a cause. ${missing === '' ? 'The configured sources know no service.' : missing}`
          : `No cause found: around ${timeOfDay(issue.triggeredAt)}, no metric of ${what} left its normal range (checked ${span} of data).${missing === '' ? '' : ` Not everything could be checked: ${missing}`}`,
      relevantEvidence: [],
      irrelevantEvidence: evidenceOfNoAnomaly(checked, seen, evidenceStore, view),
    },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: timelineOf(null, null, seen, evidenceStore, { id, title: issue.title }),
  };
}
