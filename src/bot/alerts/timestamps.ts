const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** A time of day, with am or pm and a zone. */
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?(?: ?([AaPp])\.?[Mm]\b\.?)?(?: ?\(?(Z|[A-Z]{3,4}|[+-]\d{2}:?\d{2})(?![A-Za-z\d]))?`;
const ISO = new RegExp(String.raw`\b(\d{4})[-./](\d{2})[-./](\d{2})(?:[T ]|,? at |, )${CLOCK}`, 'u');
const DAY_MONTH = new RegExp(
  String.raw`\b(\d{1,2})(?:st|nd|rd|th)?[ -]([A-Z][a-z]{2})[a-z]{0,6}\.?,?[ -](\d{4}),? (?:at |- )?${CLOCK}`,
  'u',
);
const MONTH_DAY_YEAR = new RegExp(
  String.raw`\b([A-Z][a-z]{2})[a-z]{0,6}\.? {1,2}(\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (?:at |- )?${CLOCK}`,
  'u',
);
const MONTH_DAY_TIME = /\b([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) ([A-Z]{3,4}) (\d{4})/u;
/** UTC offsets in hours of the zone abbreviations that are unambiguous on servers. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9 },
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, AEST: 10, AEDT: 11 },
};
const HOUR = 3_600_000;
/** Cached, because creating one takes longer than parsing a message. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const SLASHES = new RegExp(String.raw`\b(\d{2})\/(\d{2})\/(\d{2}|\d{4}),? (?:at )?${CLOCK}`, 'u');

/** ISO 8601 in UTC, to the second; `null` if it is not between the years 2000 and 2100. */
export function isoTimestamp(milliseconds: number): string | null {
  if (!(milliseconds >= EARLIEST && milliseconds < LATEST)) return null;
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/**
 * The first time in a text, as {@link isoTimestamp}. Without a zone it is UTC, or the local time of `zone` (an IANA
 * name) if the message names one.
 */
export function timestampIn(text: string, zone?: string): string | null {
  const stated = iso(text) ?? written(text) ?? slashes(text);
  if (stated === null) return null;
  return isoTimestamp(stated.zoned || zone === undefined ? stated.at : stated.at - offsetOf(zone, stated.at));
}

interface Found {
  at: number;
  zoned: boolean;
}

function iso(text: string): Found | null {
  const [, year, month, day, ...clock] = ISO.exec(text) ?? [];
  return year === undefined ? null : found(year, Number(month) - 1, day, clock);
}

function written(text: string): Found | null {
  const [, day, month, year, ...clock] = DAY_MONTH.exec(text) ?? [];
  if (year !== undefined) return found(year, monthOf(month), day, clock);
  const [, name, date, anno, ...time] = MONTH_DAY_YEAR.exec(text) ?? [];
  if (anno !== undefined) return found(anno, monthOf(name), date, time);
  const c = MONTH_DAY_TIME.exec(text);
  const ahead = ZONES[c?.[6] ?? ''];
  if (!c || ahead === undefined) return null;
  return { at: utc(c[7], monthOf(c[1]), c[2], c[3], c[4], c[5]) - ahead * HOUR, zoned: true };
}

/** CloudWatch's `18/11/26 06:15:00`: day first, unless only the second number can be a day. */
function slashes(text: string): Found | null {
  const [, first, second, year = '', ...clock] = SLASHES.exec(text) ?? [];
  if (first === undefined) return null;
  const american = Number(first) <= 12 && Number(second) > 12;
  const [day, month] = american ? [second, first] : [first, second];
  return found(year.length === 2 ? `20${year}` : year, Number(month) - 1, day, clock);
}

/** A date with the parts that {@link CLOCK} matched; an ambiguous zone is ignored. */
function found(year: string, month: number, day: Digits, clock: readonly Digits[]): Found {
  const [hour, minute, second = '0', half, zone] = clock;
  const turned = half === undefined ? hour : String((Number(hour) % 12) + (/p/iu.test(half) ? 12 : 0));
  const at = utc(year, month, day, turned, minute, second);
  const ahead = zone === undefined ? undefined : zone === 'Z' ? 0 : ZONES[zone];
  if (ahead !== undefined) return { at: at - ahead * HOUR, zoned: true };
  const offset = /^[+-]/u.test(zone ?? '');
  return { at: at - minutesOf(zone) * 60_000, zoned: offset };
}

type Digits = string | undefined;

function utc(year: Digits, month: number, day: Digits, hour: Digits, minute: Digits, second: Digits): number {
  if (month < 0 || month > 11 || Number(day) > 31 || Number(hour) > 23 || Number(minute) > 59)
    return Number.NaN;
  return Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
}

function monthOf(name: Digits): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase());
}

function minutesOf(offset: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/u.exec(offset ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** A zone's UTC offset in milliseconds at a local time; 0 for an unknown zone. */
function offsetOf(zone: string, local: number): number {
  try {
    const clock =
      clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    // Only valid zones get here, so the cache stays small.
    clocks.set(zone, clock);
    const name = clock.formatToParts(local).find((part) => part.type === 'timeZoneName')?.value ?? '';
    return minutesOf(name.replace('GMT', '')) * 60_000;
  } catch {
    return 0;
  }
}
