import { cutAtWord } from '../../../../lib/text.ts';
import { MAX_ALT } from '../picture.ts';
import type { Curves } from './curves.ts';
import type { Frame } from './frame.ts';
import { dateOf, spanOf, timeOfDay } from './times.ts';
import type { Curve, Point } from './types.ts';
import { written } from './units.ts';

/** What is shown in a chart, in at most 1,000 characters. */
export function altOf(
  title: string,
  { curves, total }: Curves,
  frame: Frame,
  triggeredAt: number | undefined,
): string {
  const what = [title, frame.measure.caption].filter((part) => part !== '').join(', in ');
  const parts = [
    `Chart of ${what}, ${spanOf(frame.times.least, frame.times.most)}.`,
    triggeredAt === undefined
      ? ''
      : `The alert was triggered at ${timeOfDay(triggeredAt)} UTC on ${dateOf(triggeredAt)}.`,
    total > curves.length ? `Showing the ${curves.length} of ${total} series that vary most.` : '',
    ...curves.map((curve) => words(curve, curves.length > 1, frame)),
  ];
  return cutAtWord(parts.filter((part) => part !== '').join(' '), MAX_ALT);
}

function words({ name, parts }: Curve, isNamed: boolean, { measure, times }: Frame): string {
  const points = parts.flat();
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  const lowest = points.reduce((best, point) => (point.value < best.value ? point : best), first);
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  const isOneDay = dateOf(times.least) === dateOf(times.most);
  const when = (at: number) => (isOneDay ? timeOfDay(at) : `${dateOf(at).slice(0, -5)} ${timeOfDay(at)}`);
  const said = (point: Point) => `${written(point.value, measure)} at ${when(point.at)}`;
  if (lowest.value === highest.value)
    return `${isNamed ? `${name}: ` : ''}${written(first.value, measure)} throughout.`;
  return `${isNamed ? `${name}: lowest` : 'Lowest'} ${said(lowest)}, highest ${said(highest)}, last ${written(last.value, measure)}.`;
}
