import { amount, duration, measured, type Scale, timeOfDay } from '../../investigation/format.ts';
import { code } from '../echo.ts';
import { momentOf } from '../moment.ts';
import type { Condition } from '../tools/condition.ts';
import type { Look, Part, Quantities, Quantity, Rhythm } from '../tools/quantity.ts';

/** What a metric says now, in a few lines, with the query that says it again. */
export function quantityInWords({ found, near }: Quantities, look: Look, now: number): string {
  const lines = [
    ...found.map((one) => whole(one, look, now)),
    ...(near.length === 0
      ? []
      : [
          ['Also close to what you asked for:', ...near.map((one) => `- ${brief(one, look, now)}`)].join(
            '\n',
          ),
        ]),
  ];
  return lines.join('\n\n');
}

function whole(one: Quantity, look: Look, now: number): string {
  if (one.isInAll && one.service !== null) return failuresInWords(one, one.service, look, now);
  const { isMoment, parts, partsInAll, help, meeting } = one;
  const { condition } = look;
  const course = isMoment ? [] : courseOf(one, look, now);
  const listed = meeting === null || meeting === 0 ? partsInAll : meeting;
  const more = listed > parts.length ? [`- … and ${listed - parts.length} more`] : [];
  const names = namesOf(parts);
  // That it is as usual, or since when it is not, is said beside what was usual.
  const isSinceSaid =
    look.isOfUsual && one.before !== null && (isAsUsual(one, one.before) || one.off?.to === null);
  return [
    ...(one.rhythm === null ? [] : [rhythmInWords(one.rhythm, one), '']),
    ...(condition === null ? [] : [comparison(one, condition, names, now), '']),
    ...(look.isOfSince && !isMoment && !isSinceSaid ? [sinceWhen(one, look, now), ''] : []),
    ...(look.isOfUsual && !isMoment && one.before !== null ? [asUsual(one, one.before), ''] : []),
    `**${brief(one, look, now)}**${course.length === 0 ? '' : ` (${course.join(', ')})`}${help === '' ? '' : `. ${help.replace(/\.$/u, '')}`}.`,
    ...(partsInAll > 1 && parts.length > 0
      ? ['', ...parts.map((part, i) => `- ${names[i]}: ${partInWords(part, one, now)}`), ...more]
      : []),
    ...queryInWords(one),
  ].join('\n');
}

/** `About 12 requests to till failed from 13:40 UTC to 14:05 UTC, of 90 requests (13%).` */
function failuresInWords(one: Quantity, service: string, { over, counted }: Look, now: number): string {
  const { from, to } = counted ?? over;
  return `About ${amountOf(one.now, one)} to ${service} failed from ${momentOf(from, now)} to ${momentOf(to, now)}, of ${amountOf(one.limit ?? 0, one)} (${amount(one.limit ? one.now / one.limit : 0, '1')}).`;
}

/** The whole of a long one, and what is joined of labels for all services at once, is behind its link and in the evidence. */
function queryInWords({ query, url, service }: Quantity): string[] {
  const isPlain = query.length <= (service === null ? LONGEST_QUERY : LONGEST_OF_SERVICE);
  if (query === '' || (!isPlain && url === null)) return [];
  const shown = isPlain ? code(query) : 'the query';
  return ['', `Query: ${url === null ? shown : `[${shown}](${url})`}`];
}

/** `Since 03:21 UTC it has not been as before.` */
function sinceWhen({ since }: Quantity, { over }: Look, now: number): string {
  return since === null
    ? `I can’t tell since when: it is now as it was ${duration(over.to - over.from)} ago.`
    : `**Since ${momentOf(since, now)}** it has not been as before.`;
}

/** `1 of 6 is over 80%.` `None of the 4 is over 80%: the highest is `web`, 52%.` */
function comparison(one: Quantity, condition: Condition, names: readonly string[], now: number): string {
  const limit = `${condition.comparison} ${amount(condition.value, condition.unit)}`;
  const { meeting, partsInAll, parts } = one;
  const [first] = parts;
  if (meeting === null)
    return `I can’t tell what is ${limit}: \`${one.name}\` is ${one.unit === '' ? 'a number without a unit' : `in ${one.unit}`}.`;
  if (partsInAll === 1) return `It is ${meeting === 1 ? '' : 'not '}${limit}.`;
  if (meeting > 0) return `**${meeting} of ${partsInAll} ${meeting === 1 ? 'is' : 'are'} ${limit}.**`;
  const end = condition.comparison === 'over' ? 'highest' : 'lowest';
  return `**None of the ${partsInAll} is ${limit}**${first === undefined ? '' : `: the ${end} is ${names[0]}, ${levelOf(first.value, one, now)}`}.`;
}

