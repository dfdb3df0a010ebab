import { FAINT, GRID, INK, LINE, PAPER } from '../palette.ts';
import { element, number, text } from '../svg.ts';
import type { PlacedBox } from './arrange.ts';
import { isDouble, type Line, levelOf, METER_WIDTH } from './box.ts';
import type { Role } from './types.ts';

const COLOURS: Readonly<Record<Role, { fill: string; stroke: string; label: string }>> = {
  trigger: { fill: '#fbf6e4', stroke: '#8a6a00', label: '#6b5200' },
  cause: { fill: '#fdeee4', stroke: '#c75000', label: '#a34200' },
  step: { fill: PAPER, stroke: LINE, label: FAINT },
  symptom: { fill: '#e9f2fa', stroke: '#0b62a4', label: '#0b5690' },
};

/** A node: the cause has cut corners, the symptom round ends and a double line, a trigger a bar; each says what it is. */
export function drawBox(box: PlacedBox, isOnPath: boolean): string {
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
