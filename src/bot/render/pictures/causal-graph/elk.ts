import Elk from 'elkjs/lib/elk.bundled.js';
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Placement, Point, Sketch } from './layout.ts';

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

const DENSITIES: Readonly<Record<Sketch['density'], Readonly<Record<string, string>>>> = {
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

/** Places a sketch in layers. Loading the engine takes half a second of processor time, and a layout up to one. */
export async function layeredLayout(sketch: Sketch): Promise<Placement> {
  const { boxes, arrows } = sketch;
  const root: ElkNode = {
    id: 'root',
    layoutOptions: {
      ...OPTIONS,
      ...DENSITIES[sketch.density],
      // A label is a layer of its own, with this space on either side.
      'elk.layered.spacing.nodeNodeBetweenLayers': arrows.some(({ label }) => label) ? '26' : '44',
      'elk.direction': sketch.direction === 'right' ? 'RIGHT' : 'DOWN',
    },
    children: boxes.map(({ width, height }, index) => ({ id: `box ${index}`, width, height })),
    edges: arrows.map(edgeOf),
  };
  const laid: ElkNode = await new Elk.default().layout(root);
  const placed = new Map((laid.children ?? []).map((box) => [box.id, corner(box)]));
  const routed = new Map((laid.edges ?? []).map((edge) => [edge.id, edge]));
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    boxes: boxes.map((_, index) => placed.get(`box ${index}`) ?? { x: 0, y: 0 }),
    arrows: arrows.map((_, index) => {
      const edge = routed.get(`arrow ${index}`);
      const label = edge?.labels?.[0];
      return { points: pointsOf(edge), ...(label ? { label: corner(label) } : {}) };
    }),
  };
}

function edgeOf({ from, to, label, isMain }: Sketch['arrows'][number], index: number): ElkExtendedEdge {
  return {
    id: `arrow ${index}`,
    sources: [`box ${from}`],
    targets: [`box ${to}`],
    layoutOptions: isMain
      ? { 'elk.layered.priority.direction': '10', 'elk.layered.priority.straightness': '10' }
      : {},
    labels: label ? [{ text: '%', ...label, layoutOptions: { 'elk.edgeLabels.inline': 'true' } }] : [],
  };
}

function pointsOf(edge: ElkExtendedEdge | undefined): Point[] {
  return (edge?.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) => [
    startPoint,
    ...(bendPoints ?? []),
    endPoint,
  ]);
}

function corner({ x, y }: Pick<ElkNode, 'x' | 'y'>): Point {
  return { x: x ?? 0, y: y ?? 0 };
}
