import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { z } from 'zod';
import { oneLine } from '../../lib/text.ts';
import { wallClock } from '../../lib/wall-clock.ts';
import { fromLabels, tagsFrom, toFact } from '../alerts/facts.ts';
import { checkedPlan, type Planned } from '../settings/plans.ts';

/** Work that a system says is planned now, by an id of its own. */
export type Said = Planned & { id: string };

const MINUTE_MS = 60_000;
/** A silence of ours is a mute in Slack. */
const OURS = 'gumshoe';

const Matcher = z.looseObject({
  name: z.string(),
  value: z.string(),
  isRegex: z.boolean().catch(false),
  isEqual: z.boolean().catch(true),
});
type Matcher = z.infer<typeof Matcher>;

export const Silences = z.array(
  z.looseObject({
    id: z.string(),
    status: z.looseObject({ state: z.string() }),
    matchers: z.array(Matcher).catch([]),
    startsAt: z.string().catch(''),
    endsAt: z.string().catch(''),
    createdBy: z.string().catch(''),
    comment: z.string().catch(''),
  }),
);

/** The silences that are active, and say in words of a plan what they are about. */
export function plansOfSilences(silences: z.infer<typeof Silences>, now: number): Said[] {
  return silences.flatMap(({ id, status, matchers, startsAt, endsAt, createdBy, comment }) => {
    const scope = status.state === 'active' && createdBy !== OURS ? scopeOf(matchers) : null;
    if (scope === null) return [];
    const title = oneLine([comment, createdBy === '' ? '' : `(${createdBy})`].join(' ')).trim();
    const plan = { scope, from: Date.parse(startsAt), until: Date.parse(endsAt), title };
    const checked = checkedPlan(plan, now);
    return typeof checked === 'string' ? [] : [{ ...checked, id }];
  });
}

/** The words of a plan that mean the same; `null` where no words do, because something is excluded or too free. */
function scopeOf(matchers: readonly Matcher[]): string[] | null {
  const isPlain = matchers.every(({ isEqual }) => isEqual);
  if (!isPlain || new Set(matchers.map(({ name }) => name)).size < matchers.length) return null;
  const { service } = fromLabels(matchers.map(({ name, value }) => toFact(name, value))).fields;
  const ofService = matchers.find(({ value }) => value === service);
  const scope: string[] = [];
  for (const matcher of matchers) {
    const values = matcher.isRegex ? plainValues(matcher.value) : [matcher.value];
    // Of the words without a label, any will do; all of the others have to hold.
    if (values === null || (values.length > 1 && matcher !== ofService)) return null;
    scope.push(...values.map((value) => (matcher === ofService ? value : labelIn(matcher.name, value))));
  }
  return scope;
}

/** What has a meaning of its own in an expression; a dot is nearly always a dot. */
const SPECIAL = [...'()[]{}+?^$\\*'];

/** `payments|orders.*` without anything else that an expression can say. */
function plainValues(expression: string): string[] | null {
  const values = expression
    .split('|')
    .map((value) => (value.endsWith('.*') || value.endsWith('.+') ? `${value.slice(0, -2)}*` : value));
  const isPlain = (value: string) => {
    const text = value.endsWith('*') ? value.slice(0, -1) : value;
    return text !== '' && SPECIAL.every((character) => !text.includes(character));
  };
  return values.every(isPlain) ? values : null;
}

function labelIn(name: string, value: string): string {
  const fact = toFact(name, value);
  const { fields, used } = fromLabels([fact]);
  if (fields.environment !== null) return `env:${value}`;
  if (fields.region !== null) return `region:${value}`;
  if (fields.severity !== null) return `severity:${fields.severity}`;
  return tagsFrom([fact], used)[0] ?? `${name}:${value}`;
}

/** One of an interval's alternatives, as Alertmanager writes it back; what it does not name does not matter. */
const TimeInterval = z.looseObject({
  times: z.array(z.looseObject({ start_time: z.string(), end_time: z.string() })).nullish(),
  weekdays: z.array(z.string()).nullish(),
  days_of_month: z.array(z.string()).nullish(),
  months: z.array(z.string()).nullish(),
  years: z.array(z.string()).nullish(),
  location: z.string().nullish(),
});
type TimeInterval = z.infer<typeof TimeInterval>;

const names = z.array(z.string()).nullish();
interface Route {
  match?: Record<string, string> | null | undefined;
  match_re?: Record<string, string> | null | undefined;
  matchers?: string[] | null | undefined;
  mute_time_intervals?: string[] | null | undefined;
  active_time_intervals?: string[] | null | undefined;
  routes?: Route[] | null | undefined;
}
const Route: z.ZodType<Route> = z.looseObject({
  match: z.record(z.string(), z.string()).nullish(),
  match_re: z.record(z.string(), z.string()).nullish(),
  matchers: names,
  mute_time_intervals: names,
  active_time_intervals: names,
  get routes() {
    return z.array(Route).nullish();
  },
});
const Intervals = z.array(z.looseObject({ name: z.string(), time_intervals: z.array(TimeInterval) }));
const Config = z.looseObject({
  route: Route,
  time_intervals: Intervals.nullish(),
  mute_time_intervals: Intervals.nullish(),
});
export const Status = z.looseObject({ config: z.looseObject({ original: z.string() }) });