function partInWords({ value, before, limit }: Part, one: Quantity, now: number): string {
  const { unit, of, now: all, partsInAll } = one;
  const isShare = of === 'sum' && unit !== '1' && limit === undefined && partsInAll > 2 && all > 0;
  const share = isShare ? ` (${amount(value / all, '1')})` : '';
  const level = `${levelOf(value, one, now)}${limitInWords(value, limit ?? null, unit)}${share}`;
  return before === undefined || one.isMoment ? level : `${level}, before ${levelOf(before, one, now)}`;
}

/** ` of 200 connections (32%)`. */
function limitInWords(value: number, limit: number | null, unit: string): string {
  return limit === null ? '' : ` of ${amountOf(limit, { unit })} (${amount(value / limit, '1')})`;
}

/** `It comes every hour: in each of the last 22 it went up to between 4,190 and 4,210 (usually 3).` */
function rhythmInWords({ period, times, of, isEach, usual, peaks }: Rhythm, { unit }: Quantity): string {
  const name = PERIODS.find(([ms]) => ms === period)?.[1] ?? duration(period);
  const [least, most] = peaks.map((one) => amountOf(one, { unit }));
  const range = least === most ? `to ${most}` : `to between ${least} and ${most}`;
  if (times === 0)
    return `**It does not come every ${name}**: in the last ${of} whole ${name}s it stayed between ${least} and ${most}.`;
  const went = `it went ${range} (median ${amountOf(usual, { unit })})`;
  return isEach
    ? `**It comes every ${name}**: in ${times === of ? 'each' : `${times}`} of the last ${of} whole ${name}s ${went}.`
    : `**It does not come every ${name}**: only in ${times} of the last ${of} whole ${name}s ${went}.`;
}

const PERIODS: readonly (readonly [number, string])[] = [
  [3_600_000, 'hour'],
  [24 * 3_600_000, 'day'],
];

const LONGEST_QUERY = 300;
const LONGEST_OF_SERVICE = 150;

const AS_USUAL = 0.3;

function isAsUsual({ now, usually }: Quantity, before: number): boolean {
  return usually?.is ?? Math.abs(now - before) <= AS_USUAL * Math.abs(before);
}

function asUsual(one: Quantity, before: number): string {
  const { now, off, unit, usually } = one;
  const [low, high] = usually?.range ?? [before, before];
  const isUsual = isAsUsual(one, before);
  const since = off?.to === null && !isUsual ? off.from : null;
  const then =
    high - low > 2 * AS_USUAL * Math.abs(before)
      ? `${amountOf(low, { unit })} to ${amountOf(high, { unit })}`
      : amountOf(before, { unit });
  const was =
    off === null || off.to === null ? '' : `; not from ${timeOfDay(off.from)} to ${timeOfDay(off.to)}`;
  return isUsual
    ? `As usual now, ${then} before${was}.`
    : `Not as usual${since === null ? '' : `, since ${timeOfDay(since)}`}: ${then} before, ${apart(now, before, unit)}.`;
}

function apart(now: number, before: number, unit: string): string {
  const times = now / before;
  if (!Number.isFinite(times) || times <= 0)
    return now === before ? 'the same' : amountOf(now - before, { unit });
  if (times > 0.95 && times < 1.05) return 'about the same';
  return times >= 2
    ? `${amount(times, '')} times as much now`
    : `${times > 1 ? 'up' : 'down'} by ${amount(Math.abs(times - 1), '1')} now`;
}

/** `growing by 120 messages a minute`. */
function paceOf({ perMinute, now, unit, limit }: Quantity, { isOfEnd, over }: Look): string[] {
  if (perMinute === null) return ['too few samples to tell the trend'];
  const span = isOfEnd ? duration(over.to - over.from) : '30 min';
  // What is used up within months is not steady, however slowly that goes.
  const least = isOfEnd ? 0.0001 : 0.01;
  if (Math.abs(perMinute) * 60 <= least * Math.abs(now))
    return [`steady: less than ${amount(least, '1')} an hour at the rate of the last ${span}`];
  const isSlow = Math.abs(perMinute) < 1;
  const pace = `${amountOf(Math.abs(perMinute) * (isSlow ? 60 : 1), { unit })} ${isSlow ? 'an hour' : 'a minute'}`;
  const most = unit === '1' ? 1 : unit.endsWith('/s') ? null : limit;
  const left =
    perMinute < 0 ? now / -perMinute || null : most === null || now > most ? null : (most - now) / perMinute;
  const end =
    left === null
      ? ''
      : `, at that rate ${perMinute < 0 ? 'zero' : 'full'} in about ${duration(left * 60_000)}`;
  return [`${perMinute < 0 ? 'falling' : 'growing'} by ${pace} in the last ${span}${end}`];
}

