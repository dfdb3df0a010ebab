import type { Artifact } from '../../../contract/answers.ts';
import { phrase } from '../results/phrases.ts';
import { altOf } from './chart/alt.ts';
import { type Curves, curvesOf } from './chart/curves.ts';
import { type Frame, frameOf, isCutOff } from './chart/frame.ts';
import { drawName, placeNames, roomForNames } from './chart/names.ts';
import { drawAxes, drawCurve, drawPeak, drawTrigger, showsTrigger } from './chart/plot.ts';
import { readMetric } from './chart/read.ts';
import { dateOf, timeOfDay } from './chart/times.ts';
import type { Metric } from './chart/types.ts';
import { drawable, MISSING } from './drawable.ts';
import { FAINT } from './palette.ts';
import { PAGE_WIDTH, type Picture } from './picture.ts';
import { page, text } from './svg.ts';
import { wrap } from './wrap.ts';

const MARGIN = 24;
const HEAD = { size: 20, weight: 600, height: 26, maxLines: 2 } as const;
const NOTE = { size: 15, weight: 400, height: 20, maxLines: 2 } as const;
const PLOT = 250;
/** What the trigger's flag takes, and what is free without one. */
const FLAG = 70;
const NO_FLAG = 34;
const TIMES = 48;

/**
 * A metric artifact (contract, 2.8) as a chart over UTC times: up to eight series, gaps as gaps, the axis linear and from
 * 0 if that is sensible (else it says so). `null` if the artifact is no metric or has no value.
 *
 * @param options.triggeredAt when the alert fired, in milliseconds since the epoch; marked
 */
export function chartSvg(artifact: Artifact, options: { triggeredAt: number | undefined }): Picture | null {
  const metric = artifact.type === 'metric' ? readMetric(artifact) : null;
  if (metric === null) return null;
  const { triggeredAt } = options;
  const curves = curvesOf(metric);
  const title = drawable(metric.name, 160) || 'Metric';
  const width = PAGE_WIDTH;
  const head = wrap(title, { ...HEAD, width: width - 2 * MARGIN });
  const below = MARGIN + head.length * HEAD.height;
  const place = { width, margin: MARGIN, roomRight: roomForNames(curves.curves, MARGIN) };
  const measured = frameOf(
    curves.curves,
    { ...place, top: 0, bottom: PLOT },
    { unit: metric.unit, triggeredAt },
  );
  const notes = noteLines(subtitleOf(metric, curves, measured), width);
  const top = below + notes.length * NOTE.height + (showsTrigger(triggeredAt, measured) ? FLAG : NO_FLAG);
  const frame = frameOf(
    curves.curves,
    { ...place, top, bottom: top + PLOT },
    { unit: metric.unit, triggeredAt },
  );
  const remarks = noteLines(remarksOf(curves, frame, title, triggeredAt), width);
  const end = frame.bottom + TIMES;
  const height = Math.ceil(end + (remarks.length === 0 ? 0 : remarks.length * NOTE.height + 8) + MARGIN - 8);
  const isAlone = curves.curves.length === 1;
  const [first] = curves.curves;
  const svg = page(
    width,
    height,
    title,
    ...head.map((line, row) =>
      text(line, { ...HEAD, x: MARGIN, y: MARGIN + row * HEAD.height + HEAD.size - 2 }),
    ),
    ...draw(notes, below),
    drawAxes(frame),
    ...curves.curves.map((curve, index) => drawCurve(curve, index, isAlone && !isCutOff(frame), frame)),
    drawTrigger(triggeredAt, frame),
    isAlone && first ? drawPeak(first, frame) : '',
    ...placeNames(curves.curves, frame).map((name) => drawName(name, frame)),
    ...draw(remarks, end + 8),
  );
  return {
    svg,
    width,
    height,
    alt: altOf(phrase(metric.name, 160) || title, curves, frame, triggeredAt),
    title,
  };
}

function subtitleOf({ description }: Metric, { by }: Curves, { measure }: Frame): string {
  const said = [
    drawable(description, 160).replace(/\.$/u, ''),
    measure.caption,
    by.length === 0 ? '' : `by ${by.slice(0, 3).join(', ')}`,
    'times in UTC',
  ];
  const line = said.filter((part) => part !== '').join(' · ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}

function remarksOf(
  { curves, total }: Curves,
  frame: Frame,
  title: string,
  triggeredAt: number | undefined,
): string {
  const isOutside = triggeredAt !== undefined && !showsTrigger(triggeredAt, frame);
  const missing = [title, ...curves.map(({ label }) => label)].some((one) => one.includes(MISSING));
  const said = [
    total > curves.length ? `${curves.length} of ${total} series shown (those that vary most).` : '',
    isCutOff(frame) ? 'The axis does not start at 0.' : '',
    isOutside
      ? `Triggered on ${dateOf(triggeredAt)} at ${timeOfDay(triggeredAt)} UTC, outside this chart.`
      : '',
    missing ? `${MISSING} marks characters that cannot be drawn.` : '',
  ];
  return said.filter((part) => part !== '').join(' ');
}

function noteLines(content: string, width: number): string[] {
  return wrap(content, { ...NOTE, width: width - 2 * MARGIN });
}

function draw(lines: readonly string[], top: number): string[] {
  return lines.map((line, row) =>
    text(line, { x: MARGIN, y: top + row * NOTE.height + NOTE.size, size: NOTE.size, fill: FAINT }),
  );
}
