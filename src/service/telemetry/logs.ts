import type { Clock } from '../../lib/clock.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { Budget } from './budget.ts';
import { mergeReadings, partialSource } from './combined.ts';
import { CopyFilter, copyOf } from './copy-labels.ts';
import type { SourceClient } from './http.ts';
import {
  known,
  type LogLine,
  mapped,
  type Reading,
  type Service,
  type Shown,
  unknown,
  type Window,
} from './model.ts';
import { healthBy, type OpenSource, oncePerBudget } from './source.ts';

/** If there are more lines, samples of them are read. */
const MOST_LINES = 5_000;
/** So many parts of the window are sampled equally, so that their counts are comparable. */
const PARTS = 8;

/** Words in log lines about failures. */
const FAILURES = [
  ...['error', 'warn', 'fatal', 'panic', 'exception', 'critical', 'fail', 'timeout', 'timed out', 'refused'],
  ...['denied', 'exhausted', 'unavailable', 'killed', 'expired'],
];
export const FAILURE_PATTERN = `(?i)(${FAILURES.join('|')})`;
/** A text as a regular expression, for RE2. */
export function anyCase(text: string): string {
  return `(?i)${text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}`;
}

/** The same as words, for an index of words. */
export const FAILURE_WORDS = [
  ...FAILURES,
  'errors',
  'warning',
  'exceptions',
  'failed',
  'failure',
  'timeouts',
];

/**
 * Fields that name a service: the one that Loki derives, then those that it derives it from in its order, then those of
 * ECS and of collectors.
 */
export const SERVICE_FIELDS = [
  'service_name',
  'service.name',
  'resource.service.name',
  'service',
  'app',
  'application',
  'app_name',
  'name',
  'app_kubernetes_io_name',
  'kubernetes.labels.app_kubernetes_io/name',
  'kubernetes.labels.app',
  'kubernetes.deployment.name',
  'container',
  'container_name',
  'kubernetes.container_name',
  'kubernetes.container.name',
  'k8s_container_name',
  'k8s.container.name',
  'container.name',
  'component',
  'workload',
  'job',
  'k8s_job_name',
];
export const LEVEL_FIELDS = [
  'detected_level',
  'level',
  'log.level',
  'severity',
  'severity_text',
  'SeverityText',
  'log_level',
  'loglevel',
  'lvl',
];
export const MESSAGE_FIELDS = ['message', 'msg', '_msg', 'body', 'Body', 'log', 'error'];
/** What failed, beside a message that only says that something did. */
const ERROR_FIELDS = [
  'err.message',
  'error.message',
  'exception.message',
  'err',
  'error',
  'exception',
  'exc_info',
  'stack',
];
export const INSTANCE_FIELDS = [
  'pod',
  'k8s_pod_name',
  'k8s.pod.name',
  'kubernetes.pod_name',
  'kubernetes.pod.name',
  'pod_name',
  'service_instance_id',
  'service.instance.id',
  'instance',
  'host.name',
  'host',
  'hostname',
];
export const TRACE_FIELDS = ['trace_id', 'trace.id', 'traceID', 'traceId', 'traceid'];

/** What a product has to say for itself; the rest is the same for all. */
export interface LogStore {
  name: string;
  http: Pick<SourceClient, 'base' | 'close'>;
  clock: Clock;
  services(window: Window, budget: Budget): Promise<Reading<NamedServices>>;
  /** How many lines there are; more than can be read if that is unknown. */
  count(query: LogQuery, budget: Budget): Promise<Reading<number>>;
  read(query: LogQuery & { limit: number }, budget: Budget): Promise<Reading<LogLine[]>>;
  /** The lines of a query again, as people ask for them. */
  shown?(query: LogQuery): Shown;
  /** The product and its version, if it says so. */
  version?(budget: Budget): Promise<string | null>;
}

export interface LogQuery {
  /** The field that names services. */
  field: string;
  /** `null` for all. */
  service: string | null;
  window: Window;
  /** Whether only lines about failures are wanted. */
  failuresOnly: boolean;
  /** Only lines with this text, however it is written. */
  text?: string;
}

