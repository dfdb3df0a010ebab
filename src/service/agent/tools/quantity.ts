import { mean, median, quantile } from '../../../lib/statistics.ts';
import { isStock, labelOf, type Scale, scaleOf } from '../../investigation/format.ts';
import type { Points, Series, Window } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import type { Candidate, Catalog } from '../catalog/find.ts';
import { AS_NEAR, candidatesFor, type Measured, measure, RATE } from '../catalog/measure.ts';
import type { Says } from '../tool.ts';
import type { Facts } from '../types.ts';
import { type Condition, meets } from './condition.ts';
import { chartOf, newest, type Row, rowsOf } from './series.ts';

/** What a metric says now: one of the source's own, or a measure of a service. */
export interface Quantity extends Scale {
  /** In a few words of PromQL; a measure's label where `service` is set. */
  name: string;
  service: string | null;
  help: string;
  now: number;
  /** What it cannot exceed, if that is measured. */
  limit: number | null;
  of: Measured['of'];
  /** Whether it is how many there were in the whole window. */
  isInAll: boolean;
  /** The median of the time before; `null` where there is too little of it. */
  usual: number | null;
  max: number;
  /** In milliseconds. */
  maxAt: number;
  /** When it is away from what was usual, in milliseconds; `null` if it never was. */
  off: { from: number; to: number | null } | null;
  /** Since when it is not as it was when the time that is looked at began; `null` where it is. */
  since: number | null;
  /** How much it changed in a minute, in the last half hour; `null` where too little of it was seen. */
  perMinute: number | null;
  /** How much there was in the window, of what is counted; `null` for a level. */
  inAll: number | null;
  /** Whether it is a moment, in seconds since the epoch. */
  isMoment: boolean;
  /** What of a yes or no it tells; of a flag, whether it is set everywhere. */
  says: Says | null;
  /** The median of the time that it is compared with; `null` if that has no samples. */
  before: number | null;
  /** Whether it was then as it is now, and between what it was, but for the extremes; `null` with too few samples. */
  usually: { is: boolean; range: readonly [number, number] } | null;
  /** Whether it comes in each period, as it is asked; `null` where it is not, or too few were kept. */
  rhythm: Rhythm | null;
  /** The largest parts, by label, or those of which the condition holds; how many there are in all, and how many of them it holds of. */
  parts: Part[];
  by: readonly string[];
  partsInAll: number;
  meeting: number | null;
  filters: { label: string; values: readonly string[] }[];
  query: string;
  url: string | null;
}

/** In how many periods it went far from its level, and how far. */
export interface Rhythm {
  period: number;
  times: number;
  of: number;
  /** Whether that is each, but for one in ten. */
  isEach: boolean;
  usual: number;
  /** The least and the most of them. */
  peaks: readonly [number, number];
}

export interface Part {
  value: number;
  /** In the time that it is compared with; left out where none was or it has no samples. */
  before?: number;
  /** What it cannot exceed, if that is measured. */
  limit?: number;
  labels: Readonly<Record<string, string>>;
}

export interface Look {
  over: Window;
  past: Window | null;
  condition: Condition | null;
  /** Whether it is asked which way it goes, and whether that is as always. */
  isOfCourse: boolean;
  /** Whether it is asked when it is used up: then from the whole window. */
  isOfEnd: boolean;
  isOfUsual: boolean;
  isOfSince: boolean;
  /** The time in which what there was is counted; `null` if it is not asked how many that is. */
  counted: Window | null;
  isTimed: boolean;
  /** How often it is said to come; `null` if that is not asked. */
  period: number | null;
  except: readonly string[];
}

