import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import type { Budget } from './budget.ts';
import { createLogSource, FAILURE_WORDS, type LogQuery, lineOf } from './logs.ts';
import { known, type LogLine, mapped, type Reading, unknown } from './model.ts';
import { type OpenSource, oncePerBudget } from './source.ts';

/** `LOG_FILES`: the service, and where it writes. The file's name may have a `*`. */
export interface LogFiles {
  service: string;
  path: string;
}

/** Of each service, from the end of its newest file backwards. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A packed file that unpacks to more is not read. */
const MOST_UNPACKED = 4 * MOST_BYTES;
const MOST_FILES = 50;
const LONGEST_LINE = 8_000;
/** So many lines are read before others have their turn. */
const LINES_A_TURN = 2_000;
const FIELD = 'service';
const LEVEL = /\b(trace|debug|info|notice|warn(?:ing)?|err(?:or)?|fatal|critical|panic|severe)\b/iu;
const FAILS = new RegExp(FAILURE_WORDS.join('|'), 'iu');

interface Lines {
  lines: LogLine[];
  /** Since when all lines are here; 0 if every file was read to its beginning. */
  since: number;
}

/**
 * Log lines from files, without a log store: also those that were rotated away (`app.log.1`, `app.log-20260317.gz`). Lines
 * without a time of their own go on with the one before.
 */
export function createLogFilesSource(files: readonly LogFiles[], { clock }: { clock: Clock }): OpenSource {
  const places = Map.groupBy(files, ({ service }) => service);
  const read = oncePerBudget((service, budget) =>
    linesOf(service, places.get(service) ?? [], budget, clock.now()),
  );

  async function matching(
    { service, window: { from, to }, failuresOnly, text }: LogQuery,
    budget: Budget,
  ): Promise<Reading<LogLine[]>> {
    const services = service === null ? [...places.keys()] : [service];
    const found = await Promise.all(services.map((one) => read(one, budget)));
    const reasons = found.flatMap((one) => (one.known ? [] : [one.reason]));
    const [first] = reasons;
    if (first !== undefined && reasons.length === found.length) return unknown(first);
    const lines: LogLine[] = [];
    // One file that cannot be read takes nothing from the others.
    const caveats = reasons;
    for (const [n, reading] of found.entries()) {
      if (!reading.known) continue;
      const { since } = reading.value;
      for (const line of reading.value.lines)
        if (line.at >= from && line.at < to && (!failuresOnly || tellsOfFailure(line)) && hasText(line, text))
          lines.push(line);
      if (since > from)
        caveats.push(
          `Of the log files of ${services[n]} the last ${MOST_BYTES / 1024 / 1024} MiB were read: since ${new Date(since).toISOString()}.`,
        );
    }
    return known(lines, caveats);
  }

  const source = createLogSource('Log files', {
    name: 'files',
    http: { base: files.map(({ path }) => path).join(', '), close: async () => undefined },
    clock,
    services: async () => known({ field: FIELD, services: [...places.keys()] }),
    count: async (query, budget) => mapped(await matching(query, budget), ({ length }) => length),
    read: async (query, budget) =>
      mapped(await matching(query, budget), (lines) => lines.sort((a, b) => a.at - b.at).slice(-query.limit)),
  });
  return {
    ...source,
    check: async (budget) => {
      const found = await Promise.all([...places.keys()].map((service) => read(service, budget)));
      const reasons = found.flatMap((one) => (one.known ? [] : [one.reason]));
      const [first, ...others] = reasons;
      return {
        name: source.name,
        ok: first === undefined,
        summary: first ?? `The log files of ${[...places.keys()].join(', ')} are read.`,
        details: others,
      };
    },
  };
}

function hasText({ message }: LogLine, text: string | undefined): boolean {
  return text === undefined || message.toLowerCase().includes(text.toLowerCase());
}

function tellsOfFailure({ level, message }: LogLine): boolean {
  return FAILS.test(level ?? '') || FAILS.test(message);
}

async function linesOf(
  service: string,
  places: readonly LogFiles[],
  budget: Budget,
  now: number,
): Promise<Reading<Lines>> {
  const request = budget.takeRequest();
  if (!request.granted) return unknown(request.reason);
  const lines: LogLine[] = [];
  let left = MOST_BYTES;
  let since = 0;
  let hasText = false;
  try {
    const found = (await Promise.all(places.map(({ path }) => filesAt(path)))).flat();
    if (found.length === 0)
      return unknown(
        `No file is at ${places.map(({ path }) => path).join(', ')}, where LOG_FILES has the logs of ${service}: correct the path, or mount it.`,
      );
    // The newest first: what does not fit is the oldest.
    for (const file of found.sort((a, b) => b.changedAt - a.changedAt).slice(0, MOST_FILES)) {
      if (left <= 0) {
        since = Math.max(since, file.changedAt);
        break;
      }
      const { text, isCut } = await endOf(file, left);
      left -= text.length;
      hasText ||= text !== '';
      const own = await parsed(text, { service, instance: basename(file.path), now, signal: budget.signal });
      if (isCut) since = Math.max(since, own[0]?.at ?? file.changedAt);
      for (const line of own) lines.push(line);
    }
  } catch (error) {
    return unknown(
      `The log files of ${service} cannot be read (${codeOf(error)}): let the service’s user read them.`,
    );
  }
  return hasText && lines.length === 0
    ? unknown(
        `No line in the log files of ${service} begins with a time that can be read, such as 2026-03-17 12:00:00.`,
      )
    : known({ lines, since });
}

