import { line } from 'd3-shape';
import { textWidth } from '../font.ts';
import { FAINT, GRID, INK, LINE, PAPER, SERIES, TRIGGER } from '../palette.ts';
import { element, number, text } from '../svg.ts';
import { type Frame, TICK_SIZE } from './frame.ts';
import { timeOfDay, timeTicks } from './times.ts';
import type { Curve, Point } from './types.ts';
import { written } from './units.ts';

const TICK_WIDTH = 66;
/** A curve of more points is drawn thinner, so that it does not become a band. */
const DENSE = 300;

/** The grid with what its lines stand for, and the axis of times. */
export function drawAxes(frame: Frame): string {
  const { left, right, bottom, x, y, grid } = frame;
  const rows = grid.map(({ value, label }) => {
    const at = y(value);
    const isZero = value === 0;
    return (
      element('line', {
        x1: left,
        x2: right,
        y1: at,
        y2: at,
        stroke: isZero ? LINE : GRID,
        'stroke-width': 1,
      }) +
      text(label, { x: left - 10, y: at + TICK_SIZE * 0.36, size: TICK_SIZE, fill: FAINT, anchor: 'end' })
    );
  });
  const [from = 0, to = 1] = x.domain();
  const ticks = timeTicks(from, to, Math.max(2, Math.floor((right - left) / TICK_WIDTH)));
  const columns = ticks.map(({ at, label, below }) => {
    const place = x(at);
    const tick = { size: TICK_SIZE, fill: FAINT, anchor: 'middle' } as const;
    const centre = (words: string) => within(place, textWidth(words, TICK_SIZE), frame);
    return (
      element('line', { x1: place, x2: place, y1: bottom, y2: bottom + 6, stroke: LINE }) +
      text(label, { ...tick, x: centre(label), y: bottom + 22 }) +
      text(below, { ...tick, x: centre(below), y: bottom + 41 })
    );
  });
  const base = element('line', { x1: left, x2: right, y1: bottom, y2: bottom, stroke: LINE });
  return [...rows, base, ...columns].map((part) => `\n${part}`).join('');
}

/** A curve with its gaps; a point between two gaps is a dot. `hasGround`: a soft colour down to 0. */
export function drawCurve({ parts }: Curve, index: number, hasGround: boolean, { x, y }: Frame): string {
  const { colour, dash } = SERIES[index % SERIES.length] ?? SERIES[0];
  const path = line<Point>(
    ({ at }) => x(at),
    ({ value }) => y(value),
  ).digits(1);
  const ground = y(Math.min(Math.max(0, y.domain()[0] ?? 0), y.domain()[1] ?? 0));
  return parts
    .map((part) => {
      const [first, last] = [part[0], part.at(-1)];
      if (!first || !last) return '';
      if (part.length === 1) return dot(x(first.at), y(first.value), 3.5, colour);
      const d = path(part) ?? '';
      const area = hasGround
        ? element('path', {
            d: `${d}L${number(x(last.at))},${number(ground)}L${number(x(first.at))},${number(ground)}Z`,
            fill: colour,
            'fill-opacity': 0.08,
          })
        : '';
      return (
        area +
        element('path', {
          d,
          fill: 'none',
          stroke: colour,
          'stroke-width': parts.flat().length > DENSE ? 1.5 : 2.5,
          'stroke-linejoin': 'round',
          'stroke-dasharray': dash,
        })
      );
    })
    .join('');
}

/** The highest point of a curve that is alone, with its value; nothing if it never moves. */
export function drawPeak({ parts }: Curve, frame: Frame): string {
  const points = parts.flat();
  const [first] = points;
  if (!first) return '';
  const peak = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  if (points.length > 1 && frame.values.least === frame.values.most) return '';
  const label = written(peak.value, frame.measure);
  const at = { x: frame.x(peak.at), y: frame.y(peak.value) };
  const centre = Math.max(
    frame.left + 4 + textWidth(label, 15, 600) / 2,
    within(at.x, textWidth(label, 15, 600), frame),
  );
  const halo = element(
    'g',
    { stroke: PAPER, 'stroke-width': 5, 'stroke-linejoin': 'round' },
    text(label, { x: centre, y: at.y - 11, size: 15, weight: 600, fill: PAPER, anchor: 'middle' }),
  );
  return (
    halo +
    dot(at.x, at.y, 4.5, SERIES[0].colour) +
    text(label, { x: centre, y: at.y - 11, size: 15, weight: 600, fill: INK, anchor: 'middle' })
  );
}

/** When the alert was triggered: a dashed line with a flag above the frame; nothing if it is not in the frame. */
export function drawTrigger(triggeredAt: number | undefined, frame: Frame): string {
  if (!showsTrigger(triggeredAt, frame)) return '';
  const place = frame.x(triggeredAt);
  const label = `Triggered ${timeOfDay(triggeredAt)}`;
  const width = textWidth(label, TICK_SIZE, 600) + 16;
  const centre = within(place, width, frame);
  const top = frame.top - 50;
  return (
    element('line', {
      x1: place,
      x2: place,
      y1: top + 24,
      y2: frame.bottom,
      stroke: TRIGGER,
      'stroke-width': 1.75,
      'stroke-dasharray': '5 4',
    }) +
    element('rect', { x: centre - width / 2, y: top, width, height: 24, rx: 4, fill: TRIGGER }) +
    text(label, { x: centre, y: top + 17, size: TICK_SIZE, weight: 600, fill: PAPER, anchor: 'middle' })
  );
}

/** Whether the time lies in the frame. */
export function showsTrigger(triggeredAt: number | undefined, { x }: Frame): triggeredAt is number {
  const [from = 0, to = 0] = x.domain();
  return triggeredAt !== undefined && triggeredAt >= from && triggeredAt <= to;
}

function dot(cx: number, cy: number, r: number, fill: string): string {
  return element('circle', { cx, cy, r, fill, stroke: PAPER, 'stroke-width': 1 });
}

/** The middle of something so wide, as near to its place as the frame (and a little of the margin) lets it. */
function within(place: number, width: number, { left, right }: Frame): number {
  return Math.max(Math.min(left - 20, 30) + width / 2, Math.min(right + 16 - width / 2, place));
}
