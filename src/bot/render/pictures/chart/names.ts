import { textWidth } from '../font.ts';
import { FAINT, INK, SERIES } from '../palette.ts';
import { element, number, text } from '../svg.ts';
import { wrap } from '../wrap.ts';
import type { Frame } from './frame.ts';
import type { Curve } from './types.ts';

/** A curve's name, set beside the end of the curve. */
export interface Name {
  index: number;
  lines: string[];
  /** Where the curve ends. */
  from: { x: number; y: number };
  /** The upper edge of the name. */
  y: number;
}

const SIZE = 14.5;
const LINE = 18;
const GAP = 6;
const SAMPLE = 24;
const LEADER = 18;
const MOST_WIDTH = 170;

/** What the names of the curves need on the right; the page's margin if there is one curve alone. */
export function roomForNames(curves: readonly Curve[], margin: number): number {
  if (curves.length < 2) return margin;
  const widest = Math.max(...curves.flatMap((curve) => linesOf(curve, curves.length)).map(widthOf));
  return margin + LEADER + SAMPLE + 8 + Math.ceil(widest);
}

/** The names beside the ends of their curves, moved apart where they would touch, within the frame's height. */
export function placeNames(curves: readonly Curve[], frame: Frame): Name[] {
  if (curves.length < 2) return [];
  const names = curves.map((curve, index): Name => {
    const last = curve.parts.at(-1)?.at(-1);
    const from = last ? { x: frame.x(last.at), y: frame.y(last.value) } : { x: frame.left, y: frame.bottom };
    const lines = linesOf(curve, curves.length);
    return { index, lines, from, y: from.y - (lines.length * LINE) / 2 };
  });
  names.sort((a, b) => a.from.y - b.from.y);
  let floor = frame.top - LINE;
  for (const name of names) {
    name.y = Math.max(name.y, floor);
    floor = name.y + heightOf(name);
  }
  let ceiling = frame.bottom + LINE;
  for (const name of names.toReversed()) {
    name.y = Math.min(name.y, ceiling - heightOf(name));
    ceiling = name.y;
  }
  return names;
}

/** A name with a piece of its curve's line, led to from where the curve ends. */
export function drawName({ index, lines, from, y }: Name, { right }: Frame): string {
  const { colour, dash } = SERIES[index % SERIES.length] ?? SERIES[0];
  const middle = y + (lines.length * LINE) / 2;
  const x = right + LEADER;
  const way = [from.x + 4, from.y, right + 4, from.y, x - 2, middle].map(number);
  return (
    element('path', {
      d: `M${way[0]} ${way[1]} L${way[2]} ${way[3]} L${way[4]} ${way[5]}`,
      fill: 'none',
      stroke: colour,
      'stroke-width': 0.75,
      'stroke-opacity': 0.6,
    }) +
    element('line', {
      x1: x,
      x2: x + SAMPLE,
      y1: middle,
      y2: middle,
      stroke: colour,
      'stroke-width': 3,
      'stroke-dasharray': dash,
    }) +
    lines
      .map((line, row) =>
        text(line, {
          x: x + SAMPLE + 8,
          y: y + row * LINE + SIZE * 0.94,
          size: SIZE,
          fill: line === '–' ? FAINT : INK,
        }),
      )
      .join('')
  );
}

function linesOf({ label }: Curve, count: number): string[] {
  return wrap(label, { size: SIZE, weight: 400, width: MOST_WIDTH, maxLines: count > 5 ? 1 : 2 });
}

function heightOf({ lines }: Name): number {
  return lines.length * LINE + GAP;
}

function widthOf(line: string): number {
  return textWidth(line, SIZE);
}