function courseOf(one: Quantity, look: Look, now: number): string[] {
  if (one.isInAll) return [];
  const { usual, before, max, maxAt, off, unit, inAll } = one;
  const scale: Scale = one;
  const { over, past, except, isOfCourse } = look;
  const span = duration(over.to - over.from);
  return [
    ...(past === null
      ? []
      : [
          before === null
            ? `no samples from ${momentOf(past.from, now)} to ${momentOf(past.to, now)}, so I can’t compare`
            : `${amountOf(before, scale)} from ${momentOf(past.from, now)} to ${momentOf(past.to, now)}: ${apart(one.now, before, unit)}`,
        ]),
    ...(except.length === 0 || one.partsInAll <= 1
      ? []
      : [`with ${except.join(' and ')}, which the list leaves out`]),
    ...(isOfCourse ? paceOf(one, look) : []),
    ...(usual === null ? [] : [`median ${amountOf(usual, scale)}`]),
    `max ${amountOf(max, scale)} at ${timeOfDay(maxAt)} in ${over.to < now ? `the ${span} before ${momentOf(over.to, now)}` : `the last ${span}`}`,
    ...(inAll === null
      ? []
      : [`about ${amount(Number(inAll.toPrecision(3)), scale.unit.replace(/\/s$/u, ''))} in total`]),
    ...(off === null
      ? []
      : [
          `off the median ${off.to === null ? `since ${timeOfDay(off.from)}` : `from ${timeOfDay(off.from)} to ${timeOfDay(off.to)}`}`,
        ]),
  ];
}

function brief({ filters, ...one }: Quantity, { over, counted }: Look, at: number): string {
  const isPast = over.to < at;
  const when = one.isMoment
    ? ''
    : one.isInAll
      ? ` from ${momentOf((counted ?? over).from, at)} to ${isPast ? momentOf(over.to, at) : 'now'}`
      : isPast
        ? ` at ${momentOf(over.to, at)}`
        : ' now';
  const where =
    filters.length === 0
      ? ''
      : ` of ${filters.map(({ label, values }) => `${label} ${values.slice(0, 3).join(', ')}`).join(', ')}`;
  const name = one.service === null ? `\`${one.name}\`` : `${one.service} ${one.name}`;
  const [first] = one.parts;
  // Of what is no sum, it is that of one of them.
  const isOfOne = (one.of === 'max' || one.of === 'min') && one.partsInAll > 1 && !one.isMoment;
  const now = isOfOne && first !== undefined && first.limit !== undefined ? first.value : one.now;
  const limit = limitInWords(now, one.limit ?? (isOfOne ? (first?.limit ?? null) : null), one.unit);
  const which = isOfOne
    ? `${one.of === 'min' ? 'lowest' : limit === '' ? 'highest' : 'fullest'} of ${one.partsInAll}, `
    : '';
  return `${name}${where}: ${which}${levelOf(now, one, at)}${limit}${when}`;
}

function levelOf(
  value: number,
  { isMoment, ...scale }: Pick<Quantity, 'isMoment' | 'unit' | 'bounds'>,
  now: number,
): string {
  return isMoment ? inTime(value, now) : amountOf(value, scale);
}

function inTime(seconds: number, now: number): string {
  const ms = seconds * 1000 - now;
  const at = momentOf(seconds * 1000, now);
  return ms >= 0 ? `in ${duration(ms)} (${at})` : `${duration(-ms)} ago (${at})`;
}

function amountOf(value: number, scale: Scale): string {
  const { unit } = scale;
  const perSecond = unit.endsWith('/s') && !unit.startsWith('{');
  return perSecond ? `${amount(value, unit.slice(0, -2))}/s` : measured(value, scale);
}

/** The values that tell the parts apart: not what all of them have, nor what another value says already. */
function namesOf(parts: readonly Pick<Part, 'labels'>[]): string[] {
  const [first] = parts;
  const isCommon = (label: string, value: string) =>
    parts.length > 1 && parts.every(({ labels }) => labels[label] === value) && first !== undefined;
  return parts.map(({ labels }) => {
    const own = Object.entries(labels)
      .filter(([label, value]) => value !== '' && !isCommon(label, value))
      .map(([, value]) => value);
    const values = own.filter(
      (value, i) => !own.some((other, j) => i !== j && other.includes(value) && (other !== value || j < i)),
    );
    return code(values.length === 0 ? 'without a label' : values.join(' ').slice(0, 120));
  });
}
