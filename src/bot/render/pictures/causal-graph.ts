import type { CausalTreeV2, InvestigationResults } from '../../../contract/answers.ts';
import { type CauseGraph, causeGraph } from '../results/causal-chain.ts';
import { phrase } from '../results/phrases.ts';
import { drawable } from './text.ts';

/** What a node is to the story. */
export type Role = 'trigger' | 'cause' | 'step' | 'symptom';

/** Texts can be drawn: on one line, with glyphs; but for `name`. */
export interface GraphNode {
  id: string;
  title: string;
  /** The title with the characters that cannot be drawn. */
  name: string;
  /** Empty if nothing more is said. */
  detail: string;
  role: Role;
  /** What the role is called, e.g. `Cause`; empty if nothing is known. */
  label: string;
  /** As it is stated, e.g. `high`; empty if nothing is known. */
  confidence: string;
}

export interface GraphEdge {
  from: string;
  to: string;
  /** 0 to 1. */
  confidence: number | undefined;
  onPath: boolean;
  /** How many nodes between the two are not shown. */
  skipped: number;
}

/** The graph to draw: from causes to effects. */
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Ids from the cause to the symptom along the likeliest way; empty if there is no edge. */
  path: string[];
  /** How many nodes were left out. */
  leftOut: number;
  /** How many edges between the nodes that are shown were left out. */
  edgesLeftOut: number;
}

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
  // Of several causes, the one that the likeliest way begins with.
  const causes = [...roles].filter(([, role]) => role === 'cause');
  const root = causes.length > 1 ? path.find((id) => roles.get(id) === 'cause') : undefined;
  const steps = new Set(path.slice(1).map((id, index) => pair(path[index] ?? '', id)));
  return {
    nodes: [...graph.nodes.values()].map(({ id, title }) => {
      const node = raw.get(id);
      const role = roles.get(id) ?? 'step';
      const mark =
        id === root
          ? 'Root cause'
          : role === 'step'
            ? drawable(node?.nodeType ?? node?.type, 24)
            : LABELS[role];
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
  const taken = new Set(stated.values());
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined || first === last) return roles;
  if (!taken.has('cause') && roles.get(first) === 'step') roles.set(first, 'cause');
  if (!taken.has('symptom') && roles.get(last) === 'step') roles.set(last, 'symptom');
  return roles;
}

/** 0.5 and 50 are both a half; anything else says nothing. */
function shareOf(confidence: number | undefined): number | undefined {
  if (confidence === undefined || !(confidence >= 0 && confidence <= 100)) return undefined;
  return confidence > 1 ? confidence / 100 : confidence;
}

function statedConfidence(confidence: string | undefined): string {
  const words = drawable(confidence, 24);
  return words.toLowerCase() === 'unknown' ? '' : words;
}

function pair(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the choice of a way depends on. */
interface Weights {
  ids: readonly string[];
  role: (id: string) => Role;
  /** As the service states it. */
  nodeConfidence: (id: string) => string | undefined;
  /** 0 to 1. */
  edgeConfidence: (from: string, to: string) => number | undefined;
}

interface Way {
  /** Sum of the edges' doubts. */
  doubt: number;
  /** The next step on the way. */
  next: string | undefined;
}

const UNSTATED = 0.5;

/**
 * The likeliest way from a cause to the symptom, as ids: it ends at the first symptom that has a cause (else where
 * the most ways end), begins at what is called a cause, else at the surest beginning, and takes the edges whose
 * confidences have the highest product. What triggered the cause, or alone leads to it, stands before it. Empty if nothing is linked.
 */
function likelyPath(effects: ReadonlyMap<string, readonly string[]>, weights: Weights): string[] {
  const causes = turned(effects);
  const end = endOf(effects, causes, weights);
  if (end === undefined) return [];
  const ways = waysTo(end, causes, weights);
  const start = [...ways.keys()]
    .filter((id) => id !== end)
    .sort(
      (a, b) =>
        rank(b, causes, weights) - rank(a, causes, weights) ||
        (ways.get(a)?.doubt ?? 0) - (ways.get(b)?.doubt ?? 0),
    )[0];
  if (start === undefined) return [];
  const path: string[] = [];
  for (let id: string | undefined = start; id !== undefined; id = ways.get(id)?.next) path.push(id);
  const before = (causes.get(start) ?? []).filter((id) => !path.includes(id));
  const trigger = before.find((id) => weights.role(id) === 'trigger') ?? before.find((id) => !causes.has(id));
  return trigger === undefined ? path : [trigger, ...path];
}

function endOf(
  effects: ReadonlyMap<string, readonly string[]>,
  causes: ReadonlyMap<string, readonly string[]>,
  { ids, role }: Weights,
): string | undefined {
  const caused = ids.filter((id) => causes.has(id));
  const symptom = caused.find((id) => role(id) === 'symptom');
  if (symptom !== undefined) return symptom;
  const ends = caused.filter((id) => !effects.has(id));
  const sizes = new Map((ends.length > 0 ? ends : caused).map((id) => [id, reach(id, causes)]));
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** How sure it is that a way begins here: what is called the cause, then beginnings by their confidence. */
function rank(
  id: string,
  causes: ReadonlyMap<string, readonly string[]>,
  { role, nodeConfidence }: Weights,
): number {
  const called = { cause: 40, trigger: 20, step: 0, symptom: -20 }[role(id)];
  const begins = causes.has(id) ? 0 : 10;
  const confidence = nodeConfidence(id)?.toLowerCase() ?? '';
  const sure = /high|certain|confirmed/u.test(confidence) ? 3 : /medium|moderate/u.test(confidence) ? 2 : 1;
  return called + begins + (/low|ruled/u.test(confidence) ? 0 : sure);
}

/** Each node from which the end can be reached, with its least doubtful way (Dijkstra, backwards). */
function waysTo(
  end: string,
  causes: ReadonlyMap<string, readonly string[]>,
  { edgeConfidence }: Weights,
): Map<string, Way> {
  const found = new Map<string, Way>();
  const open = new Map<string, Way>([[end, { doubt: 0, next: undefined }]]);
  while (open.size > 0) {
    let nearest: [string, Way] | undefined;
    for (const entry of open) if (!nearest || entry[1].doubt < nearest[1].doubt) nearest = entry;
    if (!nearest) break;
    const [id, way] = nearest;
    open.delete(id);
    found.set(id, way);
    for (const cause of causes.get(id) ?? []) {
      if (found.has(cause)) continue;
      // A step costs a little even where it is certain: of two certain ways, the shorter one.
      const doubt = way.doubt + 0.01 - Math.log(Math.max(0.01, edgeConfidence(cause, id) ?? UNSTATED));
      if (doubt < (open.get(cause)?.doubt ?? Number.POSITIVE_INFINITY)) open.set(cause, { doubt, next: id });
    }
  }
  return found;
}

function reach(id: string, causes: ReadonlyMap<string, readonly string[]>): number {
  const seen = new Set([id]);
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const cause of causes.get(next) ?? [])
      if (!seen.has(cause)) {
        seen.add(cause);
        queue.push(cause);
      }
  return seen.size;
}

function turned(effects: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const causes = new Map<string, string[]>();
  for (const [from, list] of effects)
    for (const to of list) {
      const known = causes.get(to);
      if (known) known.push(from);
      else causes.set(to, [from]);
    }
  return causes;
}

/**
 * The graph, or its `max` most important nodes where it has too many: the likeliest way first (its beginning and its end
 * where it alone is too long), then named causes and symptoms, then what is nearest to these.
 */
export function mostImportant(graph: Graph, max: number): Graph {
  return withFewEdges(graph.nodes.length <= max ? graph : withFewNodes(graph, max));
}

function withFewNodes(graph: Graph, max: number): Graph {
  const kept = new Set(ranked(graph, max).slice(0, max));
  const edges = graph.edges.filter(({ from, to }) => kept.has(from) && kept.has(to));
  const path = graph.path.filter((id) => kept.has(id));
  return {
    nodes: graph.nodes.filter(({ id }) => kept.has(id)),
    edges: [...edges, ...bridges(graph, path)],
    path,
    leftOut: graph.nodes.length - kept.size,
    edgesLeftOut: 0,
  };
}

/** With more than a few edges for each node nothing can be followed, nor laid out in time: the surest stay. */
function withFewEdges(graph: Graph): Graph {
  const max = Math.max(20, graph.nodes.length * 2);
  if (graph.edges.length <= max) return graph;
  const surest = graph.edges
    .toSorted(
      (a, b) =>
        Number(b.onPath) - Number(a.onPath) || (b.confidence ?? UNSTATED) - (a.confidence ?? UNSTATED),
    )
    .slice(0, max);
  const kept = new Set(surest);
  return {
    ...graph,
    edges: graph.edges.filter((edge) => kept.has(edge)),
    edgesLeftOut: graph.edges.length - max,
  };
}

function ranked({ nodes, edges, path }: Graph, max: number): string[] {
  const half = Math.floor(max / 2);
  const ends = path.length > max ? [...path.slice(0, half), ...path.slice(-half)] : path;
  const first = [...ends, ...nodes.filter(({ role }) => role !== 'step').map(({ id }) => id)];
  const around = new Map(nodes.map(({ id }): [string, string[]] => [id, []]));
  for (const { from, to } of edges) {
    around.get(from)?.push(to);
    around.get(to)?.push(from);
  }
  const order = new Set(first);
  for (const id of order) for (const near of around.get(id) ?? []) order.add(near);
  for (const { id } of nodes) order.add(id);
  return [...order];
}

/** One edge over each part of the way that is left out. */
function bridges(graph: Graph, path: readonly string[]): GraphEdge[] {
  const places = new Map(graph.path.map((id, index) => [id, index]));
  return path.slice(1).flatMap((to, index) => {
    const from = path[index] ?? to;
    const skipped = (places.get(to) ?? 0) - (places.get(from) ?? 0) - 1;
    return skipped > 0 ? [{ from, to, confidence: undefined, onPath: true, skipped }] : [];
  });
}
