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
  [
    /\b(since|until|till?|by|before|after|around|(?<=\b(?:was|were|did|had|happened)\b.*)at) (\d{1,2})(?:ish)?(?=\s*(?:$|[?!,;)]))/giu,
    '$1 $2:00',
  ],
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
/** From which hour to which. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [21, 30],
};
const ENDS = ['by', 'until', 'til', 'till'];
const LASTS = /\b(?:until|till?|through|by|before|over|during|survive)(?: the)? $/iu;
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
/** Asks what happened, and not what is. */
const WAS = /\b(?:was|were|did|had|happened)\b/iu;
/** What says when without a clock or a calendar. */
const EVENT = new RegExp(
  String.raw`\b(?:\d+ ?${UNIT}|(?:before|after|since)(?: and (?:before|after|since))? (?:it|this|that|the \w+)(?: (?:started|began|broke))?|before ?\/ ?after|same time)\b`,
  'giu',
);
/** Asks whether it is as it always is. */
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

/** From when until when the last time is that is called so, and what now is compared with there. */
function spanOf({ said, start, isRelative, ...time }: Time, now: number) {
  const [date, midnight] = [Number(start.date()), midnightBefore(now)];
  const untilNow = (length: number) => ({ from: now - length, to: now, past: null });
  const sameHour = (ago: number) => ({ from: now - HOUR - ago, to: now + 1 - ago });
  if (said === 'now') return untilNow(HOUR);
  if (said === 'tonight') return untilNow(Math.max(HOUR, (now - 21 * HOUR) % DAY));
  if (isRelative && !said.includes('ago') && !said.includes('earlier')) {
    if (date > now && !said.startsWith('for')) return null;
    const length = Math.min(LONGEST, Math.max(5 * MINUTE, Math.abs(now - date)));
    // *Last week* is when, and *the last 7 days* are how long.
    return { ...untilNow(length), past: said === 'last week' ? sameHour(length) : null };
  }
  const isHour = start.isCertain('hour');
  const part = PART.exec(said)?.[0] ?? '';
  const isNight = part === 'night';
  const [first, last] = PARTS[part] ?? [0, 24];
  const day = said.startsWith('last night') ? midnight - DAY : midnightBefore(date);
  // After midnight it is still the night of the day before.
  const at = day + (isHour ? (date % DAY) + (isNight && date % DAY < DAY / 2 ? DAY : 0) : first * HOUR);
  const length = isHour ? time.length : (last - first) * HOUR;
  const isOver = isHour || isNight ? at + length <= now : at <= now - HOUR;
  const isOnce = start.isCertain('day') && !isNight;
  const from =
    isOver || isOnce ? at : at - DAY * (start.isCertain('weekday') && !start.isCertain('day') ? 7 : 1);
  if (from > now) return null;
  const to = Math.min(now, from + length);
  if (from === to) return { from, to, past: { from: from - 15 * MINUTE, to: from + 15 * MINUTE } };
  if (isHour || part !== '') return { from, to, past: { from, to: Math.min(to, now - HOUR) } };
  return { from, to, past: from < midnight ? sameHour(midnight - from) : null };
}

/** What a question asks about a time, and what that is compared with; nothing of a time to come. */
function saidOf(time: Time, now: number, isOfPast: boolean) {
  const { said, before, after } = time;
  const word = before.toLowerCase().trimEnd().split(' ').at(-1) ?? '';
  const isSince = word === 'since' || word === 'after';
  // *Morning!* and *until the night* say no time that was.
  const isBare = said in PARTS || ['noon', 'midnight', 'weekend'].includes(said);
  const isToCome = ENDS.includes(word) || (isBare && !isSince && word !== 'before');
  const span = isToCome && !isOfPast ? null : spanOf(time, now);
  if (span === null || word === 'each' || word === 'every') return [];
  const { from, to, past } = span;
  const rest = { isNow: said === 'now', isCompared: THAN.test(before) || SAME_TIME.test(after) };
  const earlier = { from: from - Math.min(DAY, to - from || HOUR), to: from };
  if (isSince)
    return [{ ...rest, window: { from: Math.max(from, now - LONGEST), to: now }, at: now, past: earlier }];
  if (word === 'before' || ENDS.includes(word))
    return [{ ...rest, window: earlier, at: from, past: earlier }];
  const window = from === to ? { from: from - HOUR, to: Math.min(now, from + HOUR / 2) } : { from, to };
  return [{ ...rest, window, at: to, past }];
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
  const about = others.find(
    (one) =>
      (one !== other || (one.at === now && !one.isCompared)) && (present === undefined || one.at === now),
  );
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

/** What a second time is told by. */
interface Around {
  now: number;
  /** Whose changes are meant. */
  services: readonly string[];
  /** When the trouble began. */
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

/** Until when something has to last: `until 06:00`, `by morning`, `for another 3 hours`; the next of those. */
export function untilIn(question: string, now: number): number | null {
  const next = (hour: number) => midnightBefore(now - hour * HOUR) + DAY + hour * HOUR;
  for (const { said, start, before, isRelative } of timesOf(question, now, true)) {
    const at = Number(start.date());
    if (at < now || !(isRelative || said === 'midnight' || LASTS.test(before))) continue;
    if (start.isCertain('hour')) return at;
    if (said === 'tonight') return next(20);
    return PART.test(said) ? next(8) : midnightBefore(at);
  }
  return /\bover ?night\b/iu.test(question) ? next(8) : null;
}
