import type { ArtifactRef, CausalTree, CausalTreeV2 } from '../../contract/schema/results.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Cabinet } from './cabinet.ts';
import { artifactOf, windowToShow } from './evidence.ts';
import { movement, shortMovement } from './kinds/clues.ts';
import type { Scene } from './scene.ts';
import type { Survey } from './survey.ts';
import { onsetOf } from './suspects.ts';
import type { Case } from './verdict.ts';
import { sentence, timeOfDay } from './words.ts';

/** One step from the cause to what the alert saw. */
interface Link {
  id: string;
  title: string;
  description: string;
  expanded: string;
  role: 'trigger' | 'cause' | 'effect' | 'outcome';
  confidence: string;
  evidence: ArtifactRef[];
  /** Ids of what it leads to. */
  to: string[];
}

/** The way from the cause through the unwell callers to the service that the issue speaks of, in both forms of 2.7. */
export function causalTrees(
  best: Case,
  confidence: string,
  scene: Scene,
  survey: Survey,
  cabinet: Cabinet,
  telemetry: Telemetry,
): { causalTree: CausalTree; causalTreeV2: CausalTreeV2 } {
  const links = linksOf(best, confidence, scene, survey, cabinet, telemetry);
  const edges = links.flatMap(({ id, to }) => to.map((target) => ({ source: id, target })));
  return {
    causalTree: {
      nodes: links.map(({ id, title, description, expanded }) => ({
        id,
        type: 'validated',
        title,
        description,
        expandedContent: expanded,
      })),
      edges: edges.map(({ source, target }) => ({ id: `${source}→${target}`, source, target })),
    },
    causalTreeV2: {
      nodes: links.map(({ id, title, description, role, confidence: sure, evidence }) => ({
        id,
        title,
        description,
        confidence: sure,
        nodeType: role,
        evidence,
      })),
      edges: edges.map(({ source, target }) => ({
        from: source,
        to: target,
        confidence: Number((0.5 + best.score / 2).toFixed(2)),
      })),
    },
  };
}

function linksOf(
  best: Case,
  confidence: string,
  scene: Scene,
  survey: Survey,
  cabinet: Cabinet,
  telemetry: Telemetry,
): Link[] {
  const origin = best.suspect.node.name;
  const between = servicesBetween(origin, scene, survey);
  const callersOf = (service: string) =>
    between.filter((caller) => caller !== origin && survey.nodes.get(caller)?.calls.includes(service));
  const trigger = best.reading.clues.find((clue) => clue.type === 'change');
  const links: Link[] = trigger
    ? [
        {
          id: 'change',
          title: trigger.change.title,
          description: trigger.description,
          expanded: `At ${timeOfDay(trigger.change.at)}.`,
          role: 'trigger',
          confidence,
          evidence: [cabinet.change(trigger.change)],
          to: [origin],
        },
      ]
    : [];
  for (const service of between) {
    const anomalies = scene.unwell.get(service) ?? [];
    const isOrigin = service === origin;
    const shown = windowToShow(survey, best.suspect.onset);
    const refs = isOrigin
      ? best.reading.clues.map((clue) => artifactOf(clue, best.suspect, cabinet, survey, telemetry))
      : anomalies.slice(0, 2).map(({ signal }) => cabinet.metric(service, signal.metric, shown));
    links.push({
      id: service,
      title: isOrigin
        ? sentence(`${best.kind.name} at ${service}`)
        : anomalies[0]
          ? shortMovement(service, anomalies[0])
          : service,
      description: isOrigin
        ? `${service} ${best.reading.what}.`
        : sentence(`${anomalies[0] ? movement(service, anomalies[0]) : `${service} follows`}.`),
      expanded: anomalies
        .map((anomaly) => `- ${timeOfDay(anomaly.onset)}: ${movement(service, anomaly)}`)
        .join('\n'),
      role: isOrigin ? 'cause' : service === scene.symptom ? 'outcome' : 'effect',
      confidence: isOrigin ? confidence : 'high',
      evidence: refs.filter((ref) => ref !== null),
      to: callersOf(service),
    });
  }
  return links;
}

/** The unwell services on the ways from the origin up to the symptom, by onset, the origin first. */
function servicesBetween(origin: string, scene: Scene, survey: Survey): string[] {
  const leads = new Set<string>();
  const visit = (service: string, way: readonly string[]) => {
    const here = [...way, service];
    if (service === origin) for (const step of here) leads.add(step);
    else
      for (const callee of survey.nodes.get(service)?.calls ?? [])
        if (scene.unwell.has(callee) && !way.includes(callee)) visit(callee, here);
  };
  visit(scene.symptom, []);
  return [...leads].sort(
    (a, b) =>
      Number(b === origin) - Number(a === origin) ||
      onsetOf(scene.unwell.get(a) ?? []) - onsetOf(scene.unwell.get(b) ?? []),
  );
}
