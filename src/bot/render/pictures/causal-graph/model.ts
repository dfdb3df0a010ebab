import type { CausalTreeV2, InvestigationResults } from '../../../../contract/answers.ts';
import { type CauseGraph, causeGraph } from '../../results/graph.ts';
import { phrase } from '../../results/phrases.ts';
import { drawable } from '../drawable.ts';
import { likelyPath } from './path.ts';
import type { Graph, Role } from './types.ts';

type Raw = NonNullable<CausalTreeV2['nodes']>[number] & { type?: string | undefined };

const LABELS: Readonly<Record<Exclude<Role, 'step'>, string>> = {
  trigger: 'Trigger',
  cause: 'Cause',
  symptom: 'Symptom',
};

/** The causal graph with all of its nodes; which way its edges point is decided as in its text form. */
export function graphOf(results: InvestigationResults): Graph {
  const graph = causeGraph(results);
  const { nodes: raw, confidences } = rawOf(results);
  const confidenceBetween = (from: string, to: string) =>
    confidences.get(pair(from, to)) ?? confidences.get(pair(to, from));
  const stated = new Map([...graph.nodes.keys()].map((id) => [id, roleOf(graph, id, raw.get(id))]));
  const path = likelyPath(graph.effects, {
    ids: [...graph.nodes.keys()],
    role: (id) => stated.get(id) ?? 'step',
    nodeConfidence: (id) => raw.get(id)?.confidence,
    edgeConfidence: confidenceBetween,
  });
  const roles = withEnds(stated, path);
  const steps = new Set(path.slice(1).map((id, index) => pair(path[index] ?? '', id)));
  return {
    nodes: [...graph.nodes.values()].map(({ id, title }) => {
      const node = raw.get(id);
      const role = roles.get(id) ?? 'step';
      const mark = role === 'step' ? drawable(node?.nodeType ?? node?.type, 24) : LABELS[role];
      return {
        id,
        title: drawable(title, 160) || 'Unnamed',
        name: phrase(title, 160) || 'Unnamed',
        detail: node?.title?.trim() ? drawable(node.description, 400) : '',
        role,
        label: capital(mark),
        confidence: statedConfidence(node?.confidence),
      };
    }),
    edges: [...graph.effects].flatMap(([from, effects]) =>
      effects.map((to) => ({
        from,
        to,
        confidence: confidenceBetween(from, to),
        onPath: steps.has(pair(from, to)),
        skipped: 0,
      })),
    ),
    path,
    leftOut: 0,
    edgesLeftOut: 0,
  };
}

/** What the text form does not need, by the ids that it gives. */
function rawOf({ causalTree, causalTreeV2 }: InvestigationResults): {
  nodes: Map<string, Raw>;
  confidences: Map<string, number>;
} {
  const isV2 = (causalTreeV2?.nodes?.length ?? 0) > 0;
  const list: readonly Raw[] = (isV2 ? causalTreeV2?.nodes : causalTree?.nodes) ?? [];
  const nodes = new Map<string, Raw>();
  for (const [index, node] of list.entries()) {
    const id = node.id ?? `unnamed ${index}`;
    if (!nodes.has(id)) nodes.set(id, node);
  }
  const confidences = new Map<string, number>();
  for (const { from, to, confidence } of (isV2 ? causalTreeV2?.edges : undefined) ?? []) {
    const share = shareOf(confidence);
    if (from === undefined || to === undefined || share === undefined) continue;
    if (!confidences.has(pair(from, to))) confidences.set(pair(from, to), share);
  }
  return { nodes, confidences };
}

function roleOf(graph: CauseGraph, id: string, raw: Raw | undefined): Role {
  const type = raw?.nodeType ?? raw?.type ?? '';
  if (graph.nodes.get(id)?.outcome) return 'symptom';
  if (/trigger/iu.test(type)) return 'trigger';
  return /cause/iu.test(type) ? 'cause' : 'step';
}

/** If nobody says which is the cause or the symptom, the ends of the likeliest way are. */
function withEnds(stated: ReadonlyMap<string, Role>, path: readonly string[]): Map<string, Role> {
  const roles = new Map(stated);
  const said = new Set(stated.values());
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined || first === last) return roles;
  if (!said.has('cause') && roles.get(first) === 'step') roles.set(first, 'cause');
  if (!said.has('symptom') && roles.get(last) === 'step') roles.set(last, 'symptom');
  return roles;
}

/** 0.5 and 50 are both a half; anything else says nothing. */
function shareOf(confidence: number | undefined): number | undefined {
  if (confidence === undefined || !(confidence >= 0 && confidence <= 100)) return undefined;
  return confidence > 1 ? confidence / 100 : confidence;
}

function statedConfidence(confidence: string | undefined): string {
  const said = drawable(confidence, 24);
  return said.toLowerCase() === 'unknown' ? '' : said;
}

function pair(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
