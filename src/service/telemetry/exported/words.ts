import type { Exported } from '../model.ts';

/**
 * Words for what is wrong, as people name and describe metrics: what failed, was refused or given up, waits or is behind, is
 * held by others, or comes again. Which way is bad is not known without them, so there are no fewer: each stands for what a
 * kind of exporter counts (proxies, databases, queues), and none for a product.
 */
const FAILURE =
  /(?<![a-z])(?:err(?:ors?)?|\w*fail\w*|5\d\d|5xx|reject\w*|refus\w*|abort\w*|drop(?:s|ped)?|evict\w*|lost|time(?:d ?)?outs?|down|un(?:available|reachable|healthy|ack\w*)|wait\w*|pending|backlog|lag|behind|full|exceeded|overflow\w*|throttl\w*|block(?:ed|ing)|\w*(?<![bc])locks?|idle in transaction|retr(?:y|ies|ied)|redeliver\w*)(?![a-z])/iu;
/** States in which something does not work. */
const NOT_WORKING =
  /^(?:down|off(?:line)?|unavailable|unreachable|un?healthy|fail(?:ed|ing|ure)?|err(?:or|ed)?|dead|crit(?:ical)?|not_?ready|lost|broken|stopped|fatal|degraded)$/iu;

/** Labels of the scrape, and of the parts of a measurement. */
const NOT_OBJECTS: ReadonlySet<string> = new Set([
  ...['job', 'instance', 'namespace', 'pod', 'container', 'endpoint', 'service', 'prometheus', 'cluster'],
  ...['le', 'quantile', 'device', 'fstype', 'server_id', 'datid'],
]);

/** Codes of gRPC with which a server fails, by name and by number; the others are the caller’s. */
export const GRPC_FAILED = [
  'Unknown|DeadlineExceeded|ResourceExhausted|Unimplemented|Internal|Unavailable|DataLoss',
  '2|4|8|12|13|14|15',
] as const;

export function isNotWorking(state: string): boolean {
  return NOT_WORKING.test(state);
}

/** Whether an outcome, as a label has it, is a failure. */
export function isFailure(outcome: string): boolean {
  return FAILURE.test(outcome.replaceAll('_', ' ')) || isNotWorking(outcome);
}

/** Whether a series counts what is wrong, by its name and its labels, or by the words of its help. */
export function speaksOfFailure({ name, labels, help }: Exported): boolean {
  const values = Object.entries(labels).flatMap(([label, value]) => (label === 'instance' ? [] : [value]));
  return [name, ...values, help].some((text) => FAILURE.test(text.replaceAll('_', ' ')));
}

/** `queue orders`, `server s2`: what within its target a series is about; empty if it is about the target. */
export function objectOf(labels: Exported['labels'], without: readonly string[] = []): string {
  return Object.entries(labels)
    .filter(([label, value]) => value !== '' && !NOT_OBJECTS.has(label) && !without.includes(label))
    .map(([label, value]) => `${label} ${value}`)
    .join(', ');
}

/** An address, or an id of a process. */
const ADDRESS = /:\d{2,5}$|^<[\d.]+>$/u;

/** `pg_locks_count{mode="exclusivelock"}`, without what the scrape adds. */
export function written({ name, labels }: Pick<Exported, 'name' | 'labels'>): string {
  const own = Object.entries(labels).filter(
    ([label, value]) => label !== 'job' && label !== 'instance' && !ADDRESS.test(value),
  );
  return own.length === 0 ? name : `${name}{${own.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}

/** A selector that returns it again. */
export function queryOf({ name, labels }: Pick<Exported, 'name' | 'labels'>): string {
  return `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;
}

const DAY = 86_400;
/** Seconds since 1970 for a time after 2001: below, it is a duration. */
export const A_TIME = 1e9;

export function amount(
  value: number,
  { name, unit, type }: Pick<Exported, 'name' | 'unit' | 'type'>,
): string {
  // Seconds of work in a second are how many do it.
  if (type === 'counter' && unit === 's' && /(?:^|_)cpu(?:_|$)/u.test(name)) return `${rounded(value)} cores`;
  if (type === 'counter') return unit === '' ? `${large(value)}/s` : `${quantity(value, unit)}/s`;
  return quantity(value, unit);
}

function quantity(value: number, unit: string): string {
  if (unit === 'By') return bytes(value);
  if (unit === 's' && value > A_TIME)
    return `${new Date(1000 * value).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (unit === 's') return seconds(value);
  return unit === '1' || unit === '' ? large(value) : `${rounded(value)} ${unit}`;
}

export function seconds(value: number): string {
  if (Math.abs(value) >= 2 * DAY) return `${rounded(value / DAY)} days`;
  if (Math.abs(value) >= 7200) return `${rounded(value / 3600)} h`;
  if (Math.abs(value) >= 120) return `${rounded(value / 60)} min`;
  return Math.abs(value) < 1 && value !== 0 ? `${rounded(value * 1000)} ms` : `${rounded(value)} s`;
}

function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log2(Math.max(1, Math.abs(value))) / 10)),
  );
  return `${rounded(value / 1024 ** power)} ${units[power]}`;
}

function large(value: number): string {
  if (Math.abs(value) < 1e6) return rounded(value);
  return Math.abs(value) < 1e9 ? `${rounded(value / 1e6)} M` : `${rounded(value / 1e9)} G`;
}

export function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function timeOfDay(at: number): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}