/** The routes that their time intervals mute now, until they no longer do. @throws if the configuration cannot be read */
export function plansOfIntervals({ config }: z.infer<typeof Status>, now: number): Said[] {
  const { route, time_intervals, mute_time_intervals } = Config.parse(parse(config.original));
  const intervals = new Map(
    [...(time_intervals ?? []), ...(mute_time_intervals ?? [])].map((one) => [one.name, one.time_intervals]),
  );
  return mutedRoutes(route, [], intervals, now);
}

function mutedRoutes(
  route: Route,
  above: readonly Matcher[],
  intervals: ReadonlyMap<string, readonly TimeInterval[]>,
  now: number,
): Said[] {
  const matchers = [...above, ...matchersOf(route)];
  const routes = route.routes ?? [];
  const below = routes.flatMap((child) => mutedRoutes(child, matchers, intervals, now));
  const { mute_time_intervals: mute, active_time_intervals: active } = route;
  const isIn = (some: readonly string[] | null | undefined, at: number) =>
    (some ?? []).some((name) => (intervals.get(name) ?? []).some((interval) => isWithin(interval, at)));
  const isMuted = (at: number) => isIn(mute, at) || ((active ?? []).length > 0 && !isIn(active, at));
  const scope = scopeOf(matchers);
  // What a route below takes is not muted with this one.
  if (scope === null || scope.length === 0 || routes.length > 0 || !isMuted(now)) return below;
  const end = endOf(isMuted, now);
  const title = `muted by ${[...(mute ?? []), ...(active ?? [])].join(', ')}`;
  const checked = checkedPlan({ scope, from: now, until: end, title }, now);
  if (typeof checked === 'string') return below;
  const id = createHash('sha256')
    .update(`${scope.join(' ')} ${end}`)
    .digest('hex')
    .slice(0, 20);
  return [...below, { ...checked, id }];
}

const STEP_MINUTES = 15;
const STEPS_A_WEEK = (7 * 24 * 60) / STEP_MINUTES;

/** Intervals begin and end at whole minutes. `NaN` where it goes on for more than a week. */
function endOf(isMuted: (at: number) => boolean, now: number): number {
  const at = (minutes: number) => (Math.floor(now / MINUTE_MS) + minutes) * MINUTE_MS;
  const first = (from: number, step: number, count: number) =>
    Array.from({ length: count }, (_, n) => from + (n + 1) * step).find((minutes) => !isMuted(at(minutes)));
  const after = first(0, STEP_MINUTES, STEPS_A_WEEK);
  if (after === undefined) return Number.NaN;
  return at(first(after - STEP_MINUTES, 1, STEP_MINUTES) ?? after);
}

function matchersOf({ match, match_re, matchers }: Route): Matcher[] {
  const written = (matchers ?? []).map((text) => {
    // As the Alertmanager writes it back: `name="value"`, `name!~"value"`.
    const at = text.indexOf('"');
    const [left, value] = [text.slice(0, at).trim(), text.slice(at + 1, text.lastIndexOf('"'))];
    const operator = ['=~', '!~', '!=', '='].find((one) => left.endsWith(one)) ?? '';
    const isEqual = operator.startsWith('=');
    return { name: left.slice(0, -operator.length).trim(), value, isRegex: operator.endsWith('~'), isEqual };
  });
  const of = (pairs: Route['match'], isRegex: boolean) =>
    Object.entries(pairs ?? {}).map(([name, value]) => ({ name, value, isRegex, isEqual: true }));
  return [...of(match, false), ...of(match_re, true), ...written];
}

const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** Whether a moment is within an interval. @throws RangeError for a zone that is not known here */
export function isWithin(interval: TimeInterval, moment: number): boolean {
  const { times, weekdays, days_of_month: days, months, years, location } = interval;
  const local = new Date(wallClock(moment, location == null || location === 'Local' ? 'UTC' : location));
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const length = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate();
  // `-1` is the last day of the month.
  const day = (text: string) => (Number(text) < 0 ? length + 1 + Number(text) : Number(text));
  return (
    (times == null ||
      times.some((of) => minuteOf(of.start_time) <= minute && minute < minuteOf(of.end_time))) &&
    isAmong(weekdays, local.getUTCDay(), (text) => WEEKDAYS.indexOf(text)) &&
    isAmong(days, local.getUTCDate(), day) &&
    isAmong(months, local.getUTCMonth() + 1, (text) => MONTHS.indexOf(text) + 1 || Number(text)) &&
    isAmong(years, local.getUTCFullYear(), Number)
  );
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** `monday:friday`, `1:5`, `december`. */
function isAmong(
  ranges: readonly string[] | null | undefined,
  value: number,
  read: (text: string) => number,
): boolean {
  if (ranges == null || ranges.length === 0) return true;
  return ranges.some((range) => {
    const [from = '', to = from] = range.toLowerCase().split(':');
    return read(from) <= value && value <= read(to);
  });
}
