import { parse } from 'chrono-node/en';
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

const UNIT = `(?:m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?|d(?:ays?)?|w(?:eeks?)?)`;
/** What people write of times, and how the parser reads it. */
const SPELLED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:from|between) (\d{1,2})(?::00)? (?:and|to|until|till) half past\b/giu, 'from $1:00 to $1:30'],
  [/\bhalf past (\d{1,2})\b/giu, '$1:30'],
  [/(?<![\d:.])(\d{1,2})(?:ish)? ?(?:utc|z)\b/giu, '$1:00 UTC'],
  // A number is an hour by itself only at the end of what is said: `since 3`, and not `at 5 errors`.
  [/\b(since|until|till?|by|before|after|around) (\d{1,2})(?:ish)?(?=\s*(?:$|[?!,;)]))/giu, '$1 $2:00'],
  [/(?<=\b(?:was|were|did|had|happened)\b.*\bat )(\d{1,2})(?:ish)?(?=\s*(?:$|[?!,;)]))/giu, '$1:00'],
  [/\bbetween (?=\d)(\S+(?: (?:utc|[ap]m))?) and (?=\d)/giu, 'from $1 to '],
  [new RegExp(String.raw`\b(?:since|over(?: the)?|previous) (?=(?:\d+ ?)?${UNIT}\b)`, 'giu'), 'last '],
  [new RegExp(String.raw`\banother (?=\d+ ?${UNIT}\b)`, 'giu'), 'next '],
  [new RegExp(String.raw`\b(\d+ ?${UNIT}) back\b`, 'giu'), '$1 ago'],
  [/\b(\w+) nights? ago\b/giu, '$1 days ago night'],
  [/\b(?:currently|at the moment)\b/giu, 'now'],
];
/** What the parser takes for a time, and is none: `to 600`, `24/7`, `sun`, an hour before something. */
const NO_TIME =
  /^(?!\d{4}-)(?:at|from|to|until|till|[\d\s./–-])+$|^(?!now)[a-z]{3}(?:[+-]\d+)?$|(?:before|after|later)$/iu;
const PART = /\b(?:morning|afternoon|evening|night)\b/iu;
const PARTS: Readonly<Record<string, number>> = { morning: 6, afternoon: 12, evening: 18, night: 21 };
const ENDS = ['by', 'until', 'til', 'till'];
const DEPLOYED = String.raw`(?:deploy\w*|release|rollout|rollback|change|upgrade|update)`;
/** The change of which a time is said: `before the deploy`, `since identity 5.3.0`, `before/after`. */
export const CHANGED = new RegExp(
  String.raw`\b(?:before|since|after|against|vs\.?|versus) (?:and after )?(?:(?:the|that|its|this|last) )*(?:[\w-]+ )?(?:${DEPLOYED}|v?\d+\.\d+(?:\.\d+)?)(?![\w.])|\bbefore ?\/ ?after\b`,
  'iu',
);
const COMPARED =
  /\bcompar|\bsame time\b|\bhour before\b|\bbefore (?:it|this|that|things|the \w+) (?:started|began|broke|went)|\bbefore and (?:now|after)\b/iu;
/** Says of the time after it that it is compared with, and not asked about. */
const THAN =
  /\b(?:than|as|like|vs\.?|versus|against|and|n|or|compared? (?:to|with)) (?:(?:at|on|in|the|same|this|that|it was) )*(?:time )?$|\b(?:same|this) time $/iu;
const SAME_TIME = /^ (?:at )?(?:the )?(?:same|this) time\b/iu;
const WORSE = /\b(?:slower|faster|higher|lower|worse|better)\b/iu;
const WAS = /\b(?:was|were|did|had|happened)\b/iu;
/** What says when without a clock or a calendar. */
const EVENT = new RegExp(
  String.raw`\b(?:\d+ ?${UNIT}|(?:before|after|since)(?: and (?:before|after|since))? (?:it|this|that|the \w+)(?: (?:started|began|broke))?|before ?\/ ?after|same time)\b`,
  'giu',
);
export const AS_ALWAYS =
  /\b(?:(?<!back to )normal|usual|always (?:so|like|that)|slower|faster|higher|lower|worse)\b(?! again)|\bslow\b(?! \p{L}+(?:s|ies)\b)|\b(?:is|was) (?:that|this|it) (?:new|bad|a (?:problem|lot)|too \w+)\b|\b(?:do(?:es)?|should) (?:that|this|it|i|we) (?:matter|worry|care)\b/iu;

/** How often something is said to come: `every hour`, `hourly`, `each night`; `null` if that is not said. */
export function periodIn(question: string): number | null {
  if (/\b(?:every|each) (?:full )?(?:hour|hr)\b|\bhourly\b|\bon the hour\b/iu.test(question)) return HOUR;
  return /\b(?:every|each) (?:day|night|morning|evening)\b/iu.test(question) ? DAY : null;
}

