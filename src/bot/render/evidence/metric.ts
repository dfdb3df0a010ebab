import type { KnownBlock } from '@slack/types';
import { cutEscaped } from '../cut.ts';
import { date } from '../dates.ts';
import { bold } from '../escape.ts';
import { inSections } from '../in-sections.ts';
import { body } from '../links.ts';
import { readMetric } from '../pictures/chart/read.ts';
import type { Point, Series } from '../pictures/chart/types.ts';
import { type Measure, measureOf, written } from '../pictures/chart/units.ts';
import { context } from '../rendered.ts';
import { passage, phrase, tags } from '../results/phrases.ts';
import { count } from '../words.ts';

const MOST = 8;
const MAX_LINE = 900;

interface Numbers {
  name: string;
  points: number;
  lowest: Point;
  highest: Point;
  last: Point;
}

/** A metric in words: each series with its lowest, highest and last value; `null` if there is no value. */
export function metricBlocks(data: Record<string, unknown>): KnownBlock[] | null {
  const metric = readMetric({ type: 'metric', data });
  if (metric === null) return null;
  const keys = differing(metric.series);
  const all = metric.series
    .map((series) => numbersOf(series, keys))
    .filter((numbers) => numbers !== null)
    .toSorted((a, b) => spread(b) - spread(a));
  const measure = measureOf(metric.unit, {
    least: Math.min(...all.map(({ lowest }) => lowest.value)),
    most: Math.max(...all.map(({ highest }) => highest.value)),
  });
  const title = bold(phrase(metric.name, 200));
  const about = body(passage(metric.description, 1000));
  return [
    ...inSections([
      ...(title === '' ? [] : [`${title}${tags(measure.caption || metric.unit)}`]),
      ...(about === '' ? [] : [cutEscaped(about, 2000)]),
      ...all.slice(0, MOST).map((numbers) => cutEscaped(line(numbers, measure), MAX_LINE)),
      ...(all.length > MOST ? [`… ${all.length - MOST} more series that vary less`] : []),
    ]),
    context(
      count(
        all.reduce((sum, { points }) => sum + points, 0),
        'value',
      ),
    ),
  ];
}

function line({ name, lowest, highest, last }: Numbers, measure: Measure): string {
  const value = (point: Point) => `*${written(point.value, measure)}*`;
  const whose = name === '' ? '•' : `• ${bold(name)}:`;
  if (lowest.value === highest.value) return `${whose} ${value(last)} throughout, until ${date(last.at)}`;
  return `${whose} lowest ${value(lowest)} at ${date(lowest.at)} · highest ${value(highest)} at ${date(highest.at)} · last ${value(last)} at ${date(last.at)}`;
}

function numbersOf({ attributes, samples }: Series, keys: readonly string[]): Numbers | null {
  let lowest: Point | null = null;
  let highest: Point | null = null;
  let last: Point | null = null;
  let points = 0;
  for (const { at, value } of samples) {
    if (value === null) continue;
    last = { at, value };
    points += 1;
    if (lowest === null || value < lowest.value) lowest = last;
    if (highest === null || value > highest.value) highest = last;
  }
  if (lowest === null || highest === null || last === null) return null;
  const name = keys.map((key) => phrase(attributes.get(key), 80) || '–').join(' · ');
  return { name, points, lowest, highest, last };
}

/** The attributes that tell the series apart. */
function differing(series: readonly Series[]): string[] {
  const keys = new Set(series.flatMap(({ attributes }) => [...attributes.keys()]));
  return [...keys].filter((key) => new Set(series.map(({ attributes }) => attributes.get(key))).size > 1);
}

function spread({ lowest, highest }: Numbers): number {
  return highest.value - lowest.value;
}
