import { createRequire } from 'node:module';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { Artifact } from '../../../contract/answers.ts';
import { cutAtWord } from '../../../lib/text.ts';
import { phrase } from '../results/phrases.ts';
import {
  type Curve,
  type Curves,
  curvesOf,
  type Metric,
  ownNameOf,
  type Point,
  readMetric,
  titleOf,
} from './metric.ts';
import { type ChartedChange, MAX_ALT, PAGE_WIDTH, type Picture } from './picture.ts';
import { CHANGE, FAINT, GRID, INK, LINE, PAPER, SERIES, TRIGGER } from './svg.ts';
import { drawable, FONT_FAMILY, MISSING, textWidth, type Weight, wrap } from './text.ts';
import {
  dateOf,
  type Measure,
  measureOf,
  type Range,
  spanOf,
  timeLabel,
  timeOfDay,
  timeTicks,
  written,
} from './units.ts';

// All its modules in one file load in a tenth of the time. Only the process that draws loads them.
const echarts: typeof import('echarts') = createRequire(import.meta.url)('echarts/dist/echarts.min');

// Without a browser the library guesses how wide a text is; the fonts are ours.
echarts.setPlatformAPI({
  measureText: (text, font = '') => ({
    width: textWidth(text, Number(/([\d.]+)px/u.exec(font)?.[1] ?? 12), font.includes('600') ? 600 : 400),
  }),
});

const MARGIN = 24;
const WIDTH = PAGE_WIDTH - 2 * MARGIN;
const HEAD = { size: 20, weight: 600, height: 26, maxLines: 2 } as const;
const NOTE = { size: 15, weight: 400, height: 20, maxLines: 2 } as const;
const NAME = { size: 14.5, weight: 400, width: 170 } as const;
const TICK_SIZE = 14;
const PLOT = 250;
/** Above the plot: what the trigger's flag takes, and what is free without one. */
const FLAG = 74;
const NO_FLAG = 34;
/** Each change's name has a row of its own above the plot. */
const CHANGE_ROW = 24;
const TIMES = 30;
const ROWS = 5;
const MINUTE = 60_000;
/** A curve of more points is drawn thinner, so that it does not become a band. */
const DENSE = 300;

type MarkPoint = NonNullable<LineSeriesOption['markPoint']>;
type MarkLine = NonNullable<LineSeriesOption['markLine']>;

/** More marks would hide the curve. */
const MAX_CHANGES = 3;

/** What is drawn, in what is written: values times `measure.factor`. */
interface Plan {
  title: string;
  curves: Curves;
  measure: Measure;
  /** Of the measured values. */
  values: Range;
  times: Range;
  /** The axis of times; it takes in a trigger that is near. */
  axis: Range;
  /** Set if it lies on the axis. */
  trigger: number | undefined;
  /** Those that lie on the axis. */
  changes: readonly ChartedChange[];
  /** Whether the axis leaves out what is between 0 and the values. */
  isCutOff: boolean;
}

/**
 * A metric artifact (contract, 2.8) as a chart over UTC times: up to eight series, gaps as gaps, the axis linear and from
 * 0 if that is sensible (else it says so). `null` if the artifact is no metric or has no value.
 *
 * @param triggeredAt when the alert fired, in milliseconds since the epoch; marked
 * @param changes marked as well
 */
export function chartPicture(
  artifact: Artifact,
  triggeredAt: number | undefined,
  changes: readonly ChartedChange[] = [],
): Picture | null {
  const metric = artifact.type === 'metric' ? readMetric(artifact) : null;
  if (metric === null) return null;
  const plan = planOf(metric, triggeredAt, changes);
  const head = wrap(plan.title, { ...HEAD, width: WIDTH });
  const notes = wrap(subtitleOf(metric, plan), { ...NOTE, width: WIDTH });
  const remarks = wrap(remarksOf(plan, triggeredAt), { ...NOTE, width: WIDTH });
  const top =
    MARGIN +
    head.length * HEAD.height +
    notes.length * NOTE.height +
    (plan.trigger === undefined ? NO_FLAG : FLAG) +
    plan.changes.length * CHANGE_ROW;
  const end = top + PLOT + TIMES;
  const height = end + (remarks.length === 0 ? 0 : remarks.length * NOTE.height + 10) + MARGIN - 8;
  const svg = drawn(height, {
    title: [
      { ...heading(HEAD, head, INK), top: MARGIN - 2 },
      { ...heading(NOTE, notes, FAINT), top: MARGIN + head.length * HEAD.height + 2 },
      { ...heading(NOTE, remarks, FAINT), top: end + 10 },
    ],
    ...plotted(plan, top),
  });
  return { svg, width: PAGE_WIDTH, height, alt: altOf(metric, plan, triggeredAt), title: plan.title };
}

