import type { RootCause } from '../../contract/schema/results.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { Cabinet } from './cabinet.ts';
import { causalTrees } from './causal-trees.ts';
import { diagnose } from './diagnose.ts';
import { relevantEvidence } from './evidence.ts';
import { movement } from './kinds/clues.ts';
import { bestNamed } from './match.ts';
import { remediationFor } from './remediation.ts';
import { allQuiet, ruledOut } from './ruled-out.ts';
import { type Scene, unwellCallers } from './scene.ts';
import type { Survey } from './survey.ts';
import { timelineOf } from './timeline.ts';
import type { Investigation, IssueToInvestigate } from './types.ts';
import { type Case, confidenceOf } from './verdict.ts';
import { duration, listed, sentence, timeOfDay } from './words.ts';

export type { IssueToInvestigate } from './types.ts';

interface Look {
  issue: IssueToInvestigate;
  named: string | null;
  survey: Survey;
  cabinet: Cabinet;
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
  const { survey: seen, scene, best, others } = diagnosis;
  const cabinet = new Cabinet({ telemetry, id, environment: issue.environment });
  const look: Look = { issue, named, survey: seen, cabinet, telemetry, id };
  const results = scene && best ? found(look, scene, best, others) : nothingFound(look);
  return { results, artifacts: cabinet.artifacts };
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

function found(look: Look, scene: Scene, best: Case, others: readonly Case[]): Investigation['results'] {
  const { issue, survey: seen, cabinet, telemetry, id } = look;
  const confidence = confidenceOf(best, scene);
  const summary = `${best.suspect.node.name} ${best.reading.what}.`;
  const rootCause: RootCause = {
    id: id(),
    incidentOverview: overviewOf(look, scene, best),
    rootCauseSummary: summary,
    relevantEvidence: relevantEvidence(best, scene, confidence, cabinet, seen, telemetry),
    irrelevantEvidence: ruledOut(best, others, scene, seen, cabinet, telemetry),
  };
  return {
    rootCause,
    ...causalTrees(best, confidence, scene, seen, cabinet, telemetry),
    remediation: remediationFor(best, summary, issue, id),
    timeline: timelineOf(best, scene, seen, cabinet, { id, title: issue.title }),
  };
}

function overviewOf(
  { named, survey: seen }: Look,
  { symptom, chosen, primary, unwell }: Scene,
  { suspect }: Case,
): string {
  const state = primary.end === null ? 'It goes on.' : `It was over at ${timeOfDay(primary.end)}.`;
  const origin = suspect.node.name;
  const spread = [...unwell.keys()].filter((service) => service !== symptom && service !== origin);
  const which = {
    named: '',
    neighbour: `${named} itself shows nothing unusual, but ${symptom}, next to it, does. `,
    worst: 'The issue names no service that is known; this is the worst trouble at the time. ',
  }[chosen];
  const via = spread.length > 0 ? ` through ${listed(spread)}` : '';
  const where = origin === symptom ? `It begins in ${symptom} itself.` : `It comes from ${origin}${via}.`;
  const callers = unwellCallers(seen, symptom, primary.onset);
  const also = callers.length > 0 ? ` ${listed(callers)} feel${callers.length > 1 ? '' : 's'} it too.` : '';
  return `${which}${sentence(movement(symptom, primary))}, from ${timeOfDay(primary.onset)}. ${where}${also} ${state}`;
}

function nothingFound(look: Look): Investigation['results'] {
  const { issue, named, survey: seen, cabinet, telemetry, id } = look;
  const busiest = [...seen.nodes.values()].filter(({ kind }) => kind === 'web').map(({ name }) => name);
  const looked = named === null ? busiest : [named, ...(seen.nodes.get(named)?.calls ?? []).slice(0, 2)];
  const what = named === null ? `any of ${seen.nodes.size} services` : named;
  const span = duration(seen.window.to - seen.window.from);
  return {
    rootCause: {
      id: id(),
      incidentOverview: `Nothing was found that explains this issue: around ${timeOfDay(issue.triggeredAt)}, no metric of ${what} left its usual range (${span} were looked at).`,
      relevantEvidence: [],
      irrelevantEvidence: allQuiet(looked, seen, cabinet, telemetry),
    },
    causalTree: { nodes: [], edges: [] },
    causalTreeV2: { nodes: [], edges: [] },
    remediation: { actions: [] },
    timeline: timelineOf(null, null, seen, cabinet, { id, title: issue.title }),
  };
}
