import { timeOfDay } from '../investigation/format.ts';
import type { Change, Window } from '../telemetry/model.ts';
import { isMistyped } from './catalog/terms.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LONGEST = 7 * DAY;

/** `14:02 UTC`, with the date unless it is today. */
export function momentOf(at: number, now: number): string {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return dayOf(at) === dayOf(now) ? timeOfDay(at) : `${timeOfDay(at)} on ${dayOf(at)}`;
}

const WORDS = ['yesterday', 'today', 'tonight', 'tomorrow', 'morning', 'midnight', 'night'];
/** What is no slip of these, but short for them. */
const SHORT: Readonly<Record<string, string>> = {
  yday: 'yesterday',
  nite: 'night',
  tonite: 'tonight',
  midnite: 'midnight',
  tmrw: 'tomorrow',
  rn: 'now',
  atm: 'now',
};

/** A question with its times spelled out: `yday`, `mornin`. */
export function timesSpelled(text: string): string {
  return text.replaceAll(/(?<![\w./-])[a-z]{2,10}(?![\w./-])/giu, (word) => {
    const lower = word.toLowerCase();
    return SHORT[lower] ?? (lower.length < 5 ? word : (WORDS.find((one) => isMistyped(lower, one)) ?? word));
  });
}

const UNITS: readonly [RegExp, number][] = [
  [/^m/iu, MINUTE],
  [/^h/iu, HOUR],
  [/^d/iu, DAY],
  [/^w/iu, 7 * DAY],
];
const UNIT = `(?:m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?|d(?:ays?)?|w(?:eeks?)?)`;
const AGO = new RegExp(String.raw`\b(\d+|an?|one|half an) ?(${UNIT})(?: ago| back| earlier)\b`, 'iu');
const DEPLOYED = String.raw`(?:deploy\w*|release|rollout|rollback|change|upgrade|update)`;
/** The change of which a time is said: `before the deploy`, `since identity 5.3.0`, `before/after`. */
export const CHANGED = new RegExp(
  String.raw`\b(?:before|since|after|against|vs\.?|versus) (?:and after )?(?:(?:the|that|its|this|last) )*(?:[\w-]+ )?(?:${DEPLOYED}|v?\d+\.\d+(?:\.\d+)?)(?![\w.])|\bbefore ?\/ ?after\b`,
  'iu',
);
const HOUR_BEFORE = /\b(?:the|an?|one) hour before\b/iu;
const BEGAN = /\bbefore (?:it|this|that|things|the (?!deploy|release|roll|change)\w+)\b/iu;
const BEFORE_IT =
  /\bbefore (?:it|this|that|things|the \w+) (?:started|began|broke|went)|\bbefore and (?:now|after)\b/iu;
const ANOTHER_DAY = `(?:yesterday|last (?:week|night)|this morning|(?:a|one) week ago)`;
const AND_THEN = new RegExp(
  String.raw`\bsame time\b|\bthis morning\b|\b(?:than|as|like|vs\.?|versus|and|n|or|,|now)(?: the)?(?: same)?(?: time)? ${ANOTHER_DAY}\b|\b${ANOTHER_DAY} (?:and|vs\.?|versus|n|or) (?:now|today)\b`,
  'iu',
);
/** Asks whether it is as it always is. */
export const AS_ALWAYS =
  /\b(?:(?<!back to )normal|usual|always (?:so|like|that)|slower|faster|higher|lower|worse)\b(?! again)|\bslow\b(?! \p{L}+(?:s|ies)\b)|\b(?:is|was) (?:that|this|it) (?:new|bad|a (?:problem|lot)|too \w+)\b|\b(?:do(?:es)?|should) (?:that|this|it|i|we) (?:matter|worry|care)\b/iu;

/** How often something is said to come: `every hour`, `hourly`, `each night`; `null` if that is not said. */
export function periodIn(question: string): number | null {
  if (/\b(?:every|each) (?:full )?(?:hour|hr)\b|\bhourly\b|\bon the hour\b/iu.test(question)) return HOUR;
  return /\b(?:every|each) (?:day|night|morning|evening)\b/iu.test(question) ? DAY : null;
}

/** Asks for a comparison with the past, and is about now. */
export const COMPARES = new RegExp(
  [/\bcompar/u, AGO, HOUR_BEFORE, CHANGED, BEFORE_IT, AND_THEN].map(({ source }) => source).join('|'),
  'iu',
);

/** Another time, which what is asked for is compared with or looked at in. */
export const PAST = new RegExp(
  String.raw`\b(?:(?:last|past|previous) (?:\d+ ?)?(?:${UNIT}|night|evening|few \w+)|(?:\d+|an?|one|half an) ?${UNIT}(?: ago| back| earlier)|\d+ ?${UNIT}|(?:before|after|since)(?: and (?:before|after|since))? (?:it|this|that|the \w+)(?: (?:started|began|broke))?|before ?\/ ?after|same time|this morning|week ago)\b`,
  'giu',
);

/** What a second time is told by. */
interface Around {
  now: number;
  /** Whose changes are meant. */
  services: readonly string[];
  /** When the trouble began. */
  began: number | null;
  changes(window: Window): Promise<readonly Pick<Change, 'service' | 'title' | 'version' | 'at'>[]>;
}