interface NamedServices {
  /** `null` if there are no lines at all. */
  field: string | null;
  services: readonly string[];
}

/** A source of services and lines: counts first, then all lines or samples of those about failures. */
export function createLogSource(
  title: string,
  { name, http, clock, services, count, read, shown: shownBy, version }: LogStore,
): OpenSource {
  const copies = new CopyFilter();
  const named = oncePerBudget((key, budget) => {
    const [from = 0, to = 0] = key.split(' ').map(Number);
    return services({ from, to }, budget);
  });
  const namedIn = async ({ from, to }: Window, budget: Budget): Promise<Reading<NamedServices>> => {
    const reading = await named(`${from} ${to}`, budget);
    return reading.known && reading.value.field === null
      ? known(reading.value, [...reading.caveats, `${title} at ${http.base} holds no lines of this time.`])
      : reading;
  };

  const take = async (query: LogQuery & { limit: number }, budget: Budget): Promise<Reading<LogLine[]>> => {
    const reading = await read(query, budget);
    if (!reading.known) return reading;
    const { from, to } = query.window;
    const shown = shownBy?.(query);
    const lines = reading.value
      .filter(({ at }) => at >= from && at < to)
      .map((line) => (shown === undefined ? line : { ...line, shown }));
    return budget.takeSamples(lines.length)
      ? known(
          lines.filter(({ copy }) => !copies.isOther(copy, budget)),
          reading.caveats,
        )
      : unknown('More log lines than an investigation may read: some are missing.');
  };

  async function logs(
    service: string | null,
    window: Window,
    budget: Budget,
    text?: string,
  ): Promise<Reading<LogLine[]>> {
    const naming = await namedIn(window, budget);
    if (!naming.known) return naming;
    const { field, services: all } = naming.value;
    if (field === null || (service !== null && !all.includes(service))) return known([], naming.caveats);
    const query = { field, service, window, failuresOnly: false };
    if (text !== undefined) return ordered(await take({ ...query, text, limit: MOST_LINES }, budget));
    const counted = await count(query, budget);
    if (counted.known && counted.value <= MOST_LINES)
      return ordered(await take({ ...query, limit: MOST_LINES }, budget));
    const limit = MOST_LINES / PARTS;
    const parts = await Promise.all(
      partsOf(window).map((part) => take({ ...query, window: part, failuresOnly: true, limit }, budget)),
    );
    const isCut = parts.some((part) => part.known && part.value.length >= limit);
    const merged = mergeReadings(parts);
    if (!merged.known) return merged;
    const cut = `${service ?? 'The system'} writes more lines than can be read: of those that tell of failures, the newest of each eighth of the time were read.`;
    return ordered(known(merged.value, [...merged.caveats, ...(isCut ? [cut] : [])]));
  }

  return {
    ...partialSource({
      name,
      services: async (window, budget) => {
        return mapped(await namedIn(window, budget), ({ services: all }) => all.map(serviceCalled));
      },
      logs,
      logged: async (window, budget) =>
        mapped(await namedIn(window, budget), ({ services: all }) => [...all]),
      focus: (labels, _window, budget) => copies.focus(labels, budget),
      check: async (budget) => {
        const now = clock.now();
        const naming = await namedIn({ from: now - 3_600_000, to: now }, budget);
        const what = (naming.known && (await version?.(budget))) || title;
        return healthBy(name, naming, ({ field, services: all }) => ({
          summary: `${what} at ${http.base} answers: ${all.length} services write lines.`,
          details: [
            ...(naming.known ? naming.caveats : []),
            ...(field === null ? [] : [`Services are named by the field ${field}.`]),
          ],
        }));
      },
    }),
    close: http.close,
  };
}

/** The first of these fields that exists. */
export function fieldAmong(wanted: readonly string[], fields: Iterable<string>): string | undefined {
  const all = new Set(fields);
  return wanted.find((field) => all.has(field));
}