interface File {
  path: string;
  size: number;
  changedAt: number;
}

/** The files of a pattern, and what they were renamed to when they were rotated. */
async function filesAt(path: string): Promise<File[]> {
  const folder = dirname(path);
  const pattern = basename(path)
    .split('*')
    .map((part) => part.replace(/[\\^$.+?()[\]{}|-]/gu, String.raw`\$&`))
    .join('.*');
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const wanted = new RegExp(`^${pattern}(?:[.-]\\d{1,14})?(?:\\.gz)?$`, 'u');
  const found = names
    .filter((name) => wanted.test(name))
    .map(async (name): Promise<File[]> => {
      const file = join(folder, name);
      const { size, mtimeMs } = await stat(file);
      return [{ path: file, size, changedAt: mtimeMs }];
    });
  return (await Promise.all(found)).flat();
}

/** The last bytes of a file, from the beginning of a line. */
async function endOf({ path, size }: File, most: number): Promise<{ text: string; isCut: boolean }> {
  const isPacked = path.endsWith('.gz');
  if (isPacked && size > MOST_BYTES) return { text: '', isCut: true };
  const handle = await open(path);
  try {
    const length = isPacked ? size : Math.min(size, most);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const bytes = buffer.subarray(0, bytesRead);
    const whole = isPacked ? await promisify(gunzip)(bytes, { maxOutputLength: MOST_UNPACKED }) : bytes;
    const isCut = isPacked ? whole.length > most : length < size;
    const text = whole.subarray(Math.max(0, whole.length - most)).toString('utf8');
    return { text: isCut ? text.slice(text.indexOf('\n') + 1) : text, isCut };
  } finally {
    await handle.close();
  }
}

async function parsed(
  text: string,
  { service, instance, now, signal }: { service: string; instance: string; now: number; signal: AbortSignal },
): Promise<LogLine[]> {
  const found: LogLine[] = [];
  for (const [n, line] of text.split('\n').entries()) {
    if (n % LINES_A_TURN === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    if (line.trim() === '') continue;
    const at = momentIn(line, now);
    const before = found.at(-1);
    if (at !== null) {
      const level = LEVEL.exec(line.slice(0, 200))?.[1]?.toLowerCase();
      const fields = { [FIELD]: service, instance, ...(line.startsWith('{') || !level ? {} : { level }) };
      found.push(lineOf(at, line.slice(0, LONGEST_LINE), fields, { field: FIELD, service }));
    } else if (before !== undefined && before.message.length < LONGEST_LINE) {
      before.message += `\n${line.slice(0, LONGEST_LINE)}`;
    }
  }
  return found;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

const ISO =
  /^[^\d]{0,12}(?<date>\d{4}[-/]\d\d[-/]\d\d)[T ] ?(?<time>\d{1,2}:\d\d:\d\d)(?:[.,](?<fraction>\d{1,9}))?\s?(?<zone>Z|[+-]\d\d:?\d\d)?/u;
/** Of web servers: `[17/Mar/2026:12:00:00 +0000]`. */
const COMMON =
  /\[(?<day>\d\d)\/(?<month>[A-Z][a-z]{2})\/(?<year>\d{4}):(?<time>\d\d:\d\d:\d\d) (?<zone>[+-]\d{4})\]/u;
/** Of syslog, without a year. */
const SYSLOG = /^(?:<\d{1,3}>)?(?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?<time>\d\d:\d\d:\d\d)\s/u;
const DAY_MS = 24 * 3_600_000;

const Moment = z.union([z.string(), z.number()]).optional().catch(undefined);
const Json = z.object({
  time: Moment,
  timestamp: Moment,
  '@timestamp': Moment,
  ts: Moment,
  t: Moment,
  asctime: Moment,
});

/**
 * The moment that a log line says it was written at, in milliseconds; `null` if it says none at its beginning. A time
 * without a zone is of the machine's.
 */
export function momentIn(line: string, now: number): number | null {
  if (line.startsWith('{')) return momentInJson(line);
  const iso = ISO.exec(line)?.groups;
  if (iso !== undefined) {
    const fraction = (iso.fraction ?? '0').slice(0, 3);
    return read(
      `${iso.date?.replaceAll('/', '-')}T${iso.time?.padStart(8, '0')}.${fraction}${iso.zone ?? ''}`,
    );
  }
  const common = COMMON.exec(line.slice(0, 300))?.groups;
  if (common !== undefined)
    return read(`${common.day} ${common.month} ${common.year} ${common.time} ${common.zone}`);
  const syslog = SYSLOG.exec(line)?.groups;
  if (syslog === undefined) return null;
  const inYear = (year: number) => read(`${syslog.day} ${syslog.month} ${year} ${syslog.time}`);
  const year = new Date(now).getFullYear();
  const at = inYear(year);
  // On the first of January, December's lines are of last year.
  return at !== null && at > now + DAY_MS ? inYear(year - 1) : at;
}

function momentInJson(line: string): number | null {
  const found = Json.safeParse(parseJson(line)).data;
  const stated =
    found?.time ?? found?.timestamp ?? found?.['@timestamp'] ?? found?.ts ?? found?.t ?? found?.asctime;
  if (typeof stated === 'number') return stated > 1e11 ? stated : Math.round(stated * 1_000);
  return stated === undefined ? null : momentIn(stated, 0);
}

function read(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