/** The second time of which the question asks: when it says, before the trouble, before a change; else the day before. */
export async function pastIn(
  words: string,
  { now, services, began, changes }: Around,
): Promise<Window | null> {
  if (!COMPARES.test(words) && !AS_ALWAYS.test(words)) return null;
  const [, count, unit = ''] = AGO.exec(words) ?? [];
  if (count !== undefined) {
    const at = now - lengthOf(count, unit);
    return { from: at - 15 * MINUTE, to: at + 15 * MINUTE };
  }
  const part = /\bthis morning\b/iu.test(words)
    ? morningBefore(now)
    : /\blast night\b/iu.test(words)
      ? nightBefore(now)
      : null;
  if (part !== null) return part;
  if (CHANGED.test(words)) {
    const all = await changes({ from: now - DAY, to: now });
    const named = all.filter(({ title, version }) =>
      [version, ...(/\d+\.\d+(?:\.\d+)?/u.exec(title) ?? [])].some((one) => one && words.includes(one)),
    );
    const last = (named.length > 0 ? named : all).findLast(
      ({ service }) => named.length > 0 || services.length === 0 || services.includes(service ?? ''),
    );
    if (last !== undefined) return { from: last.at - HOUR, to: last.at };
  }
  const isOfTrouble =
    HOUR_BEFORE.test(words) || BEGAN.test(words) || BEFORE_IT.test(words) || CHANGED.test(words);
  const at = began ?? (HOUR_BEFORE.test(words) ? now - HOUR : null);
  if (isOfTrouble && at !== null) return { from: at - HOUR, to: at - 10 * MINUTE };
  // What is usual is what it was at any hour of the day before, without the trouble.
  if (!COMPARES.test(words)) return { from: now - DAY - HOUR, to: (began ?? now - 2 * HOUR) - 10 * MINUTE };
  const days = /\blast week|week ago\b/iu.test(words) ? 7 : 1;
  return { from: now - HOUR - days * DAY, to: now + 1 - days * DAY };
}

function lengthOf(count: string, unit: string): number {
  const times = /^half/iu.test(count) ? 0.5 : Number(count) || 1;
  return times * (UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? HOUR);
}

function midnightBefore(now: number): number {
  return Math.floor(now / DAY) * DAY;
}

/** Of one that has only begun, what there is of it. */
function morningBefore(now: number): Window {
  const six = midnightBefore(now) + 6 * HOUR;
  const from = now - HOUR > six ? six : midnightBefore(now) - DAY + 6 * HOUR;
  return { from, to: Math.min(now - HOUR, from + 6 * HOUR) };
}

/** From the evening to the morning; while that is not over, the last one that is. */
function nightBefore(now: number): Window {
  const evening = midnightBefore(now) - 3 * HOUR;
  const from = now < evening + 9 * HOUR ? evening - DAY : evening;
  return { from, to: from + 9 * HOUR };
}

/**
 * `now`, `last 30 minutes`, `between 13:40 and 14:05`, `before 14:05`, `since 13:40`, `at 14:00`; `null` if it names no
 * time.
 */
export function timeIn(question: string, now: number): { window: Window; at: number } | null {
  const isCompared = COMPARES.test(question);
  // Yesterday's times all end at midnight.
  const isOfYesterday = /\byesterday\b/iu.test(question) && !isCompared;
  const latest = isOfYesterday ? midnightBefore(now) : now;
  const span = /\b(?:between|from)\s+(\d{1,2}):(\d\d)\s+(?:and|to|until)\s+(\d{1,2}):(\d\d)\b/iu.exec(
    question,
  );
  if (span) {
    const to = timeToday(Number(span[3]), Number(span[4]), latest);
    const from = timeToday(Number(span[1]), Number(span[2]), to);
    return { window: { from, to }, at: to };
  }
  const clock = /\b(before|until|since|after|at|around)\s+(\d{1,2}):(\d\d)\b/iu.exec(question);
  if (clock) {
    const at = timeToday(Number(clock[2]), Number(clock[3]), latest);
    const word = clock[1]?.toLowerCase() ?? '';
    if (['since', 'after'].includes(word)) return { window: { from: at, to: now }, at: now };
    if (['before', 'until'].includes(word)) return { window: { from: at - HOUR, to: at }, at };
    return { window: { from: at - HOUR, to: Math.min(now, at + HOUR / 2) }, at };
  }
  if (latest < now) return { window: { from: latest - DAY, to: latest }, at: latest };
  const since = (from: number) => ({ window: { from: Math.min(from, now - HOUR), to: now }, at: now });
  if (/\b(?:today|since midnight)\b/iu.test(question))
    return { window: { from: midnightBefore(now), to: now }, at: now };
  if (/\btonight\b/iu.test(question) && !isCompared)
    return since(nightBefore(now).from + DAY * Number(now % DAY < 6 * HOUR));
  if (/\blast night\b/iu.test(question) && !isCompared) {
    const window = nightBefore(now);
    return { window, at: window.to };
  }
  if (/\b(?:now|currently|at the moment)\b/iu.test(question)) return since(now - HOUR);
  const length = new RegExp(
    String.raw`\b(?:(?:last|past|previous)\s+(\d+)?|(?:since|for|over(?: the)?|within)\s+(\d+))\s*(${UNIT})\b`,
    'iu',
  ).exec(question);
  if (!length) return null;
  const spoken = lengthOf(length[1] ?? length[2] ?? '1', length[3] ?? '');
  return { window: { from: now - Math.min(LONGEST, Math.max(5 * MINUTE, spoken)), to: now }, at: now };
}

/** The last occurrence of that time of day (UTC) before now. */
function timeToday(hours: number, minutes: number, now: number): number {
  const at = midnightBefore(now) + (hours * 60 + minutes) * MINUTE;
  return at > now ? at - DAY : at;
}
