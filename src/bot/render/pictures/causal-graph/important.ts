import type { Graph, GraphEdge } from './types.ts';

const UNSTATED = 0.5;

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
