import { FAINT, INK, LINE, PAPER } from '../palette.ts';
import { element, number, text } from '../svg.ts';
import { LABEL_SIZE, type PlacedArrow } from './arrange.ts';
import type { Point } from './layout.ts';

const CORNER = 9;
const UNSURE = 0.5;

/** The line of an arrow with its head: thick on the likeliest way, dashed where it is more unsure than sure. */
export function drawArrow({ edge, points }: PlacedArrow): string {
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
export function drawArrowLabel({ edge, label }: PlacedArrow): string {
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
