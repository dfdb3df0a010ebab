import { phrase } from '../results/phrases.ts';

/** How the values of a chart are written. */
export interface Measure {
  /** What a value is multiplied by before it is written. */
  factor: number;
  /** Stands behind each number, with its space: ` ms`, `%`, `k`. */
  suffix: string;
  /** What is counted, e.g. `requests/s`; empty if the suffix says it. */
  caption: string;
}

export interface Range {
  least: number;
  most: number;
}

type Step = readonly [from: number, factor: number, suffix: string];

// Maps, since a unit is a word from outside: an object would know `constructor`, too.
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['µs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
]);
const TIMES: readonly Step[] = [
  [172_800, 1 / 86_400, ' d'],
  [7200, 1 / 3600, ' h'],
  [120, 1 / 60, ' min'],
  [1, 1, ' s'],
  [1e-3, 1e3, ' ms'],
  [1e-6, 1e6, ' µs'],
  [0, 1e9, ' ns'],
];
const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E'] as const;
const LONG_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^milli(?:second)?s?$|^msecs?$/iu, 'ms'],
  [/^micro(?:second)?s?$|^μs$/iu, 'us'],
  [/^nano(?:second)?s?$/iu, 'ns'],
  [/^sec(?:ond)?s?$/iu, 's'],
  [/^minutes?$|^mins$/iu, 'min'],
  [/^hours?$|^hr$/iu, 'h'],
  [/^days?$/iu, 'd'],
];
const BYTES = /^([kmgtpe]?)(i?)(?:by|b|bytes?)$/iu;
const SHORT_RATES: ReadonlyMap<string, string> = new Map([
  ['rps', 'requests'],
  ['qps', 'queries'],
  ['ops', 'operations'],
  ['bps', 'bit'],
]);
const NAMED: ReadonlyMap<string, string> = new Map([
  ['Cel', '°C'],
  ['V', 'V'],
  ['A', 'A'],
  ['W', 'W'],
  ['Hz', 'Hz'],
]);

/**
 * How a metric is written, by its unit (UCUM as OpenTelemetry uses it, or what people write) and its values: times and
 * sizes in the unit that makes the numbers short, ratios as percentages, `{request}/s` as a rate of requests.
 */
export function measureOf(unit: string, range: Range): Measure {
  const largest = Math.max(Math.abs(range.least), Math.abs(range.most));
  const { amount, per } = rateOf(unit);
  const seconds = SECONDS.get(LONG_NAMES.find(([pattern]) => pattern.test(amount))?.[1] ?? amount);
  if (seconds !== undefined && per === '') return scaled(TIMES, seconds, largest, '');
  const bytes = BYTES.exec(amount);
  if (bytes) {
    const power = PREFIXES.findIndex((prefix) => prefix === (bytes[1] ?? '').toUpperCase());
    return scaled(sizes('B'), (bytes[2] === '' ? 1000 : 1024) ** Math.max(0, power), largest, per);
  }
  if (/^(?:%|percent|pct)$/iu.test(amount)) return { factor: 1, suffix: `%${per}`, caption: '' };
  const isRatio = /^(?:1|ratio)$/iu.test(amount) && per === '';
  if (isRatio && range.least >= 0 && range.most <= 1.5) return { factor: 100, suffix: '%', caption: '' };
  const named = NAMED.get(amount);
  if (named !== undefined) return { factor: 1, suffix: ` ${named}${per}`, caption: '' };
  return counted(amount, per, largest);
}

/** A value as it is written: three digits that count, more where the number is large. */
export function written(value: number, { factor, suffix }: Measure): string {
  const shown = value * factor;
  if (shown === 0) return `0${/^[kMGT]$/u.test(suffix) ? '' : suffix}`;
  const digits = (size: number) => Math.min(12, Math.max(0, -Math.floor(Math.log10(size) + 1e-9)));
  const fraction = digits(Math.abs(shown) / 100 || 1);
  const tiny = Math.abs(shown) < 1e-9 && shown !== 0;
  if (tiny || Math.abs(shown) >= 1e6) return `${shown.toExponential(1).replace('e+', 'e')}${suffix}`;
  return `${shown.toLocaleString('en-US', {
    maximumFractionDigits: fraction,
  })}${suffix}`.replace(/^-(?=0(?:\.0*)?\D*$)/u, '');
}

function rateOf(unit: string): { amount: string; per: string } {
  const short = SHORT_RATES.get(unit.toLowerCase());
  if (short !== undefined) return { amount: short, per: '/s' };
  const rate = /^(.*?)\s*(?:\/|\bper\b)\s*(s|sec|second|min|minute|h|hour)$/iu.exec(unit);
  const per = { s: '/s', m: '/min', h: '/h' }[rate?.[2]?.charAt(0).toLowerCase() ?? ''] ?? '';
  return { amount: (rate?.[1] ?? unit).trim(), per };
}

/** The largest step that the values reach; of nothing but zeros, the step of the unit itself. */
function scaled(steps: readonly Step[], base: number, largest: number, per: string): Measure {
  const reached = largest === 0 ? base : largest * base;
  const [, factor, suffix] = steps.find(([from]) => reached >= from) ?? [0, 1, ''];
  return { factor: base * factor, suffix: `${suffix}${per}`, caption: '' };
}

function sizes(name: string): Step[] {
  return PREFIXES.map((prefix, power): Step => {
    const size = power === 0 ? 0 : 1024 ** power;
    return [size, 1 / 1024 ** power, ` ${prefix}${prefix === '' ? '' : 'i'}${name}`];
  }).reverse();
}

function counted(amount: string, per: string, largest: number): Measure {
  const noun = /^\{(.*)\}$/u.exec(amount)?.[1];
  const plain = amount === '1' || /^counts?$/iu.test(amount) ? '' : amount;
  const what = phrase(noun === undefined ? plain : plural(noun), 24);
  const thousands: Step[] = [
    [1e12, 1e-12, 'T'],
    [1e9, 1e-9, 'G'],
    [1e6, 1e-6, 'M'],
    [1e4, 1e-3, 'k'],
    [0, 1, ''],
  ];
  const [, factor, suffix] = thousands.find(([from]) => largest >= from) ?? [0, 1, ''];
  const caption =
    what === ''
      ? per === ''
        ? ''
        : `per ${{ '/s': 'second', '/min': 'minute' }[per] ?? 'hour'}`
      : what + per;
  return { factor, suffix, caption };
}

function plural(noun: string): string {
  if (/s$/u.test(noun)) return noun;
  return /[^aeiou]y$/u.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:20`, with seconds where the minute is not enough. */
export function timeOfDay(at: number, withSeconds = false): string {
  return new Date(at).toISOString().slice(11, withSeconds ? 19 : 16);
}

/** `2 Jun 2026`. */
export function dateOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