function planOf(metric: Metric, triggeredAt: number | undefined, changes: readonly ChartedChange[]): Plan {
  const curves = curvesOf(metric);
  const points = curves.curves.flatMap(({ parts }) => parts.flat());
  const values = rangeOf(points.map(({ value }) => value));
  const times = rangeOf(points.map(({ at }) => at));
  const measure = measureOf(metric.unit, values);
  const span = Math.max(times.most - times.least, 10 * MINUTE);
  const isNear =
    triggeredAt !== undefined && triggeredAt > times.least - span && triggeredAt < times.most + span;
  const axis = rangeOf([times.least, times.most, ...(isNear ? [triggeredAt] : [])]);
  const marked = changes
    .filter(({ at }) => at >= axis.least && at <= axis.most)
    .slice(0, MAX_CHANGES)
    .map(({ at, title }) => ({ at, title: drawable(title, 60) || 'Change' }));
  const room = axis.least === axis.most ? 5 * MINUTE : 0;
  const moves = values.most - values.least;
  return {
    title: drawable(titleOf(metric), 160) || 'Metric',
    curves,
    measure,
    values,
    times,
    axis: { least: axis.least - room, most: axis.most + room },
    trigger: isNear ? triggeredAt : undefined,
    changes: marked,
    isCutOff: !measure.fromZero && values.least > 0 && moves > 0 && moves < values.most * 0.1,
  };
}

function plotted(plan: Plan, top: number): EChartsOption {
  const { curves, measure, values, axis, isCutOff } = plan;
  const names = curves.curves.map(({ label }) => namesOf(label, curves.curves.length));
  const isAlone = names.length === 1;
  const [low, high] = [values.least * measure.factor, values.most * measure.factor];
  const from = low < 0 || isCutOff ? low : 0;
  const isPercent = measure.suffix === '%' && high > 50 && high <= 100;
  const ticks = timeTicks(axis, isAlone ? 7 : 4);
  const step = (Math.max(high, 0) - from || 1) / ROWS / measure.factor;
  return {
    grid: {
      left: MARGIN,
      right: isAlone ? 2 * MARGIN : MARGIN + 12 + Math.ceil(Math.max(...names.flat().map(widthOfName))),
      top,
      height: PLOT,
      outerBounds: { left: MARGIN, right: 0, top: 0, bottom: 0 },
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      min: axis.least,
      max: axis.most,
      axisLine: { onZero: false, lineStyle: { color: LINE } },
      axisTick: { customValues: ticks, lineStyle: { color: LINE } },
      axisLabel: {
        ...type(TICK_SIZE, 400, FAINT),
        customValues: ticks,
        formatter: (at: number) => timeLabel(at, axis.most - axis.least),
      },
    },
    yAxis: {
      type: 'value',
      scale: isCutOff,
      splitNumber: ROWS,
      ...(isPercent ? { max: 100 } : {}),
      ...(low === 0 && high === 0 ? { max: 1 } : {}),
      axisLabel: {
        ...type(TICK_SIZE, 400, FAINT),
        formatter: (value: number) => written(value / measure.factor, measure, step),
      },
      splitLine: { lineStyle: { color: GRID } },
    },
    series: curves.curves.map((curve, index) => ({
      ...seriesOf(curve, index, plan),
      ...(isAlone
        ? { ...(isCutOff ? {} : { areaStyle: { opacity: 0.08 } }), markPoint: peak(curve, plan) }
        : {
            endLabel: {
              show: true,
              formatter: (names[index] ?? []).join('\n'),
              distance: 8,
              lineHeight: 18,
              ...type(NAME.size, NAME.weight, SERIES[index % SERIES.length]?.colour ?? INK),
            },
          }),
      ...(index === 0 ? { markLine: marks(plan, top) } : {}),
    })),
  };
}

