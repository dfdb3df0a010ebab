import type { ArtifactRef, CausalTree, CausalTreeV2 } from '../../../contract/schema.ts';
import type { View } from '../../telemetry/view.ts';
import type { Survey } from '../anomalies.ts';
import { onsetOf } from '../candidates.ts';
import { capitalize, timeOfDay } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import type { Incident } from '../place/incident.ts';
import { type EvidenceStore, windowToShow } from './artifacts.ts';
import { artifactOf } from './evidence.ts';
import { headlineOf } from './headline.ts';
import { WORDS } from './kinds.ts';
import { movement, shortMovement } from './movement.ts';
import { inWords } from './observed.ts';

/** One step from the cause to the alert's symptom. */
interface Link {
  id: string;
  title: string;
  description: string;
  expanded: string;
  role: 'trigger' | 'cause' | 'effect' | 'outcome';
  confidence: string;
  evidence: ArtifactRef[];
  to: string[];
}

/** The path from the cause through the degraded callers to the issue's service, in both forms of 2.7. */
export function causalTrees(
  { best, rival }: { best: Hypothesis; rival: Hypothesis | null },
  confidence: string,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
): { causalTree: CausalTree; causalTreeV2: CausalTreeV2 } {
  const ofBest = linksOf(best, confidence, incident, survey, evidenceStore, view);
  const ofRival = rival === null ? [] : linksOf(rival, confidence, incident, survey, evidenceStore, view);
  const links = joined(ofBest, ofRival);
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

/** Merges two paths to the same symptom; shared nodes appear once, and each cause keeps its own wording. */
function joined(first: readonly Link[], second: readonly Link[]): Link[] {
  const all = [...first, ...second].toSorted(
    (a, b) => Number(b.role === 'cause') - Number(a.role === 'cause'),
  );
  const kept = new Map<string, Link>();
  for (const link of all) {
    const known = kept.get(link.id);
    kept.set(link.id, known === undefined ? link : { ...known, to: [...new Set([...known.to, ...link.to])] });
  }
  const order = [...first, ...second].map(({ id }) => id);
  return [...kept.values()].toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

function linksOf(
  best: Hypothesis,
  confidence: string,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
): Link[] {
  const origin = best.candidate.node.name;
  const between = servicesBetween(origin, incident, survey);
  const callersOf = (service: string) =>
    between.filter((caller) => caller !== origin && survey.nodes.get(caller)?.calls.includes(service));
  const leadsTo = (service: string) => {
    const callers = callersOf(service);
    // Even if no path from the cause to the symptom is known, it leads there.
    return callers.length === 0 && service === origin && origin !== incident.symptom
      ? between.filter((other) => other === incident.symptom)
      : callers;
  };
  const trigger = best.assessment.observations.find((observation) => observation.type === 'change');
  const links: Link[] = trigger
    ? [
        {
          id: `change of ${origin}`,
          title: trigger.change.title,
          description: inWords(trigger, best.candidate).description,
          expanded: `At ${timeOfDay(trigger.change.at)}.`,
          role: 'trigger',
          confidence,
          evidence: [evidenceStore.change(trigger.change)],
          to: [origin],
        },
      ]
    : [];
  for (const service of between) {
    const isOrigin = service === origin;
    const anomalies = isOrigin ? best.candidate.anomalies : (incident.affected.get(service) ?? []);
    const shown = windowToShow(survey, best.candidate.onset);
    const refs = isOrigin
      ? best.assessment.observations.map((observation) =>
          artifactOf(observation, best.candidate, evidenceStore, survey, view),
        )
      : anomalies.slice(0, 2).map(({ series }) => evidenceStore.metric(series, shown));
    links.push({
      id: service,
      title: isOrigin
        ? capitalize(headlineOf(best))
        : anomalies[0]
          ? shortMovement(service, anomalies[0])
          : service,
      description: isOrigin
        ? `${capitalize(WORDS[best.kind.name].detail(best))}.`
        : `${anomalies[0] ? movement(service, anomalies[0]) : `${service} degrades`}.`,
      expanded: anomalies
        .map((anomaly) => `- ${timeOfDay(anomaly.onset)}: ${movement(service, anomaly)}`)
        .join('\n'),
      role: isOrigin ? 'cause' : service === incident.symptom ? 'outcome' : 'effect',
      confidence: isOrigin ? confidence : 'high',
      evidence: refs.filter((ref) => ref !== null),
      to: leadsTo(service),
    });
  }
  return links;
}

/** The degraded services on the paths from the origin up to the symptom, origin first, then by onset. */
function servicesBetween(origin: string, incident: Incident, survey: Survey): string[] {
  const leads = new Set<string>();
  const visit = (service: string, way: readonly string[]) => {
    const here = [...way, service];
    if (service === origin) for (const step of here) leads.add(step);
    else
      for (const callee of survey.nodes.get(service)?.calls ?? [])
        if ((incident.affected.has(callee) || callee === origin) && !way.includes(callee))
          visit(callee, here);
  };
  visit(incident.symptom, []);
  if (leads.size === 0) for (const service of [origin, incident.symptom]) leads.add(service);
  return [...leads].sort(
    (a, b) =>
      Number(b === origin) - Number(a === origin) ||
      onsetOf(incident.affected.get(a) ?? []) - onsetOf(incident.affected.get(b) ?? []),
  );
}