export interface Quantities {
  found: Quantity[];
  /** As near to the question as the first. */
  near: Quantity[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const MOST_PARTS = 5;
const MOST_NEAR = 3;
const LEAST_COVERED = 0.6;
const SETTLED = 10;
const OFF = 0.3;
const YEAR = 365 * 24 * 3_600;

/** What a question asks of any metric that there is, of these things first; `null` if none is meant. */
export async function quantities(
  question: string,
  catalog: Catalog,
  look: Look,
  facts: Facts,
  things: readonly string[] = [],
): Promise<Quantities | null> {
  const whole = candidatesFor(question, catalog, things);
  const [best] = whole;
  if (best === undefined || best.covered < LEAST_COVERED) return null;
  const { limit } = measure(question, best, catalog);
  // A part of the question asks for another one where that has words for what this one leaves.
  const others = (limit !== null || best.left.length === 0 ? [] : partsOf(question)).flatMap((part) => {
    const [own] = catalog.find(part, things);
    const isMore = best.left.some((word) => part.includes(word) && own?.left.includes(word) === false);
    return own !== undefined && own.covered >= LEAST_COVERED && isMore ? [own] : [];
  });
  // What the whole question says of a metric counts, not what a part of it leaves out.
  const chosen = [...new Map([best, ...others, best].map((one) => [one.metric, one])).values()];
  const seen = new Set<string>();
  const hasSameLimit = (name: string) =>
    [limit?.whole, limit?.parts].some((one) => one?.includes(name) === true);
  const readAll = async (candidates: readonly Candidate[], most: number, isWhole: boolean) => {
    const found: Quantity[] = [];
    for (const candidate of candidates) {
      if (found.length >= most) break;
      const measured = measure(question, candidate, catalog);
      if (seen.has(measured.whole)) continue;
      seen.add(measured.whole);
      const one = await read(isWhole ? measured : { ...measured, parts: null }, look, facts);
      if (one !== null) found.push(one);
    }
    return found;
  };
  const found = await readAll(chosen, 2, true);
  // What is not there of one may be there of another as near.
  const first = found[0]?.unit;
  const near = whole.filter(
    ({ metric, covered, isOwn }) =>
      covered >= best.covered - AS_NEAR &&
      isOwn === best.isOwn &&
      // What is shown as a limit is not shown again.
      !hasSameLimit(metric.name) &&
      !chosen.some((one) => one.metric === metric),
  );
  const more = await readAll(near, MOST_NEAR, found.length === 0);
  const like = more.filter(({ unit }) => unit === (first ?? more[0]?.unit));
  if (found.length > 0) return { found, near: like };
  return like.length > 0 ? { found: like.slice(0, 1), near: like.slice(1) } : null;
}

function partsOf(question: string): string[] {
  const parts = question
    .split(/\s*[,;]\s+(?:and\s+)?|\s+and\s+/iu)
    .filter((part) => part.split(' ').length > 2 && !/^(?:only|just|on|in|of|for|by|except)\b/iu.test(part));
  return parts.length > 1 ? parts : [];
}

/** A rate is counted over the whole time where it is asked how many there were. */
function inAllOf(measured: Measured, { from, to }: Window): Measured {
  const overAll = (text: string) =>
    text.replaceAll('rate(', 'increase(').replaceAll(`[${RATE}]`, `[${Math.round((to - from) / 1000)}s]`);
  return {
    ...measured,
    unit: measured.unit.slice(0, -2),
    whole: overAll(measured.whole),
    parts: measured.parts && { ...measured.parts, expression: overAll(measured.parts.expression) },
    ifNone: measured.ifNone && overAll(measured.ifNone),
    limit: measured.limit && { whole: measured.limit.whole && overAll(measured.limit.whole), parts: null },
  };
}

/** What is meant by a metric, as its values show it. */
async function meantBy(measured: Measured, look: Look, facts: Facts): Promise<Measured> {
  const { ifCounter } = measured;
  if (ifCounter === null) return measured;
  const [grows] = (await rowsOf(ifCounter.when, facts, { over: newest(look.over.to - 1) })) ?? [];
  return grows?.now === 1 ? ifCounter.measured : measured;
}

async function read(given: Measured, look: Look, facts: Facts): Promise<Quantity | null> {
  const { past, condition, except } = look;
  const meant = await meantBy(given, look, facts);
  const isInAll = look.counted !== null && meant.unit.endsWith('/s');
  const measured = look.counted !== null && isInAll ? inAllOf(meant, look.counted) : meant;
  const over = isInAll ? newest(look.over.to - 1) : look.over;
  const limits = measured.limit;
  const at = { over, past, adds: measured.of === 'sum' };
  const readAll = (of: string) => rowsOf(of, facts, { ...at, beside: limits?.whole ?? null });
  const found = await readAll(measured.whole);
  const [whole] =
    (found?.length === 0 && measured.ifNone !== null ? await readAll(measured.ifNone) : found) ?? [];
  if (whole === undefined || whole.now === null) return null;
  const { now, series } = whole;
  const values = [...series.points.values];
  const isMoment = measured.mayBeMoment && Math.abs(now - facts.now / 1000) < 20 * YEAR;
  const split =
    measured.parts === null
      ? null
      : await rowsOf(measured.parts.expression, facts, { ...at, beside: limits?.parts ?? null });
  const isLeftOut = (labels: Row['labels']) =>
    Object.values(labels).some((value) => except.some((name) => value.includes(name)));
  const all = (split ?? []).flatMap((row) => (isLeftOut(row.labels) ? [] : partOf(row)));
  const isLowFirst = isMoment || measured.isFlag || condition?.comparison === 'under';
  const sizeOf = ({ value, limit = 1 }: Part) => value / limit;
  const ordered = all.toSorted((a, b) => (isLowFirst ? sizeOf(a) - sizeOf(b) : sizeOf(b) - sizeOf(a)));
  const isMet = ({ value }: Pick<Part, 'value'>) =>
    condition === null
      ? null
      : meets(isMoment ? value - facts.now / 1000 : value, isMoment ? 's' : measured.unit, condition);
  const compared = all.length > 0 ? ordered : [{ value: now, labels: {} }];
  const met = compared.some((one) => isMet(one) === null) ? null : compared.filter(isMet);
  facts.evidenceStore.metric(chartOf(series, measured.name, measured.unit), over);
  const rhythm = look.period === null || isMoment ? null : await rhythmOf(measured.whole, look.period, facts);
  return {
    ...courseOf(series.points, whole.past?.points, isMoment, look.isOfEnd),
    rhythm,
    name: measured.name,
    service: null,
    help: measured.help,
    unit: measured.unit,
    now,
    limit: limitOf(now, whole.beside),
    of: measured.of,
    isInAll,
    // Where the window begins before the data, only what was seen is counted.
    inAll: measured.unit.endsWith('/s')
      ? (mean(values) * (over.to - (series.points.times[0] ?? over.to))) / 1000
      : null,
    isMoment,
    says:
      rhythm !== null
        ? { relation: 'recurs', holds: rhythm.isEach }
        : condition !== null
          ? { relation: 'over_limit', holds: met && met.length > 0 }
          : isMoment && look.isTimed
            ? { relation: 'ran', holds: now * 1000 >= look.over.from && now * 1000 < look.over.to }
            : measured.isFlag && values.every((value) => value === 0 || value === 1)
              ? { relation: 'set', holds: now === 1 }
              : null,
    parts: (met !== null && met.length > 0 ? met : ordered).slice(0, MOST_PARTS),
    by: measured.parts?.labels ?? [],
    partsInAll: compared.length,
    meeting: met?.length ?? null,
    filters: [...measured.filters],
    query: measured.whole,
    url: series.providerUrl,
  };
}

function courseOf(
  { times, values }: Points,
  then: Points | undefined,
  isMoment = false,
  isOfEnd = false,
): Pick<Quantity, 'usual' | 'max' | 'maxAt' | 'off' | 'since' | 'before' | 'usually' | 'perMinute'> {
  const usual = usualOf(values);
  const max = Math.max(...values);
  const off = isMoment || usual === null ? null : offOf({ times, values }, usual);
  return {
    off,
    since: earlier(off?.to === null ? off.from : null, sinceOf({ times, values })),
    usual,
    max,
    maxAt: times[values.indexOf(max)] ?? 0,
    perMinute: paceOf({ times, values }, isOfEnd ? Number.POSITIVE_INFINITY : LATELY),
    before: then === undefined || then.values.length === 0 ? null : median([...then.values]),
    usually: then === undefined ? null : usuallyOf(then, values.at(-1) ?? Number.NaN, times.at(-1) ?? 0),
  };
}

/** So often it has been where it is now for that to be usual, at whatever hour. */
const OFTEN = 3;

/** Whether a level is one that there was before: mostly, at this time of the day before, or again and again. */
function usuallyOf({ times, values }: Points, now: number, at: number): Quantity['usually'] {
  if (values.length < SETTLED) return null;
  const isNear = (value: number) => Math.abs(value - now) <= OFF * Math.abs(now) + Number.EPSILON;
  const ordered = values.toSorted();
  const sameTime = values.filter((_, i) => Math.abs(at - DAY - (times[i] ?? 0)) <= HOUR / 2);
  const episodes = values.filter((value, i) => isNear(value) && (i === 0 || !isNear(values[i - 1] ?? now)));
  return {
    is:
      isNear(median([...values])) ||
      (sameTime.length > 0 && isNear(median([...sameTime]))) ||
      episodes.length >= OFTEN,
    range: [quantile([...ordered], 0.03), quantile([...ordered], 0.97)],
  };
}

/** A measure of a service, by the same words as any metric; `null` where it has no samples. */
export function quantityOf(
  series: Series,
  view: View,
  over: Window,
  then: View | null,
  past: Window | null,
): Quantity | null {
  const points = pointsWithin(series, view, over);
  const last = points.times.at(-1);
  if (last === undefined) return null;
  const { service, signal, limit, query, providerUrl } = series;
  const same = then?.series(service).find((one) => one.signal.id === signal.id);
  // Few requests make the newest sample noisy; of a stock it is what there is.
  const minute = points.values.filter((_, i) => !isStock(series) && (points.times[i] ?? 0) > last - MINUTE);
  return {
    ...courseOf(points, same && then && past ? pointsWithin(same, then, past) : undefined),
    name: labelOf(series),
    service,
    help: '',
    ...scaleOf(series),
    now: minute.length > 2 ? mean([...minute]) : (points.values.at(-1) ?? Number.NaN),
    limit: limit?.values.at(-1) ?? null,
    rhythm: null,
    of: 'sum',
    isInAll: false,
    inAll: null,
    isMoment: false,
    says: null,
    parts: [],
    by: [],
    partsInAll: 1,
    meeting: null,
    filters: [],
    query: query ?? '',
    url: providerUrl,
  };
}

const LATELY = 30 * MINUTE;
const ENDS = 5;

/** How much it changes in a minute, in so long before its end; `null` where too little was seen of it. */
export function paceOf({ times, values }: Points, span: number): number | null {
  const last = times.at(-1) ?? 0;
  const lately = [...values.keys()].filter((i) => last - (times[i] ?? 0) <= span);
  if (lately.length < 2 * ENDS) return null;
  const middle = (some: number[]) =>
    [median(some.map((i) => times[i] ?? 0)), median(some.map((i) => values[i] ?? 0))] as const;
  const [[from, early], [to, late]] = [middle(lately.slice(0, ENDS)), middle(lately.slice(-ENDS))];
  return (late - early) / ((to - from) / MINUTE);
}

export function pointsWithin(series: Series, view: View, over: Window): Points {
  const points = view.points(series, over);
  return {
    times: Float64Array.from(points, ({ at }) => at),
    values: Float64Array.from(points, ({ value }) => value),
  };
}

function partOf({ labels, now, before, beside }: Row): Part[] {
  if (now === null) return [];
  const limit = limitOf(now, beside);
  return [{ value: now, labels, ...(before !== null && { before }), ...(limit !== null && { limit }) }];
}

/** Of what may grow as it likes, exporters say 0 or -1; what is exceeded by far is no limit of it. */
function limitOf(value: number, limit: number | null): number | null {
  return limit !== null && limit > 0 && value <= 2 * limit ? limit : null;
}

/** So many periods are looked at, at most; fewer show nothing. */
const MOST_PERIODS = 24;
const LEAST_PERIODS = 3;
const LONGEST_PAST = 7 * DAY;
/** So far from its level, of its widest way. */
const FAR_OFF = 0.5;

/** One in ten may be missed. */
const EACH = 0.9;

/** In how many of the last periods a series went far from its level. */
async function rhythmOf(expression: string, period: number, facts: Facts): Promise<Rhythm | null> {
  const count = Math.min(MOST_PERIODS, Math.floor(LONGEST_PAST / period));
  const over = { from: facts.now - count * period, to: facts.now + 1 };
  const [row] = (await rowsOf(expression, facts, { over })) ?? [];
  const points = row?.series.points;
  if (points === undefined || points.values.length < LEAST_PERIODS * 2) return null;
  const usual = median([...points.values]);
  const isUp = Math.max(...points.values) - usual >= usual - Math.min(...points.values);
  const farthest = (some: readonly number[]) => (isUp ? Math.max(...some) : Math.min(...some));
  const periods = [
    ...Map.groupBy([...points.values.keys()], (i) => Math.floor((points.times[i] ?? 0) / period)),
  ];
  // The first and the last are seen in part.
  const peaks = periods.slice(1, -1).map(([, at]) => farthest(at.map((i) => points.values[i] ?? usual)));
  const way = Math.abs(farthest(peaks) - usual);
  const far = peaks.filter((peak) => Math.abs(peak - usual) >= FAR_OFF * way);
  if (peaks.length < LEAST_PERIODS) return null;
  const isFlat = way <= OFF * Math.abs(usual);
  const shown = isFlat ? [...points.values] : far;
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  const [times, of] = [isFlat ? 0 : far.length, peaks.length];
  return { period, times, of, isEach: times >= EACH * of, usual, peaks: [least, most] };
}

/** The level before the last minutes. */
function usualOf(values: Points['values']): number | null {
  const before = [...values.subarray(0, Math.max(0, values.length - SETTLED))].filter(
    (value) => !Number.isNaN(value),
  );
  return before.length < SETTLED ? null : median(before);
}

/** When it is, or was for the longest, away from what is usual; `to` is `null` where it still is. */
function offOf({ times, values }: Points, usual: number): Quantity['off'] {
  const isOff = (value: number) => Math.abs(value - usual) > OFF * Math.abs(usual) + Number.EPSILON;
  let [longest, first]: [[number, number] | null, number | null] = [null, null];
  for (const [i, value] of [...values, Number.NaN].entries()) {
    const isLast = i === values.length;
    if (!isLast && isOff(value)) first ??= i;
    else if (first !== null) {
      if (i - first >= 3 && (isLast || longest === null || i - first > longest[1] - longest[0]))
        longest = [first, i];
      first = null;
    }
  }
  const from = times[longest?.[0] ?? -1];
  // What is away from it from the first sample on may be usual.
  if (longest === null || from === undefined || longest[0] === 0) return null;
  return { from: from - (from % MINUTE), to: times[longest[1]] ?? null };
}

/** What creeps away has left where it was long before it is far from that. */
function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** In which part of the time it is as it was at the beginning. */
const EARLY = 0.1;

function sinceOf({ times, values }: Points): number | null {
  const early = values.subarray(0, Math.max(SETTLED, EARLY * values.length));
  const [low, high] = [Math.min(...early), Math.max(...early)];
  return times[values.findLastIndex((value) => value >= low && value <= high) + 1] ?? null;
}
