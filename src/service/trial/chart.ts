import { amount } from '../investigation/format.ts';
import { esc, linked } from './html.ts';
import type { Chart } from './row.ts';

const WIDTH = 420;
const HEIGHT = 110;
const LEFT = 4;
const TOP = 16;
const BOTTOM = 18;

/** A series as a line, with the moment of the alert. */
export function chartOf(
  { title, unit, points }: Chart,
  { at, link }: { at: number; link: string | null },
): string {
  const times = points.map(([time]) => time);
  const values = points.map(([, value]) => value);
  const [first, last] = [Math.min(...times), Math.max(...times, at)];
  const [low, high] = [Math.min(0, ...values), Math.max(...values)];
  const x = (time: number) => LEFT + ((time - first) / Math.max(1, last - first)) * (WIDTH - 2 * LEFT);
  const y = (value: number) =>
    HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const path = points
    .map(([time, value], i) => `${i === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  const alert = x(at).toFixed(1);
  const [name = ''] = title.split('. ');
  const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
  return `<figure><figcaption>${esc(name)} ${link === null ? '' : linked(link, 'open')}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${esc(title)}"><line class="alert" x1="${alert}" x2="${alert}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><path d="${path}"/><text x="${LEFT}" y="11">${esc(amount(high, unit))}</text><text x="${LEFT}" y="${HEIGHT - 4}">${clock(first)}</text><text class="end" x="${WIDTH - LEFT}" y="${HEIGHT - 4}">${clock(last)}</text></svg></figure>`;
}