function spelled(question: string): string {
  return SPELLED.reduce((said, [written, read]) => said.replaceAll(written, read), question);
}

/** The times in a question, in lower case, with what is before and after each; a moment has no length. */
function timesOf(question: string, now: number, forwardDate = false) {
  const text = spelled(question);
  return parse(text, { instant: new Date(now), timezone: 0 }, { forwardDate }).flatMap((one) => {
    const { start, end, index } = one;
    const length = Number(end?.date() ?? start.date()) - Number(start.date());
    const [before, after] = [text.slice(0, index), text.slice(index + one.text.length)];
    const said = one.text.toLowerCase();
    const isName = /[\w./-]\||\|[-./:]?\w/u.test(`${before.slice(-1)}|${after.slice(0, 2)}`);
    const isRelative = one.tags().has('result/relativeDate');
    const isDay = start.isCertain('day') || start.isCertain('weekday') || PART.test(said);
    const isKnown = isRelative || isDay || start.isCertain('hour');
    return isName || !isKnown || NO_TIME.test(said)
      ? []
      : [{ said, before, after, start, length, isRelative }];
  });
}

type Time = ReturnType<typeof timesOf>[number];

/** A question without its times: nothing that is measured is called so. */
export function withoutTimes(question: string): string {
  const without = (left: string, { before, said }: Time) => before + left.slice(before.length + said.length);
  return timesOf(question, 0).reduceRight(without, spelled(question)).replaceAll(EVENT, '');
}

/** From when until when the last time is that is called so; a moment has no length. `null` for what is to come. */
function spanOf({ said, start, isRelative, ...time }: Time, now: number): Window | null {
  const [date, midnight] = [Number(start.date()), midnightBefore(now)];
  if (said === 'now') return { from: now - HOUR, to: now };
  if (said === 'tonight') return { from: now - Math.max(HOUR, (now - 21 * HOUR) % DAY), to: now };
  if (isRelative && !said.includes('ago') && !said.includes('earlier')) {
    const length = Math.min(LONGEST, Math.max(5 * MINUTE, Math.abs(now - date)));
    return date > now && !said.startsWith('for') ? null : { from: now - length, to: now };
  }
  const [isHour, isDay] = [start.isCertain('hour'), start.isCertain('day')];
  const [part = ''] = PART.exec(said) ?? [];
  const isNight = part === 'night';
  // Until the morning, it is still the night of the day before, and *last night* the one before that.
  const early =
    isNight && !isHour && (isRelative || said === 'last night') && now < midnight + 6 * HOUR ? DAY : 0;
  const day = (said.startsWith('last night') ? midnight - DAY : midnightBefore(date)) - early;
  const hour = isHour
    ? (date % DAY) + (isNight && date % DAY < DAY / 2 ? DAY : 0)
    : (PARTS[part] ?? 0) * HOUR;
  const length = isHour ? time.length : part === '' ? DAY : (isNight ? 9 : 6) * HOUR;
  const isOver = day + hour <= now - (isHour ? length : HOUR) || (isDay && !isNight);
  const from = day + hour - (isOver ? 0 : start.isCertain('weekday') && !isDay ? 7 * DAY : DAY);
  return from > now ? null : { from, to: Math.min(now, from + length) };
}

/** When now is compared with such a time: around a moment, at the same hour of another day, or then; `null` if that goes on. */
function pastOf(said: string, { from, to }: Window, now: number): Window | null {
  if (from === to) return { from: from - 15 * MINUTE, to: from + 15 * MINUTE };
  // *Last week* is when, and *the last 7 days* are how long.
  const ago = said === 'last week' ? 7 * DAY : to < now && to - from === DAY ? midnightBefore(now) - from : 0;
  if (ago > 0) return { from: now - ago - 15 * MINUTE, to: now - ago + 15 * MINUTE };
  return to === now && !PART.test(said) ? null : { from, to: Math.min(to, now - HOUR) };
}

/** What a question asks about a time, and what that is compared with; nothing of a time to come. */
function saidOf(time: Time, now: number, isOfPast: boolean) {
  const { said, before, after } = time;
  const word = before.toLowerCase().trimEnd().split(' ').at(-1) ?? '';
  const isSince = word === 'since' || word === 'after';
  const isBefore = word === 'before' || ENDS.includes(word);
  // *Morning!* and *until the night* say no time that was.
  const isBare = (said in PARTS || ['noon', 'midnight', 'weekend'].includes(said)) && !isSince && !isBefore;
  const isToCome = (isBare || ENDS.includes(word)) && !isOfPast;
  const span = isToCome || word === 'each' || word === 'every' ? null : spanOf(time, now);
  if (span === null) return [];
  const { from, to } = span;
  const earlier = { from: from - Math.min(DAY, to - from || HOUR), to: from };
  const around = { from: from - HOUR, to: Math.min(now, from + HOUR / 2) };
  const since = { from: Math.max(from, now - LONGEST), to: now };
  return [
    {
      window: isSince ? since : isBefore ? earlier : from === to ? around : span,
      at: isSince ? now : isBefore ? from : to,
      past: isSince || isBefore ? earlier : pastOf(said, span, now),
      isNow: said === 'now',
      isCompared: THAN.test(before) || SAME_TIME.test(after),
    },
  ];
}