/** A curve with its gaps; a point between two gaps is a dot. */
function seriesOf({ label, parts }: Curve, index: number, { measure }: Plan): LineSeriesOption {
  const { colour, dash } = SERIES[index % SERIES.length] ?? SERIES[0];
  const data = parts.flatMap((part, before) => {
    const points = part.map(({ at, value }) => [at, value * measure.factor]);
    const gap = before === 0 ? [] : [[part[0]?.at ?? 0, Number.NaN]];
    return [
      ...gap,
      ...(points.length === 1 ? [{ value: points[0] ?? [], symbol: 'circle', symbolSize: 8 }] : points),
    ];
  });
  return {
    type: 'line',
    name: label,
    data,
    symbol: 'none',
    showSymbol: true,
    sampling: 'lttb',
    color: colour,
    lineStyle: {
      width: data.length > DENSE ? 1.5 : 2.5,
      ...(dash === undefined ? {} : { type: dash.split(' ').map(Number) }),
    },
    labelLayout: { moveOverlap: 'shiftY' },
  };
}

/** The highest point of a curve that is alone, with its value; nothing if it never moves. */
function peak({ parts }: Curve, { measure, values, times }: Plan): MarkPoint {
  if (values.least === values.most && times.least !== times.most) return { data: [] };
  const highest = extremeOf(parts.flat(), (a, b) => a.value > b.value);
  if (highest === undefined) return { data: [] };
  return {
    symbol: 'circle',
    symbolSize: 9,
    data: [{ name: 'Highest', coord: [highest.at, highest.value * measure.factor] }],
    itemStyle: { borderColor: PAPER, borderWidth: 1 },
    label: {
      position: 'top',
      formatter: written(highest.value, measure),
      ...type(15, 600, INK),
      textBorderColor: PAPER,
      textBorderWidth: 5,
    },
  };
}

/** When the alert was triggered, and what changed: lines with a flag above the plot, each at a height of its own. */
function marks({ trigger, changes, axis }: Plan, top: number): MarkLine {
  const flags = [
    ...(trigger === undefined
      ? []
      : [{ at: trigger, words: `Triggered ${timeOfDay(trigger)}`, color: TRIGGER, dash: [5, 4] }]),
    ...changes.map(({ at, title }) => ({
      at,
      words: `${title} ${timeOfDay(at)}`,
      color: CHANGE,
      dash: [2, 3],
    })),
  ];
  return {
    symbol: 'none',
    data: flags.map(({ at, words, color, dash }, row) => {
      const place = (at - axis.least) / (axis.most - axis.least);
      return [
        {
          xAxis: at,
          y: top + PLOT,
          lineStyle: { color, width: 1.75, type: dash },
          label: {
            position: 'end',
            formatter: words,
            ...type(TICK_SIZE, 600, PAPER),
            align: place > 0.7 ? 'right' : place < 0.3 ? 'left' : 'center',
            distance: 0,
            backgroundColor: color,
            padding: [5, 8],
            borderRadius: 4,
          },
        },
        { xAxis: at, y: top - 28 - row * CHANGE_ROW },
      ];
    }),
  };
}

function drawn(height: number, option: EChartsOption): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: PAGE_WIDTH, height });
  try {
    chart.setOption({ animation: false, useUTC: true, silent: true, backgroundColor: PAPER, ...option });
    return (
      chart
        .renderToSVGString()
        // The library counts its drawings in their ids.
        .replace(/zr\d+-c/gu, 'zr-c')
        .replace(/ class="zr\d+-cls-\d+"|<style >.*?<\/style>/gsu, '')
        // Of this short form resvg reads only the family.
        .replace(/font: normal (\d+) ([\d.]+)px/gu, 'font-weight:$1;font-size:$2px;font-family:')
    );
  } finally {
    chart.dispose();
  }
}

