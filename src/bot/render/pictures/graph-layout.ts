import Elk from 'elkjs/lib/elk.bundled.js';
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Graph, GraphEdge, GraphNode, Role } from './causal-graph.ts';
import { PAGE_WIDTH } from './picture.ts';
import { cutToWidth, textWidth, type Weight, wrap } from './text.ts';

/** A place in pixels; of a box or label, its upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** One line in a box; `x` and its base line `y` are counted from the box's upper left corner. */
export interface Line {
  text: string;
  x: number;
  y: number;
  size: number;
  weight: Weight;
  kind: 'label' | 'title' | 'detail' | 'confidence';
}

/** A node with its texts set. */
interface Box {
  node: GraphNode;
  width: number;
  height: number;
  lines: Line[];
}

/** How much a box says: everything, or its title with what matters beside it. */
type Fullness = 'full' | 'compact';

/** From a box's side to its text. */
const INSET = 16;

const FORMS = {
  full: {
    title: { size: 16, weight: 600, maxLines: 4, height: 21 },
    detail: { size: 14, weight: 400, maxLines: 5, height: 19 },
  },
  compact: {
    title: { size: 15, weight: 600, maxLines: 3, height: 19 },
    detail: { size: 14, weight: 400, maxLines: 0, height: 19 },
  },
} as const;

const SMALL = { size: 13.5, height: 18 } as const;
const GAP = 7;

/** The box of a node at a given width: as high as its texts, wrapped by the font's own metrics, need. */
function boxOf(node: GraphNode, width: number, fullness: Fullness): Box {
  const { title, detail } = FORMS[fullness];
  const room = width - 2 * INSET;
  const lines: Line[] = [];
  let y = INSET - 4;
  const add = (
    texts: readonly string[],
    { size, weight, height }: { size: number; weight: Weight; height: number },
    kind: Line['kind'],
  ) => {
    if (texts.length > 0 && lines.length > 0) y += kind === 'title' ? GAP - 4 : GAP;
    for (const text of texts) {
      y += height;
      lines.push({ text, x: INSET, y: y - (height - size * 0.73) / 2, size, weight, kind });
    }
  };
  const one = (text: string, weight: Weight) => wrap(text, { ...SMALL, weight, width: room, maxLines: 1 });
  if (fullness === 'full' || node.role !== 'step')
    add(one(node.label, 600), { ...SMALL, weight: 600 }, 'label');
  add(wrap(node.title, { ...title, width: room }), title, 'title');
  if (detail.maxLines > 0) add(wrap(node.detail, { ...detail, width: room }), detail, 'detail');
  addConfidence(node, lines, room, (stated) => add([stated], { ...SMALL, weight: 400 }, 'confidence'));
  return { node, width, height: Math.ceil(y + INSET - 4), lines };
}

/** What a meter takes before the words. */
export const METER_WIDTH = 30;

/** How many of three bars a stated confidence fills; `undefined` if it is in other words. */
export function levelOf(confidence: string): 1 | 2 | 3 | undefined {
  const words = confidence.toLowerCase();
  if (/^(?:very )?high$|^certain$|^confirmed$/u.test(words)) return 3;
  if (/^medium$|^moderate$/u.test(words)) return 2;
  return /^(?:very )?low$/u.test(words) ? 1 : undefined;
}

/** Whether the shape of a role has an inner line, which takes room. */
export function isDouble(role: Role): boolean {
  return role === 'symptom';
}

/** Beside the label if there is room, else below. */
function addConfidence(
  { confidence }: GraphNode,
  lines: Line[],
  room: number,
  addBelow: (stated: string) => void,
): void {
  if (confidence === '') return;
  const meter = levelOf(confidence) === undefined ? 0 : METER_WIDTH;
  const widthOf = (words: string) => textWidth(words, SMALL.size) + meter;
  const label = lines.find(({ kind }) => kind === 'label');
  const beside = label ? room - textWidth(label.text, SMALL.size, 600) - 2 * GAP : 0;
  for (const words of [`${confidence} confidence`, confidence])
    if (label && widthOf(words) <= beside) {
      const x = INSET + room - widthOf(words);
      lines.push({ ...label, text: words, x, weight: 400, kind: 'confidence' });
      return;
    }
  addBelow(cutToWidth(confidence, room - meter, SMALL.size));
}

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
  direction: 'RIGHT' | 'DOWN';
  boxWidth: number;
  fullness: Fullness;
  /** What is given up for less width: an even height, then straight lines too. */
  density: 'airy' | 'narrow' | 'dense';
}

/** Free space around the drawing. */
export const MARGIN = 24;

export const LABEL_SIZE = 13.5;

const ROOM = PAGE_WIDTH - 2 * MARGIN;
const MANY = 15;
const MANY_LABELS = 24;