/** The time that a question is about, and the one that it compares that with. Now is never another one than now. */
function timesIn(question: string, now: number) {
  const isOfPast = WAS.test(question);
  const all = timesOf(question, now).flatMap((time) => saidOf(time, now, isOfPast));
  const present = all.find(({ isNow }) => isNow);
  const others = all.filter(({ isNow }) => !isNow).sort((a, b) => b.window.from - a.window.from);
  const isWorse = WORSE.test(question) && !isOfPast;
  const isOfTwo = present !== undefined || others.some(({ isCompared }) => isCompared);
  const known = others.filter(({ past }) => past !== null);
  const other =
    known.find(({ isCompared }) => isCompared) ?? known.find(({ at }) => isWorse || (isOfTwo && at < now));
  const isAbout = (one: typeof other) => one !== other || (one?.at === now && !one.isCompared);
  const about = others.find((one) => isAbout(one) && (present === undefined || one.at === now));
  return { about: about ?? present ?? null, past: other?.past ?? null };
}

/** The time that a question is about; `null` if it names none. */
export function timeIn(question: string, now: number): { window: Window; at: number } | null {
  const { about } = timesIn(question, now);
  return about && { window: about.window, at: about.at };
}

/** Whether a question asks for a comparison, and is about now. */
export function compares(question: string, now: number): boolean {
  return COMPARED.test(question) || CHANGED.test(question) || timesIn(question, now).past !== null;
}

interface Around {
  now: number;
  services: readonly string[];
  began: number | null;
  changes(window: Window): Promise<readonly Pick<Change, 'service' | 'title' | 'version' | 'at'>[]>;
}

/** The second time of which the question asks: before a change, when it says, before the trouble; else the day before. */
export async function pastIn(
  words: string,
  { now, services, began, changes }: Around,
): Promise<Window | null> {
  const isCompared = compares(words, now);
  if (!isCompared && !AS_ALWAYS.test(words)) return null;
  const isOfChange = CHANGED.test(words);
  if (isOfChange) {
    const all = await changes({ from: now - DAY, to: now });
    const named = all.filter(({ title, version }) =>
      [version, ...(/\d+\.\d+(?:\.\d+)?/u.exec(title) ?? [])].some((one) => one && words.includes(one)),
    );
    const last = (named.length > 0 ? named : all).findLast(
      ({ service }) => named.length > 0 || services.length === 0 || services.includes(service ?? ''),
    );
    if (last !== undefined) return { from: last.at - HOUR, to: last.at };
  }
  const { past } = timesIn(words, now);
  if (past !== null) return past;
  const at = began ?? (/\bhour before\b/iu.test(words) ? now - HOUR : null);
  if (at !== null && (isOfChange || /\bbefore\b/iu.test(words)))
    return { from: at - HOUR, to: at - 10 * MINUTE };
  // What is usual is what it was at any hour of the day before, without the trouble.
  if (!isCompared) return { from: now - DAY - HOUR, to: (began ?? now - 2 * HOUR) - 10 * MINUTE };
  return { from: now - HOUR - DAY, to: now + 1 - DAY };
}

function midnightBefore(now: number): number {
  return Math.floor(now / DAY) * DAY;
}

const LASTS = /\b(?:until|till?|through|by|before|over|during|survive)(?: the)? $/iu;

/** Until when something has to last: `until 06:00`, `by morning`, `for another 3 hours`; the next of those. */
export function untilIn(question: string, now: number): number | null {
  const next = (hour: number) => midnightBefore(now - hour * HOUR) + DAY + hour * HOUR;
  for (const { said, start, before, isRelative } of WAS.test(question) ? [] : timesOf(question, now, true)) {
    const at = Number(start.date());
    if (at <= now || !(isRelative || said === 'midnight' || LASTS.test(before))) continue;
    if (start.isCertain('hour')) return at;
    if (said === 'tonight' || said === 'night') return next(said === 'night' ? 8 : 20);
    return (
      midnightBefore(at) + (said.endsWith('morning') ? 8 * HOUR : said.endsWith('weekend') ? 2 * DAY : 0)
    );
  }
  return /\bover ?night\b/iu.test(question) ? next(8) : null;
}
