import type { InvestigationResults } from '../../../contract/answers.ts';
import { cutAtWord } from '../../../lib/text.ts';
import { type Graph, type GraphNode, graphOf, mostImportant, type Role } from './causal-graph.ts';
import {
  type Arrangement,
  arrange,
  isDouble,
  LABEL_SIZE,
  type Line,
  levelOf,
  MARGIN,
  METER_WIDTH,
  type PlacedArrow,
  type PlacedBox,
  type Point,
} from './graph-layout.ts';
import { MAX_ALT, PAGE_WIDTH, type Picture } from './picture.ts';
import { element, FAINT, GRID, INK, LINE, number, PAPER, page, text } from './svg.ts';
import { MISSING, wrap } from './text.ts';

const TITLE = 'Causal graph';
const HEAD = { size: 20, height: 28 } as const;
// More than these are not legible on one page; fewer, where they would make it too long.
const MOST_NODES: readonly number[] = [60, 30, 14];
const MAX_HEIGHT = 3200;
const NOTE = { size: 14, height: 20 } as const;

/**
 * The causal graph of `causalTreeV2`, else of `causalTree` (contract, 2.7): from cause to symptom, the likeliest way
 * emphasised; of more than 60 nodes the most important. `null` if there is no node.
 */
export async function graphPicture(results: InvestigationResults): Promise<Picture | null> {
  const whole = graphOf(results);
  if (whole.nodes.length === 0) return null;
  for (const max of MOST_NODES) {
    const graph = mostImportant(whole, max);
    const arranged = await arrange(graph);
    if (arranged.height <= MAX_HEIGHT || max === MOST_NODES.at(-1)) return draw(graph, arranged);
  }
  return null;
}

function draw(graph: Graph, arranged: Arrangement): Picture {
  const width = Math.ceil(Math.max(PAGE_WIDTH, arranged.width + 2 * MARGIN));
  const key = notes(keyOf(graph), width);
  const above = MARGIN + HEAD.height + key.length * NOTE.height + 16;
  const after = notes(remarks(graph), width);
  const below = after.length === 0 ? MARGIN : after.length * NOTE.height + MARGIN + 12;
  const height = Math.ceil(above + arranged.height + below);
  const left = (width - arranged.width) / 2;
  const svg = page(
    width,
    height,
    TITLE,
    text(TITLE, { x: MARGIN, y: MARGIN + HEAD.size - 2, size: HEAD.size, weight: 600 }),
    ...noteLines(key, MARGIN + HEAD.height),
    drawing(arranged, graph, { left, top: above }),
    ...noteLines(after, above + arranged.height + 12),
  );
  return { svg, width, height, alt: altOf(graph), title: TITLE };
}

function drawing(
  { boxes, arrows }: Arrangement,
  { path }: Graph,
  { left, top }: { left: number; top: number },
): string {
  const onPath = new Set(path);
  // What is emphasised is drawn last, so that nothing crosses it.
  const ordered = [...arrows].sort((a, b) => Number(a.edge.onPath) - Number(b.edge.onPath));
  return element(
    'g',
    { transform: `translate(${Math.round(left)} ${top})` },
    ...ordered.map((arrow) => `\n${drawArrow(arrow)}`),
    ...ordered.map(drawArrowLabel),
    ...boxes.map((box) => `\n${drawBox(box, onPath.has(box.node.id))}`),
    '\n',
  );
}

function keyOf({ edges, path }: Graph): string {
  if (path.length === 0) return 'No causal links were found.';
  const legends = [
    edges.some(({ onPath }) => !onPath) ? 'thick line: most likely path' : '',
    edges.some(({ confidence }) => confidence !== undefined) ? '%: confidence in a link' : '',
  ].filter((part) => part !== '');
  return ['Cause → effect', ...legends].join(' · ');
}

