import type { Series, Signal } from '../telemetry/model.ts';

/** A value with its unit, rounded for people: `2.4 s`, `12.5%`, `40 connections`. */
export function amount(value: number, unit: string): string {
  return amountWith(0, value, unit);
}

/** Two amounts of one thing, with as many digits as tell them apart: `0.001%` and `0.004%`, where two would call both 0%. */
export function amounts(one: number, other: number, unit: string): readonly [string, string] {
  for (let more = 0; more < MOST_DIGITS; more++) {
    const [first, second] = [amountWith(more, one, unit), amountWith(more, other, unit)];
    if (first !== second) return [first, second];
  }
  return [amount(one, unit), amount(other, unit)];
}

/** What a value is measured in. */
export type Scale = Pick<Signal, 'unit' | 'bounds'>;

export function scaleOf({ signal: { unit, bounds } }: Pick<Series, 'signal'>): Scale {
  return bounds === undefined ? { unit } : { unit, bounds };
}

/** From this ratio of its bounds on, a bucket is wide: where in it a quantile is, is a guess. */
const WIDE = 2;

/** A measured value. A quantile from a wide bucket is no more than between its bounds: `between 1 and 2.5 s`. */
export function measured(value: number, { unit, bounds = [] }: Scale): string {
  const [first, last] = [bounds[0], bounds.at(-1)];
  if (first === undefined || last === undefined || !(value > 0)) return amount(value, unit);
  if (value >= last) return `at least ${amount(last, unit)}`;
  if (value <= first) return `at most ${amount(first, unit)}`;
  const at = bounds.findIndex((bound) => value <= bound);
  const [lower = value, upper = value] = bounds.slice(at - 1, at + 1);
  if (upper / lower <= WIDE) return amount(value, unit);
  const [from, to] = withOneUnit(amount(lower, unit), amount(upper, unit));
  return `between ${from} and ${to}`;
}

/** Two amounts with their unit once, where both have the same: `12.3` and `15.5 ms`. */
export function withOneUnit(from: string, to: string): readonly [string, string] {
  const end = to.includes(' ') ? to.slice(to.indexOf(' ')) : '';
  return [end !== '' && from.endsWith(end) ? from.slice(0, -end.length) : from, to];
}

/** Two measured values of one thing: what its buckets say of them, unless that is the same. */
export function measuredBoth(one: number, other: number, scale: Scale): readonly [string, string] {
  const [first, second] = [measured(one, scale), measured(other, scale)];
  if (first === second) return amounts(one, other, scale.unit);
  const [plainFirst, plainSecond] = amounts(one, other, scale.unit);
  const isPlain = (value: number, text: string) => text === amount(value, scale.unit);
  return [isPlain(one, first) ? plainFirst : first, isPlain(other, second) ? plainSecond : second];
}

/** Whether it counts what is there: its newest sample is what there is now, where that of a rate is noise. */
export function isStock({ signal: { metricType, unit } }: Pick<Series, 'signal'>): boolean {
  return metricType === 'gauge' && (unit === 'By' || (unit.endsWith('}') && unit !== '{core}'));
}

/** What a series measures; what was measured at a caller is told as that of its calls. */
export function labelOf({ signal: { label }, edge }: Pick<Series, 'signal' | 'edge'>): string {
  if (edge === null) return label;
  return edge.side === 'caller'
    ? `${label} of calls to ${edge.callee}`
    : `${label} of calls from ${edge.caller}`;
}

/** A double has no more of them. */
const MOST_DIGITS = 16;

/** More are told in GiB, in bytes. */
const MANY_MIB = 10 * 1024 * 1_048_576;

function amountWith(more: number, value: number, unit: string): string {
  switch (unit) {
    case '1':
      return `${significant(value * 100, more)}%`;
    case 'ms':
      return Math.abs(value) >= 1000
        ? `${significant(value / 1000, more)} s`
        : `${significant(value, more)} ms`;
    case 's':
      if (Math.abs(value) < 90) return amountWith(more, value * 1000, 'ms');
      return more === 0 ? duration(value * 1000) : `${significant(value, more)} s`;
    case 'By':
      return Math.abs(value) >= MANY_MIB
        ? `${significant(value / (1_048_576 * 1024), more)} GiB`
        : `${significant(value / 1_048_576, more)} MiB`;
    default:
      return counted(value, unit, more);
  }
}

/** A metric's level in a list: `p95 latency 180 ms`, `connections in use 12`. */
export function level(label: string, value: number, { unit, ...scale }: Scale): string {
  const noun = /^\{(\w+)\}$/u.exec(unit)?.[1];
  return `${label} ${measured(value, { ...scale, unit: noun !== undefined && label.includes(noun) ? '' : unit })}`;
}

/** `14:02 UTC`. */
export function timeOfDay(at: number): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** A length of time in its largest fitting unit: `45 s`, `12 min`, `3 h`, `61 days`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (Math.abs(seconds) < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (Math.abs(minutes) <= 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinNames(items: readonly string[]): string {
  const last = items.at(-1);
  if (last === undefined) return '';
  return items.length === 1 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** With an upper-case first letter, unless it begins with a name such as `p95`. */
export function capitalize(text: string): string {
  if (/^p\d/u.test(text)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function counted(value: number, unit: string, more: number): string {
  const noun = /^\{(\w+)\}(\/s)?$/u.exec(unit);
  if (!noun) return `${significant(value, more)} ${unit}`.trim();
  const number = significant(value, more);
  const name = number === '1' && !noun[2] ? noun[1] : `${noun[1]}s`.replace(/([^aeiou])ys$/u, '$1ies');
  return `${number} ${name}${noun[2] ?? ''}`;
}

/** Two or three significant digits and `more`, with thousands separators. */
function significant(value: number, more: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return Number(value.toFixed(digits + more)).toLocaleString('en-US', { maximumFractionDigits: 20 });
}
