import { textWidth } from '../font.ts';
import { PAGE_WIDTH } from '../picture.ts';
import { type Box, boxOf, type Fullness } from './box.ts';
import type { Layout, Point, Sketch } from './layout.ts';
import type { Graph, GraphEdge } from './types.ts';

export interface PlacedBox extends Box, Point {}

/** An arrow along its points, with its label in the middle of a rectangle. */
export interface PlacedArrow {
  edge: GraphEdge;
  points: Point[];
  label: (Point & { text: string; width: number; height: number }) | undefined;
}

export interface Arrangement {
  width: number;
  height: number;
  boxes: PlacedBox[];
  arrows: PlacedArrow[];
}

interface Plan {
  direction: Sketch['direction'];
  boxWidth: number;
  fullness: Fullness;
  density: Sketch['density'];
}

/** Free space around the drawing. */
export const MARGIN = 24;

export const LABEL_SIZE = 13.5;

const ROOM = PAGE_WIDTH - 2 * MARGIN;
const MANY = 15;
const MANY_LABELS = 24;

// Left to right if that can be read at the page's width; else top to bottom, with boxes as wide as they can be.
const FEW_PLANS: readonly Plan[] = [
  { direction: 'right', boxWidth: 190, fullness: 'full', density: 'airy' },
  { direction: 'down', boxWidth: 400, fullness: 'full', density: 'airy' },
  { direction: 'down', boxWidth: 300, fullness: 'full', density: 'airy' },
  { direction: 'down', boxWidth: 208, fullness: 'full', density: 'airy' },
  { direction: 'down', boxWidth: 208, fullness: 'full', density: 'narrow' },
  { direction: 'down', boxWidth: 166, fullness: 'compact', density: 'narrow' },
  { direction: 'down', boxWidth: 166, fullness: 'compact', density: 'dense' },
];
const MANY_PLANS: readonly Plan[] = [
  { direction: 'down', boxWidth: 208, fullness: 'compact', density: 'narrow' },
  { direction: 'down', boxWidth: 166, fullness: 'compact', density: 'dense' },
];

/** Places the graph: the first plan whose drawing fits the page's width, else the narrowest. `null` if none can be laid out. */
export async function arrange(graph: Graph, layout: Layout): Promise<Arrangement | null> {
  let narrowest: Arrangement | null = null;
  for (const plan of graph.nodes.length > MANY ? MANY_PLANS : FEW_PLANS) {
    const arranged = await arrangeBy(plan, graph, layout);
    if (arranged === null) return null;
    if (arranged.width <= ROOM) return arranged;
    if (narrowest === null || arranged.width < narrowest.width) narrowest = arranged;
  }
  return narrowest;
}

async function arrangeBy(plan: Plan, graph: Graph, layout: Layout): Promise<Arrangement | null> {
  const boxes = graph.nodes.map((node) => boxOf(node, plan.boxWidth, plan.fullness));
  const places = new Map(graph.nodes.map(({ id }, index) => [id, index]));
  // A label takes a layer of its own: among many, only the likeliest way has them.
  const isCrowded = graph.nodes.length > MANY || graph.edges.length > MANY_LABELS;
  const labels = graph.edges.map((edge) => (edge.onPath || !isCrowded ? labelOf(edge) : undefined));
  const placement = await layout({
    direction: plan.direction,
    density: plan.density,
    boxes: boxes.map(({ width, height }) => ({ width, height })),
    arrows: graph.edges.map(({ from, to, onPath }, index) => ({
      from: places.get(from) ?? 0,
      to: places.get(to) ?? 0,
      label: labels[index] && { width: labels[index].width, height: labels[index].height },
      isMain: onPath,
    })),
  });
  if (placement === null) return null;
  return {
    width: placement.width,
    height: placement.height,
    boxes: boxes.map((box, index) => ({ ...box, ...(placement.boxes[index] ?? { x: 0, y: 0 }) })),
    arrows: graph.edges.map((edge, index) => {
      const arrow = placement.arrows[index];
      const label = labels[index];
      return {
        edge,
        points: arrow?.points ?? [],
        label: label && arrow?.label ? { ...label, ...arrow.label } : undefined,
      };
    }),
  };
}

/** `85%`, or how many nodes an edge leaves out. */
function labelOf({
  confidence,
  skipped,
}: GraphEdge): { text: string; width: number; height: number } | undefined {
  if (skipped === 0 && confidence === undefined) return undefined;
  const text = skipped > 0 ? `${skipped} more between` : `${Math.round((confidence ?? 0) * 100)}%`;
  return { text, width: Math.ceil(textWidth(text, LABEL_SIZE, 600)) + 14, height: 22 };
}
