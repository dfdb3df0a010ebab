import type { SectionBlock } from '@slack/types';
import type { CausalTreeV2, InvestigationResults } from '../../../contract/answers.ts';
import { bare, bold, literal } from '../escape.ts';
import { section } from '../rendered.ts';
import { confidence, itemsOf, pages, phrase, tags } from './phrases.ts';

/** A node of the causal graph; texts are untrusted. */
interface CauseNode {
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
const MAX_READ = 20_000;

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

const FEW = 2;

/** Whether the messages of results show the graph: a small one if the verdict does not say it all. *Everything* always does. */
export function isGraphShown({ nodes }: CauseGraph, { rootCause }: InvestigationResults): boolean {
  if (nodes.size !== FEW) return nodes.size > FEW;
  const verdict = bare(
    phrase(`${rootCause?.rootCauseSummary ?? ''} ${rootCause?.incidentOverview ?? ''}`, MAX_READ),
  );
  return [...nodes.values()].some(({ title }) => !verdict.includes(bare(title)));
}

const PAGE = 2500;
const DEEPEST = 10;
/** Slack folds ordinary spaces at the start of a line. */
const INDENT = '\u2003';

export const CHAIN = 'Causal chain, from cause to symptom';

/** The causal graph as text, each cause above its effects; empty without nodes. */
export function chainBlocks(graph: CauseGraph): SectionBlock[] {
  return graph.nodes.size === 0 ? [] : pages(chainLines(graph), PAGE, 1).map((page) => section(page));
}

/**
 * One line per node, below its cause; a node with several causes is named again where it is reached
 * again. Where causes fork, each level is indented; a plain chain stays straight.
 */
function chainLines(graph: CauseGraph): string[] {
  const lines: { node: CauseNode; depth: number; isStart: boolean; again: boolean }[] = [];
  const seen = new Set<string>();
  const step = [...graph.effects.values()].some((effects) => effects.length > 1) ? 1 : 0;
  // Nodes that only a cycle reaches have no start of their own: the first of them is one.
  for (const start of [...graph.causes, ...graph.nodes.keys()]) {
    if (seen.has(start)) continue;
    const stack = [{ id: start, depth: 0, isStart: true }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { id, depth, isStart } = next;
      const node = graph.nodes.get(id);
      if (!node) continue;
      const again = seen.has(id);
      seen.add(id);
      lines.push({ node, depth, isStart, again });
      const effects = again ? [] : (graph.effects.get(id) ?? []);
      for (const effect of effects.toReversed())
        stack.push({ id: effect, depth: depth + step, isStart: false });
    }
  }
  const render = ({ node, depth, isStart, again }: (typeof lines)[number]) =>
    chainLine(node, depth, isStart, again);
  return itemsOf(lines, render, () => true);
}

function chainLine(node: CauseNode, depth: number, isStart: boolean, again: boolean): string {
  if (isStart) return `${bold(node.title)}${tags(...node.marks, node.confidence)}`;
  const indent = INDENT.repeat(Math.min(depth, DEEPEST));
  const stated = again ? ' (see above)' : tags(...node.marks, node.confidence);
  return `${indent}→ ${literal(node.title)}${stated}`;
}
