import type { RootCause } from '../../contract/schema/results.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { causalTrees } from './causal-trees.ts';
import { diagnose } from './diagnose.ts';
import { relevantEvidence } from './evidence.ts';
import { EvidenceStore } from './evidence-store.ts';
import { duration, joinNames, timeOfDay } from './format.ts';
import { confidenceOf, type Hypothesis, summaryOf } from './hypotheses.ts';
import { affectedCallers, type Incident } from './incident.ts';
import { movement } from './kinds/observations.ts';
import { bestNamed } from './match.ts';
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
  telemetry: Telemetry;
  id: () => string;
}

/**
 * Looks for the cause of an issue in the telemetry around its trigger, and writes down what it found and what
 * it ruled out (contract, 2.7). Where nothing is wrong, there is no `rootCauseSummary`.
 *
 * @param options.id a new identifier at each call
 * @param options.now milliseconds; nothing later is read
 */
export function investigate(
  issue: IssueToInvestigate,
  telemetry: Telemetry,
  options: { id: () => string; now: number },
): Investigation {
  const { id, now } = options;
  const services = telemetry.services().map(({ name }) => name);
  const named = bestNamed(fieldsOf(issue), services);
  const text = `${issue.title} ${issue.description}`;
  const diagnosis = diagnose(telemetry, { at: issue.triggeredAt, now, named, text });
  const { survey: seen, incident, best, others } = diagnosis;
  const evidenceStore = new EvidenceStore({ telemetry, id, environment: issue.environment });
  const run: Run = { issue, named, survey: seen, evidenceStore, telemetry, id };
  const results = incident && best ? resultsOf(run, incident, best, others) : nothingFound(run);
  return { results, artifacts: evidenceStore.artifacts };
}

/** Where an issue may name its service, the most telling first. */
function fieldsOf({ service, title, description, context }: IssueToInvestigate): (string | null)[] {
  const text = (name: string) => {
    const value = context[name];
    return typeof value === 'string' ? value : null;
  };
  const tags = Array.isArray(context.tags)
    ? context.tags.filter((tag) => typeof tag === 'string').join(' ')
    : null;
  return [service ?? text('service'), title, text('host'), tags, text('errorMessage'), description];
}

function resultsOf(
  run: Run,
  incident: Incident,
  best: Hypothesis,
  others: readonly Hypothesis[],
): Investigation['results'] {
  const { issue, survey: seen, evidenceStore, telemetry, id } = run;
  const confidence = confidenceOf(best, incident);
  const summary = summaryOf(best);
  const rootCause: RootCause = {
    id: id(),
    incidentOverview: overviewOf(run, incident, best),
    rootCauseSummary: summary,
    relevantEvidence: relevantEvidence(best, incident, confidence, evidenceStore, seen, telemetry),
    irrelevantEvidence: ruledOut(best, others, incident, seen, evidenceStore, telemetry),
  };
  return {
    rootCause,
    ...causalTrees(best, confidence, incident, seen, evidenceStore, telemetry),
    remediation: remediationFor(best, summary, issue, id),
    timeline: timelineOf(best, incident, seen, evidenceStore, { id, title: issue.title }),
  };
}

function overviewOf(
  { named, survey: seen }: Run,
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
  return `${which}${movement(symptom, primary)} at ${timeOfDay(primary.onset)}. ${where}${also}. ${state}`;
}

function nothingFound(run: Run): Investigation['results'] {
  const { issue, named, survey: seen, evidenceStore, telemetry, id } = run;
  const busiest = [...seen.nodes.values()].filter(({ kind }) => kind === 'web').map(({ name }) => name);
  const checked = named === null ? busiest : [named, ...(seen.nodes.get(named)?.calls ?? []).slice(0, 2)];
  const what = named === null ? `any of ${seen.nodes.size} services` : named;
  const span = duration(seen.window.to - seen.window.from);
  return {
    rootCause: {
      id: id(),
      incidentOverview: `No cause found: around ${timeOfDay(issue.triggeredAt)}, no metric of ${what} left its normal range (checked ${span} of data).`,
      relevantEvidence: [],
      irrelevantEvidence: evidenceOfNoAnomaly(checked, seen, evidenceStore, telemetry),
    },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: timelineOf(null, null, seen, evidenceStore, { id, title: issue.title }),
  };
}
