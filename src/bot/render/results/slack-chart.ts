import type { Artifact } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, label } from '../escape.ts';
import { limits } from '../limits.ts';
import { type Curve, curvesOf, type Point, readMetric, titleOf } from '../pictures/metric.ts';
import { dateOf, measureOf, type Range, timeOfDay } from '../pictures/units.ts';
import type { DataVisualizationBlock } from '../rendered.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DIGITS = 4;

/**
 * A metric artifact (contract, 2.8) as a chart that Slack draws itself, for when it cannot show a picture: the mean of
 * each of at most twenty stretches of time. Slack wants a value of each series in each; if there is none, the one
 * before stands. `null` if the artifact is no metric or has no value.
 */
export function slackChart(artifact: Artifact): DataVisualizationBlock | null {
  const metric = artifact.type === 'metric' ? readMetric(artifact) : null;
  if (metric === null) return null;
  const { curves } = curvesOf(metric);
  const stretches = stretchesOf(curves);
  const names = unique(curves.map(({ name }) => shown(name, limits.chartLabel) || 'value'));
  const title = shown(titleOf(metric), limits.chartTitle) || 'Metric';
  const measure = measureOf(metric.unit, rangeOf(curves));
  const unit = shown([measure.caption, measure.suffix].join(' '), limits.chartTitle);
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: 'line',
      axis_config: {
        categories: stretches.map((stretch) => stretch.label),
        x_label: 'UTC',
        ...(unit === '' ? {} : { y_label: unit }),
      },
      series: curves.map((curve, index) => ({
        name: names[index] ?? '',
        data: valuesOf(curve, stretches, measure.factor),
      })),
    },
  };
}

interface Stretch {
  from: number;
  /** Not in it any more. */
  to: number;
  label: string;
}

/** As many stretches of equal length as there are times, and at most twenty, each with a label of its own. */
function stretchesOf(curves: readonly Curve[]): Stretch[] {
  const times = [...new Set(curves.flatMap(pointsOf).map(({ at }) => at))].sort((a, b) => a - b);
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const number = Math.min(limits.chartPoints, times.length);
  const length = (last - first) / Math.max(1, number - 1) || 1;
  const isDays = last - first >= DAY_MS;
  const found = new Map<string, Stretch>();
  for (let index = 0; index < number; index += 1) {
    const middle = first + index * length;
    const [from, to] = [middle - length / 2, middle + length / 2];
    const name = isDays
      ? `${dateOf(middle).slice(0, -5)} ${timeOfDay(middle)}`
      : timeOfDay(middle, length < MINUTE_MS);
    const known = found.get(name);
    if (known) known.to = to;
    else found.set(name, { from, to, label: name });
  }
  return [...found.values()];
}

function valuesOf(
  curve: Curve,
  stretches: readonly Stretch[],
  factor: number,
): { label: string; value: number }[] {
  const points = pointsOf(curve);
  let before = points[0]?.value ?? 0;
  return stretches.map(({ from, to, label: name }) => {
    const within = points.filter(({ at }) => at >= from && at < to);
    before = within.length === 0 ? before : mean(within);
    return { label: name, value: Number((before * factor).toPrecision(DIGITS)) };
  });
}

function rangeOf(curves: readonly Curve[]): Range {
  const values = curves.flatMap(pointsOf).map(({ value }) => value);
  return {
    least: values.reduce((least, value) => Math.min(least, value)),
    most: values.reduce((most, value) => Math.max(most, value)),
  };
}

function pointsOf({ parts }: Curve): Point[] {
  return parts.flat();
}

function mean(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value / points.length, 0);
}

/** Slack reads nothing in these texts. */
function shown(text: string, max: number): string {
  return label(cutAtWord(oneLine(clean(text)), max)).trim();
}

/** Two series of one name get a number each. */
function unique(names: readonly string[]): string[] {
  return names.map((name, index) => {
    if (names.indexOf(name) === index && names.lastIndexOf(name) === index) return name;
    const number = ` (${index + 1})`;
    return `${name.slice(0, limits.chartLabel - number.length)}${number}`;
  });
}