export function noServiceField(title: string, base: string): string {
  return `${title} at ${base} has no field that names a service: give its lines one, such as service_name or app.`;
}

type Fields = Readonly<Record<string, string>>;

/** The time and the level that a line of plain text begins with: no part of what it says. */
const HEAD =
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ] ?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})? ?(?:Z|[+-]\d\d:?\d\d)?\]?[\s|-]*(?:\[?(?<level>trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)\b\]?[\s|:-]*)?/iu;

/** A line from its fields; those of a message that is a JSON object count too. */
export function lineOf(
  at: number,
  text: string,
  fields: Fields,
  { field, service }: Pick<LogQuery, 'field' | 'service'>,
): LogLine {
  const inside = fieldsIn(text);
  const head = HEAD.exec(text);
  const copy = copyOf(fields);
  return {
    at,
    service: fields[field] ?? service ?? 'unknown',
    instance: first(fields, INSTANCE_FIELDS),
    level: levelIn(fields) ?? levelIn(inside) ?? head?.groups?.level?.toLowerCase() ?? null,
    message: messageIn(inside) ?? (text.slice(head?.[0].length ?? 0) || text),
    traceId: first(fields, TRACE_FIELDS) ?? first(inside, TRACE_FIELDS),
    ...(copy && { copy }),
  };
}

/** `quote failed: Cannot read properties of undefined`: the message with what failed. */
function messageIn(fields: Fields): string | null {
  const message = first(fields, MESSAGE_FIELDS);
  const error = first(fields, ERROR_FIELDS)?.trim();
  if (message === null || error === undefined) return message;
  // A stack may be on one line: `TypeError: x | at charge (file:///pay.mjs:20:7)`.
  const lines = error.split(/\n|\s+(?:\|\s+)?(?=at \S+ \()/u);
  // Python's last line says what, all others' first.
  const what = (error.startsWith('Traceback') ? lines.at(-1) : lines[0])?.trim() ?? '';
  if (what.includes(message)) return what;
  return message.includes(what) ? message : `${message}: ${what}`;
}

function serviceCalled(name: string): Service {
  const path = /^[\w-]+\/([\w.-]+)$/u.exec(name);
  return { name, kind: 'unknown', aliases: path?.[1] === undefined ? [] : [path[1]], workload: null };
}

function partsOf({ from, to }: Window): Window[] {
  const length = (to - from) / PARTS;
  return Array.from({ length: PARTS }, (_, i) => ({
    from: Math.floor(from + i * length),
    to: i === PARTS - 1 ? to : Math.floor(from + (i + 1) * length),
  }));
}

function ordered(reading: Reading<LogLine[]>): Reading<LogLine[]> {
  return mapped(reading, (lines) => lines.sort((a, b) => a.at - b.at));
}

/** Loki says `unknown` if it found no level. */
function levelIn(fields: Fields): string | null {
  const level = first(fields, LEVEL_FIELDS)?.toLowerCase() ?? null;
  return level === 'unknown' ? null : level;
}

export function first(fields: Fields, names: readonly string[]): string | null {
  return names.map((name) => fields[name] ?? '').find((value) => value !== '') ?? null;
}

/** The text fields of a line that is a JSON object. */
function fieldsIn(text: string): Fields {
  const json = text.startsWith('{') ? parseJson(text) : null;
  return isJsonObject(json) ? flattened(json) : {};
}

const MOST_DEPTH = 4;

/** The texts in an object, under their paths: `log.level`. */
export function flattened(value: Readonly<Record<string, unknown>>, prefix = '', depth = 0): Fields {
  const entries = Object.entries(value).flatMap(([key, inner]): (readonly [string, string])[] => {
    if (typeof inner === 'string') return [[`${prefix}${key}`, inner]];
    return isJsonObject(inner) && depth < MOST_DEPTH
      ? Object.entries(flattened(inner, `${prefix}${key}.`, depth + 1))
      : [];
  });
  return Object.fromEntries(entries);
}