// Left to right if that can be read at the page's width; else top to bottom, with boxes as wide as they can be.
const FEW_PLANS: readonly Plan[] = [
  { direction: 'RIGHT', boxWidth: 190, fullness: 'full', density: 'airy' },
  { direction: 'DOWN', boxWidth: 400, fullness: 'full', density: 'airy' },
  { direction: 'DOWN', boxWidth: 300, fullness: 'full', density: 'airy' },
  { direction: 'DOWN', boxWidth: 208, fullness: 'full', density: 'airy' },
  { direction: 'DOWN', boxWidth: 208, fullness: 'full', density: 'narrow' },
  { direction: 'DOWN', boxWidth: 166, fullness: 'compact', density: 'narrow' },
  { direction: 'DOWN', boxWidth: 166, fullness: 'compact', density: 'dense' },
];
const MANY_PLANS: readonly Plan[] = [
  { direction: 'DOWN', boxWidth: 208, fullness: 'compact', density: 'narrow' },
  { direction: 'DOWN', boxWidth: 166, fullness: 'compact', density: 'dense' },
];

/** Places the graph: the first plan whose drawing fits the page's width, else the narrowest. */
export async function arrange(graph: Graph): Promise<Arrangement> {
  let narrowest: Arrangement | undefined;
  for (const plan of graph.nodes.length > MANY ? MANY_PLANS : FEW_PLANS) {
    const arranged = await arrangeBy(plan, graph);
    if (arranged.width <= ROOM) return arranged;
    if (narrowest === undefined || arranged.width < narrowest.width) narrowest = arranged;
  }
  if (narrowest === undefined) throw new Error('There is no plan for the graph.');
  return narrowest;
}

async function arrangeBy(plan: Plan, { nodes, edges }: Graph): Promise<Arrangement> {
  const boxes = nodes.map((node) => boxOf(node, plan.boxWidth, plan.fullness));
  const ids = new Map(nodes.map(({ id }, index) => [id, `box ${index}`]));
  // A label takes a layer of its own: among many, only the likeliest way has them.
  const isCrowded = nodes.length > MANY || edges.length > MANY_LABELS;
  const labels = edges.map((edge) => (edge.onPath || !isCrowded ? labelOf(edge) : undefined));
  const laid: ElkNode = await new Elk.default().layout({
    id: 'root',
    layoutOptions: {
      ...OPTIONS,
      ...DENSITIES[plan.density],
      // A label is a layer of its own, with this space on either side.
      'elk.layered.spacing.nodeNodeBetweenLayers': labels.some((label) => label) ? '26' : '44',
      'elk.direction': plan.direction,
    },
    children: boxes.map(({ width, height }, index) => ({ id: `box ${index}`, width, height })),
    edges: edges.map(
      ({ from, to, onPath }, index): ElkExtendedEdge => ({
        id: `arrow ${index}`,
        sources: [ids.get(from) ?? ''],
        targets: [ids.get(to) ?? ''],
        layoutOptions: onPath ? MAIN : {},
        labels: labels[index]
          ? [{ ...labels[index], layoutOptions: { 'elk.edgeLabels.inline': 'true' } }]
          : [],
      }),
    ),
  });
  const placed = new Map((laid.children ?? []).map((box) => [box.id, corner(box)]));
  const routed = new Map((laid.edges ?? []).map((edge) => [edge.id, edge]));
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    boxes: boxes.map((box, index) => ({ ...box, ...(placed.get(`box ${index}`) ?? corner({})) })),
    arrows: edges.map((edge, index) => {
      const arrow = routed.get(`arrow ${index}`);
      const label = labels[index];
      return {
        edge,
        points: (arrow?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
          startPoint,
          ...bendPoints,
          endPoint,
        ]),
        label: label && arrow?.labels?.[0] ? { ...label, ...corner(arrow.labels[0]) } : undefined,
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

const OPTIONS: Readonly<Record<string, string>> = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  'elk.spacing.nodeNode': '22',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.componentComponent': '28',
  'elk.aspectRatio': '1.4',
};

const DENSITIES: Readonly<Record<Plan['density'], Readonly<Record<string, string>>>> = {
  airy: { 'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF' },
  narrow: {
    'elk.layered.layering.strategy': 'MIN_WIDTH',
    'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  },
  dense: {
    'elk.layered.layering.strategy': 'MIN_WIDTH',
    'elk.layered.nodePlacement.strategy': 'SIMPLE',
  },
};

/** Kept straight, and never against the direction where another can be. */
const MAIN = { 'elk.layered.priority.direction': '10', 'elk.layered.priority.straightness': '10' };

function corner({ x, y }: Pick<ElkNode, 'x' | 'y'>): Point {
  return { x: x ?? 0, y: y ?? 0 };
}
