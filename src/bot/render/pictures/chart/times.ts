import { scaleUtc } from 'd3-scale';

/** A mark on the time axis: what is written, and below it the date where a new one begins. */
export interface TimeTick {
  at: number;
  label: string;
  below: string;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** At most `count` marks at round UTC times between the two, in milliseconds; times of day, or dates over long spans. */
export function timeTicks(from: number, to: number, count: number): TimeTick[] {
  const ticks = roundTimes(from, to, count);
  const step = Math.min(...ticks.slice(1).map((at, index) => at - (ticks[index] ?? at)), to - from);
  let last = '';
  return ticks.map((at) => {
    const [label, whole] = labelsOf(at, step);
    const below = whole === last ? '' : whole;
    last = whole;
    return { at, label, below };
  });
}

/** d3 takes a count for a hint, and may give twice as many. */
function roundTimes(from: number, to: number, count: number): number[] {
  const scale = scaleUtc().domain([from, to]);
  for (let hint = count; hint > 1; hint--) {
    const ticks = scale.ticks(hint);
    if (ticks.length <= count) return ticks.map((date) => date.getTime());
  }
  return [from];
}

/** `14:20`, with seconds where the minute is not enough. */
export function timeOfDay(at: number, withSeconds = false): string {
  return new Date(at).toISOString().slice(11, withSeconds ? 19 : 16);
}

/** `2 Jun 2026`. */
export function dateOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `14:05–14:40 UTC on 2 Jun 2026`, or with both dates. */
export function spanOf(from: number, to: number): string {
  const time = (at: number) => timeOfDay(at, to - from < 3 * MINUTE);
  if (dateOf(from) !== dateOf(to))
    return `${dateOf(from)} ${timeOfDay(from)} to ${dateOf(to)} ${timeOfDay(to)} UTC`;
  return from === to
    ? `${time(from)} UTC on ${dateOf(from)}`
    : `${time(from)}–${time(to)} UTC on ${dateOf(from)}`;
}

function labelsOf(at: number, step: number): [label: string, below: string] {
  const date = new Date(at);
  const year = String(date.getUTCFullYear());
  const month = MONTHS[date.getUTCMonth()] ?? '';
  if (step >= 360 * DAY) return [year, ''];
  if (step >= 27 * DAY) return [month, year];
  if (step >= DAY) return [`${date.getUTCDate()} ${month}`, year];
  if (step >= MINUTE) return [timeOfDay(at), dateOf(at)];
  return [step >= 1000 ? timeOfDay(at, true) : date.toISOString().slice(17, 23), dateOf(at)];
}
