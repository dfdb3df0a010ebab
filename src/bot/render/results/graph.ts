import type { CausalTreeV2, InvestigationResults } from '../../../contract/answers.ts';
import { confidence, phrase } from './phrases.ts';

/** A node of the causal graph; texts are untrusted. */
export interface CauseNode {
  id: string;
  title: string;
  /** What is stated beside the title, e.g. `validated`. */
  marks: string[];
  /** E.g. `confidence high`. */
  confidence: string | undefined;
  outcome: boolean;
}

/** The causal graph; `effects` lists each node's effects by id, only of nodes that exist. */
export interface CauseGraph {
  nodes: Map<string, CauseNode>;
  effects: Map<string, string[]>;
  /** Nodes without a cause, in the service's order. */
  causes: string[];
}

type CausalNode = NonNullable<CausalTreeV2['nodes']>[number];

interface Edge {
  from: string | undefined;
  to: string | undefined;
}

const MAX_TITLE = 200;

/** The causal graph of `causalTreeV2`, else of `causalTree` (contract, 2.7); dangling edges are left off. */
export function causeGraph(results: InvestigationResults): CauseGraph {
  const v2 = results.causalTreeV2;
  if (v2?.nodes && v2.nodes.length > 0) {
    const nodes = v2.nodes.map((node, index) => ({
      ...named(node, index),
      marks: [phrase(node.nodeType, 60)],
      confidence: confidence(node.confidence),
      outcome: isOutcome(node.nodeType),
    }));
    return connect(nodes, v2.edges ?? []);
  }
  const v1 = results.causalTree;
  const nodes = (v1?.nodes ?? []).map((node, index) => ({
    ...named(node, index),
    marks: [phrase(node.type, 60)],
    confidence: undefined,
    outcome: isOutcome(node.type),
  }));
  return connect(
    nodes,
    (v1?.edges ?? []).map((edge) => ({ from: edge.source, to: edge.target })),
  );
}

function named(
  node: Pick<CausalNode, 'id' | 'title' | 'description'>,
  index: number,
): Pick<CauseNode, 'id' | 'title'> {
  const id = node.id ?? `unnamed ${index}`;
  return {
    id,
    title: phrase(node.title, MAX_TITLE) || phrase(node.description, MAX_TITLE) || phrase(id, 60),
  };
}

function isOutcome(type: string | undefined): boolean {
  return /outcome|symptom/iu.test(type ?? '');
}

function connect(list: CauseNode[], edges: readonly Partial<Edge>[]): CauseGraph {
  const nodes = new Map<string, CauseNode>();
  for (const node of list) if (!nodes.has(node.id)) nodes.set(node.id, node);
  const effects = links(nodes, edges);
  const graph = { nodes, effects, causes: withoutCause(nodes, effects) };
  // The contract does not say which way edges point. Outcomes with effects but no cause tell that they
  // point from the symptom to its cause.
  const backwards = graph.causes.some((id) => nodes.get(id)?.outcome && effects.has(id));
  if (!backwards) return graph;
  const turned = links(
    nodes,
    edges.map((edge) => ({ from: edge.to, to: edge.from })),
  );
  return { nodes, effects: turned, causes: withoutCause(nodes, turned) };
}

function links(nodes: Map<string, CauseNode>, edges: readonly Partial<Edge>[]): Map<string, string[]> {
  const effects = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (from === undefined || to === undefined || from === to) continue;
    if (!nodes.has(from) || !nodes.has(to)) continue;
    const known = effects.get(from) ?? new Set();
    effects.set(from, known.add(to));
  }
  return new Map([...effects].map(([from, to]) => [from, [...to]]));
}

function withoutCause(nodes: Map<string, CauseNode>, effects: Map<string, string[]>): string[] {
  const caused = new Set([...effects.values()].flat());
  return [...nodes.keys()].filter((id) => !caused.has(id));
}