function remarks({ nodes, edges, leftOut, edgesLeftOut }: Graph): string {
  const missing = nodes.some(({ title, detail }) => `${title}${detail}`.includes(MISSING));
  const parts = [
    leftOut > 0 ? `${leftOut} of ${nodes.length + leftOut} nodes not shown (the least important).` : '',
    edgesLeftOut > 0
      ? `${edgesLeftOut} of ${edges.length + edgesLeftOut} links not shown (the least certain).`
      : '',
    missing ? `${MISSING} marks characters that cannot be drawn; they are in the text.` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function notes(content: string, width: number): string[] {
  return wrap(content, { size: NOTE.size, weight: 400, width: width - 2 * MARGIN, maxLines: 3 });
}

function noteLines(lines: readonly string[], top: number): string[] {
  return lines.map((line, index) =>
    text(line, { x: MARGIN, y: top + index * NOTE.height + NOTE.size, size: NOTE.size, fill: FAINT }),
  );
}

const COLOURS: Readonly<Record<Role, { fill: string; stroke: string; label: string }>> = {
  trigger: { fill: '#fbf6e4', stroke: '#8a6a00', label: '#6b5200' },
  cause: { fill: '#fdeee4', stroke: '#c75000', label: '#a34200' },
  step: { fill: PAPER, stroke: LINE, label: FAINT },
  symptom: { fill: '#e9f2fa', stroke: '#0b62a4', label: '#0b5690' },
};

/** A node: the cause has cut corners, the symptom round ends and a double line, a trigger a bar; each says what it is. */
function drawBox(box: PlacedBox, isOnPath: boolean): string {
  const { node, x, y } = box;
  const colours = COLOURS[node.role];
  const stroke = node.role === 'step' && isOnPath ? INK : colours.stroke;
  const paint = {
    fill: colours.fill,
    stroke,
    'stroke-width': node.role === 'step' && !isOnPath ? 1.25 : 2.25,
  };
  return element(
    'g',
    {},
    outline(box, paint),
    ...box.lines.flatMap((line) => drawLine(line, { x: x + line.x, y: y + line.y }, box, colours.label)),
  );
}

function outline({ node, x, y, width, height }: PlacedBox, paint: Record<string, string | number>): string {
  switch (node.role) {
    case 'cause': {
      const c = 12;
      const [right, bottom] = [x + width, y + height];
      const corners = [
        [x + c, y],
        [right - c, y],
        [right, y + c],
        [right, bottom - c],
        [right - c, bottom],
        [x + c, bottom],
        [x, bottom - c],
        [x, y + c],
      ];
      const path = corners.map((corner) => corner.map(number).join(' ')).join(' L');
      return element('path', { d: `M${path} Z`, ...paint, 'stroke-linejoin': 'round' });
    }
    case 'trigger':
      return (
        element('rect', { x, y, width, height, ...paint }) +
        element('rect', { x, y, width: 7, height, fill: String(paint.stroke) })
      );
    default: {
      const rx = isDouble(node.role) ? 22 : 9;
      const outer = element('rect', { x, y, width, height, rx, ...paint });
      if (!isDouble(node.role)) return outer;
      const inner = { x: x + 4.5, y: y + 4.5, width: width - 9, height: height - 9, rx: rx - 4.5 };
      return (
        outer + element('rect', { ...inner, fill: 'none', stroke: String(paint.stroke), 'stroke-width': 1 })
      );
    }
  }
}

function drawLine(line: Line, at: { x: number; y: number }, { node }: PlacedBox, colour: string): string[] {
  const { size, weight, kind } = line;
  if (kind !== 'confidence') {
    const fill = { label: colour, title: INK, detail: FAINT }[kind];
    return [text(line.text, { ...at, size, weight, fill })];
  }
  const level = levelOf(node.confidence);
  if (level === undefined) return [text(line.text, { ...at, size, fill: FAINT })];
  return [meter(at, level, colour), text(line.text, { x: at.x + METER_WIDTH, y: at.y, size, fill: FAINT })];
}

/** Three bars that rise, as many filled as the confidence has. */
function meter({ x, y }: { x: number; y: number }, level: number, colour: string): string {
  return [1, 2, 3]
    .map((bar) =>
      element('rect', {
        x: x + (bar - 1) * 8,
        y: y + 1 - bar * 4,
        width: 5.5,
        height: bar * 4,
        fill: bar <= level ? colour : GRID,
        stroke: bar <= level ? undefined : LINE,
        'stroke-width': bar <= level ? undefined : 0.5,
      }),
    )
    .join('');
}

const CORNER = 9;
const UNSURE = 0.5;

/** The line of an arrow with its head: thick on the likeliest way, dashed where it is more unsure than sure. */
function drawArrow({ edge, points }: PlacedArrow): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return '';
  const colour = edge.onPath ? INK : LINE;
  const head = edge.onPath ? 12 : 10;
  const foot = towards(tip, before, head - 1);
  const isUnsure = edge.confidence !== undefined && edge.confidence < UNSURE;
  return (
    element('path', {
      d: rounded([...points.slice(0, -1), foot]),
      fill: 'none',
      stroke: colour,
      'stroke-width': edge.onPath ? 3 : 1.5,
      'stroke-dasharray': edge.skipped > 0 ? '2 6' : isUnsure ? '7 5' : undefined,
    }) + arrowHead(tip, before, head, colour)
  );
}

/** How sure the arrow is, on paper so that no line runs through it. */
function drawArrowLabel({ edge, label }: PlacedArrow): string {
  if (!label) return '';
  const { x, y, width, height } = label;
  return (
    element('rect', { x, y, width, height, rx: 6, fill: PAPER }) +
    text(label.text, {
      x: x + width / 2,
      y: y + height / 2 + LABEL_SIZE * 0.36,
      size: LABEL_SIZE,
      weight: edge.onPath ? 600 : 400,
      fill: edge.onPath ? INK : FAINT,
      anchor: 'middle',
    })
  );
}

/** A path through the points, with round corners. */
function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const parts = rest.map((point, index) => {
    const before = points[index];
    const after = rest[index + 1];
    if (!before || !after) return `L${at(point)}`;
    const radius = Math.min(CORNER, distance(before, point) / 2, distance(point, after) / 2);
    return `L${at(towards(point, before, radius))} Q${at(point)} ${at(towards(point, after, radius))}`;
  });
  return `M${at(first)} ${parts.join(' ')}`;
}

