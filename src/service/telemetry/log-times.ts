import { z } from 'zod';

const ISO =
  /^[^\d]{0,12}(?<date>\d{4}[-/]\d\d[-/]\d\d)[T ](?<time>\d\d:\d\d:\d\d)(?:[.,](?<fraction>\d{1,9}))?\s?(?<zone>Z|[+-]\d\d:?\d\d)?/u;
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
    return read(`${iso.date?.replaceAll('/', '-')}T${iso.time}.${fraction}${iso.zone ?? ''}`);
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
  try {
    const found = Json.safeParse(JSON.parse(line)).data;
    const stated =
      found?.time ?? found?.timestamp ?? found?.['@timestamp'] ?? found?.ts ?? found?.t ?? found?.asctime;
    if (typeof stated === 'number') return stated > 1e11 ? stated : Math.round(stated * 1_000);
    return stated === undefined ? null : momentIn(stated, 0);
  } catch {
    return null;
  }
}

function read(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