function heading(
  { size, weight, height }: { size: number; weight: Weight; height: number },
  lines: readonly string[],
  color: string,
) {
  const textStyle = { ...type(size, weight, color), lineHeight: height };
  return { text: lines.join('\n'), left: MARGIN, padding: 0, textStyle };
}

function type(fontSize: number, fontWeight: Weight, color: string) {
  return { fontFamily: FONT_FAMILY, fontSize, fontWeight, color };
}

function namesOf(label: string, count: number): string[] {
  return wrap(label, { ...NAME, maxLines: count > 5 ? 1 : 2 });
}

function widthOfName(line: string): number {
  return textWidth(line, NAME.size);
}

function rangeOf(numbers: readonly number[]): Range {
  return {
    least: numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    most: numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY),
  };
}

function extremeOf(points: readonly Point[], isMore: (a: Point, b: Point) => boolean): Point | undefined {
  return points.reduce<Point | undefined>(
    (best, one) => (!best || isMore(one, best) ? one : best),
    undefined,
  );
}

function subtitleOf(metric: Metric, { title, curves: { by }, measure, times }: Plan): string {
  // Whichever of the two is not the title.
  const isNamed = title === (drawable(metric.name, 160) || 'Metric');
  const about = capital(drawable(metric.description, 160).replace(/\.$/u, ''));
  const parts = [
    isNamed ? about : drawable(ownNameOf(metric), 160),
    measure.caption,
    by.length === 0 ? '' : `by ${by.slice(0, 3).join(', ')}`,
    spanOf(times.least, times.most),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function remarksOf({ title, curves, trigger, isCutOff }: Plan, triggeredAt: number | undefined): string {
  const missing = [title, ...curves.curves.map(({ label }) => label)].some((one) => one.includes(MISSING));
  const parts = [
    curves.total > curves.curves.length
      ? `${curves.curves.length} of ${curves.total} series shown (those that vary most).`
      : '',
    isCutOff ? 'The axis does not start at 0.' : '',
    triggeredAt !== undefined && trigger === undefined
      ? `Triggered on ${dateOf(triggeredAt)} at ${timeOfDay(triggeredAt)} UTC, outside this chart.`
      : '',
    missing ? `${MISSING} marks characters that cannot be drawn.` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** What is shown, in at most 1,000 characters. */
function altOf(metric: Metric, plan: Plan, triggeredAt: number | undefined): string {
  const { title, curves, measure, times } = plan;
  const what = [phrase(titleOf(metric), 160) || title, measure.caption]
    .filter((part) => part !== '')
    .join(', in ');
  const parts = [
    `Chart of ${what}, ${spanOf(times.least, times.most)}.`,
    triggeredAt === undefined
      ? ''
      : `The alert was triggered at ${timeOfDay(triggeredAt)} UTC on ${dateOf(triggeredAt)}.`,
    curves.total > curves.curves.length
      ? `Showing the ${curves.curves.length} of ${curves.total} series that vary most.`
      : '',
    ...plan.changes.map(({ at, title }) => `${title} at ${timeOfDay(at)} UTC.`),
    ...curves.curves.map((curve) => words(curve, curves.curves.length > 1, plan)),
  ];
  return cutAtWord(parts.filter((part) => part !== '').join(' '), MAX_ALT);
}

function words({ name, parts }: Curve, isNamed: boolean, { measure, times }: Plan): string {
  const points = parts.flat();
  const last = points.at(-1);
  const lowest = extremeOf(points, (a, b) => a.value < b.value);
  const highest = extremeOf(points, (a, b) => a.value > b.value);
  if (!last || !lowest || !highest) return '';
  const isOneDay = dateOf(times.least) === dateOf(times.most);
  const when = (at: number) => (isOneDay ? timeOfDay(at) : `${dateOf(at).slice(0, -5)} ${timeOfDay(at)}`);
  const pointText = (point: Point) => `${written(point.value, measure)} at ${when(point.at)}`;
  if (lowest.value === highest.value)
    return `${isNamed ? `${name}: ` : ''}${written(last.value, measure)} throughout.`;
  return `${isNamed ? `${name}: lowest` : 'Lowest'} ${pointText(lowest)}, highest ${pointText(highest)}, last ${written(last.value, measure)}.`;
}