function arrowHead(tip: Point, before: Point, length: number, fill: string): string {
  const foot = towards(tip, before, length);
  const half = { x: (foot.y - tip.y) * 0.48, y: (tip.x - foot.x) * 0.48 };
  const left = { x: foot.x + half.x, y: foot.y + half.y };
  const right = { x: foot.x - half.x, y: foot.y - half.y };
  return element('path', { d: `M${at(tip)} L${at(left)} L${at(right)} Z`, fill });
}

/** The point so far from the first on the way to the other. */
function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  const share = whole === 0 ? 0 : Math.min(1, length / whole);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function at({ x, y }: Point): string {
  return `${number(x)} ${number(y)}`;
}

/** What is shown, the likeliest way first, in at most 1,000 characters. */
function altOf(graph: Graph): string {
  const named = new Map(graph.nodes.map((node) => [node.id, node]));
  const path = graph.path.flatMap((id) => named.get(id) ?? []);
  const others = graph.nodes.filter(({ id }) => !graph.path.includes(id));
  const count = graph.nodes.length + graph.leftOut;
  const parts = [
    `Causal graph of ${count} ${count === 1 ? 'node' : 'nodes'}.`,
    path.length > 0 ? `Most likely path: ${path.map(words).join(' → ')}.` : '',
    others.length > 0 ? `${path.length > 0 ? 'Other nodes' : 'Nodes'}: ${others.map(words).join('; ')}.` : '',
    graph.leftOut > 0 ? `${graph.leftOut} not shown.` : '',
  ];
  return cutAtWord(parts.filter((part) => part !== '').join(' '), MAX_ALT);
}

function words({ name, label, role, confidence }: GraphNode): string {
  const marks = [role === 'step' ? '' : label.toLowerCase(), confidence && `${confidence} confidence`];
  const suffix = marks.filter((mark) => mark !== '').join(', ');
  return suffix === '' ? name : `${name} (${suffix})`;
}
