import type { Artifact } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, label } from '../escape.ts';
import { limits } from '../limits.ts';
import type { DataVisualizationBlock } from '../rendered.ts';
import type { ChartedChange } from './changes.ts';
import { type Curve, curvesOf, type Point, readMetric, titleOf } from './metric.ts';
import { dateOf, measureOf, type Range, timeOfDay } from './units.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DIGITS = 4;
const CHANGE = '▲';

/**
 * A metric artifact (contract, 2.8) as a chart that Slack draws: of each of at most twenty stretches of time the value
 * farthest from what is usual, so that a peak that the verdict states is seen. Slack wants a value of each series in
 * each; if there is none, the previous one is kept. `null` if the artifact is not a metric or has no value.
 *
 * @param changes marked, the first of them by its name
 */
export function slackChart(
  artifact: Artifact,
  changes: readonly ChartedChange[] = [],
): DataVisualizationBlock | null {
  const metric = artifact.type === 'metric' ? readMetric(artifact) : null;
  if (metric === null) return null;
  const curves = curvesOf(metric);
  const stretches = stretchesOf(curves, changes);
  const names = unique(curves.map(({ name }) => shown(name, limits.chartLabel) || 'value'));
  const title = shown(titleOf(metric), limits.chartTitle) || 'Metric';
  const measure = measureOf(metric.unit, rangeOf(curves));
  const unit = shown([measure.caption, measure.suffix].join(' '), limits.chartTitle);
  const marked = stretches.flatMap(({ change }) => (change === undefined ? [] : [change]));
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: 'line',
      axis_config: {
        categories: stretches.map((stretch) => stretch.label),
        x_label: shown(
          ['UTC', ...marked.slice(0, 1).map((change) => `${CHANGE} ${change}`)].join(' · '),
          limits.chartTitle,
        ),
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
  /** The first that happened in it. */
  change?: string;
}

/**
 * As many stretches of equal length as there are times, and at most twenty, each with a label of its own; those in which
 * nothing was measured are left out.
 */
function stretchesOf(curves: readonly Curve[], changes: readonly ChartedChange[]): Stretch[] {
  const times = [...new Set(curves.flatMap(({ points }) => points).map(({ at }) => at))].sort(
    (a, b) => a - b,
  );
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const number = Math.min(limits.chartPoints, times.length);
  const length = (last - first) / Math.max(1, number - 1) || 1;
  const isDays = last - first >= DAY_MS;
  const found = new Map<string, Stretch>();
  for (let index = 0; index < number; index += 1) {
    const middle = first + index * length;
    const [from, to] = [middle - length / 2, middle + length / 2];
    if (!times.some((at) => at >= from && at < to)) continue;
    const name = isDays
      ? `${dateOf(middle).slice(0, -5)} ${timeOfDay(middle)}`
      : timeOfDay(middle, length < MINUTE_MS);
    const known = found.get(name);
    const change = changes.find(({ at }) => at >= from && at < to)?.title;
    if (known) known.to = to;
    else if (change === undefined) found.set(name, { from, to, label: name });
    else found.set(name, { from, to, label: `${CHANGE} ${name}`, change });
  }
  return [...found.values()];
}

function valuesOf(
  { points }: Curve,
  stretches: readonly Stretch[],
  factor: number,
): { label: string; value: number }[] {
  const sorted = points.map(({ value }) => value).sort((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const distance = ({ value }: Point) => Math.abs(value - usual);
  let before = points[0]?.value ?? 0;
  return stretches.map(({ from, to, label: name }) => {
    const [one, ...others] = points.filter(({ at }) => at >= from && at < to);
    before = one
      ? others.reduce((far, next) => (distance(next) > distance(far) ? next : far), one).value
      : before;
    return { label: name, value: Number((before * factor).toPrecision(DIGITS)) };
  });
}

function rangeOf(curves: readonly Curve[]): Range {
  const values = curves.flatMap(({ points }) => points).map(({ value }) => value);
  return {
    least: values.reduce((least, value) => Math.min(least, value)),
    most: values.reduce((most, value) => Math.max(most, value)),
  };
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
