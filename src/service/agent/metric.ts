import { z } from 'zod';
import { mean, quantile } from '../../lib/statistics.ts';
import { PROFILES, type Profile } from '../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import type { Series, Signal } from '../telemetry/model.ts';
import type { Point } from '../telemetry/view.ts';
import { breakdown, DIMENSION_NAMES, dimensionIn } from './breakdown.ts';
import { stem, termsOf, wordsOfName } from './catalog/terms.ts';
import { echo } from './echo.ts';
import { trackedOf } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import { withoutNames } from './names.ts';
import { type Found, services, tool, window } from './tool.ts';
import { conditionIn, meets, withoutCondition } from './tools/condition.ts';
import { failuresOf } from './tools/failures.ts';
import { type Look, quantities } from './tools/quantity.ts';
import type { Facts } from './types.ts';
import { COMPARES, startOf } from './understand.ts';
import { unmeasured } from './words/course.ts';
import { quantityInWords } from './words/quantity.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST_SERVICES = 20;
/** Of an issue, so many services are shown where the question names none. */
const MOST_OF_ISSUE = 2;
const MOST_MEASURES = 3;
const MOST_ASKED_OF = 2;

const input = z.object({
  services,
  /** `error rate`, `latency` …, or names that their source has for them. */
  metrics: z.array(z.string().min(1).max(200)).max(MOST_MEASURES).default([]),
  ...window,
  /** The question, for a metric that is found by its words among all that there are. */
  asked: z.string().max(1_000).default(''),
  /** What it is split by: routes, pods … */
  by: z.enum(DIMENSION_NAMES).nullable().default(null),
  /** Services by their level, the highest or the lowest first. */
  rank: z.enum(['highest', 'lowest']).nullable().default(null),
  /** The time that it is compared with. */
  past: z.object({ from: z.number(), to: z.number() }).nullable().default(null),
  /** What each object is compared with, in the unit of the metric: a share is 0.8, a time in seconds. */
  condition: z
    .object({
      comparison: z.enum(['over', 'under']),
      value: z.number(),
      unit: z.enum(['1', 's', 'By', '']).default(''),
    })
    .nullable()
    .default(null),
  /** Services and objects that are left out. */
  except: z.array(z.string().max(200)).max(20).default([]),
  /** Whether the question names the time. */
  isTimed: z.boolean().default(false),
  /** The percentile asked for, if it names one. */
  percentile: z.number().nullable().default(null),
  /** Whether one of several is meant: `only one pod?` */
  expectsOne: z.boolean().default(false),
  all: z.boolean().default(false),
});
type MetricArgs = z.output<typeof input>;

const RANKED =
  /\b(?:which|what)\b.*\b(?:slow\w*|most|highest|worst|busiest|fail\w*|errors?|least|lowest|fewest)\b|\b(?:slowest|fastest|worst|busiest|highest|lowest|top)\b/iu;
/** A machine that has much to do. */
export const HOT =
  /\b(?:hosts?|nodes?|machines?|servers?|boxe?s?|vms?)\b.*\b(?:hot(?:test)?|busy|busiest|loaded|overloaded|maxed|pegged|struggl\w+)\b|\b(?:hot(?:test)?|busiest|overloaded) (?:hosts?|nodes?|machines?|servers?|vms?)\b/iu;
const LOWEST = /\b(?:lowest|least|fewest|fastest)\b/iu;

/** The error rate of payments in the last 30 minutes? Which endpoint fails? Which service is the slowest? */
export const metric = tool({
  name: 'metric',
  answers:
    'a series: its level now and over a time, as a chart; by route, pod, region …; services by level; today against yesterday',
  example: 'Show the error rate of {service} in the last 30 minutes',
  input,
  fill: (turn, facts): z.input<typeof input> => {
    const { question, words } = turn;
    const name = nameIn(turn);
    const several = / and |,/u.test(words)
      ? PROFILES.filter((profile) => startOf(profile).test(words)).slice(0, MOST_MEASURES)
      : [];
    const profiles = several.length > 1 ? several : turn.metric === null ? [] : [turn.metric];
    const by = dimensionIn(words);
    const isHot = HOT.test(words);
    const isOfServices = isHot || (RANKED.test(words) && /\bservices?\b/iu.test(words));
    return {
      services: [...turn.services],
      asked: isHot ? '' : withoutCondition(question).slice(0, 1_000),
      metrics: isHot ? ['CPU usage'] : name === null ? profiles.map(({ label }) => label) : [name],
      ...turn.window,
      to: turn.at < facts.now ? turn.window.to : facts.now + 1,
      by: isOfServices ? null : (by?.name ?? null),
      rank: !isOfServices || turn.named.length > 0 ? null : LOWEST.test(words) ? 'lowest' : 'highest',
      except: [...turn.except],
      isTimed: turn.timed,
      past: COMPARES.test(words) ? pastIn(words, facts.now) : null,
      condition: conditionIn(question),
      percentile: Number(/\bp(\d\d(?:\.\d)?)\b/iu.exec(question)?.[1] ?? Number.NaN) || null,
      expectsOne: /\b(?:only|just|single)\b/iu.test(words),
      all: /\ball\b|\beach\b|\bevery/iu.test(words),
    };
  },
  run: async (args, facts) => {
    const found = await anyMetric(args, facts);
    if (found !== null) return found;
    const failures = await failuresCounted(args, facts);
    if (failures !== null) return failures;
    if (args.rank !== null || args.condition !== null) return ranked(args, facts);
    if (args.past !== null) return compared(args, args.past, facts);
    if (args.by !== null) return await breakdown(args.by, args, facts);
    const uncounted = uncountedIn(args, facts);
    if (uncounted !== null) return nothing(`I found no metric that counts ${uncounted}.`);
    return await levels(args, facts);
  },
});

async function levels(args: MetricArgs, facts: Facts): Promise<Found> {
  const found: Found[] = [];
  for (const name of args.metrics) {
    const profile = profileNamed(name);
    found.push(profile === null ? await byName(name, args, facts) : await ofMeasure(profile, args, facts));
  }
  if (found.length === 0)
    return nothing(
      `I can’t tell which metric you mean: name one, or a measure as ${PROFILES[0]?.label} or ${PROFILES[2]?.label}.`,
    );
  return {
    data: { series: found.flatMap(({ data }) => (Array.isArray(data.series) ? data.series : [])) },
    text: found.map(({ text }) => text).join('\n\n'),
  };
}

/** `this morning`, `last week`; else the day before. */
function pastIn(words: string, now: number): { from: number; to: number } {
  const days = /\blast week|week ago\b/iu.test(words) ? 7 : 1;
  if (!/\bthis morning\b/iu.test(words)) return { from: now - HOUR - days * DAY, to: now + 1 - days * DAY };
  const midnight = Math.floor(now / DAY) * DAY;
  return { from: midnight + 6 * HOUR, to: Math.min(now - HOUR, midnight + 12 * HOUR) };
}

/**
 * Any metric that there is, where it explains more of the question than what is read of every service does; `null` where
 * it does not.
 */
async function anyMetric(args: MetricArgs, facts: Facts): Promise<Found | null> {
  const { catalog } = facts;
  if (catalog === null || args.asked === '') return null;
  const [best] = catalog.find(args.asked);
  // What a rule records is made of what is measured: it is meant where it explains more.
  const least = best?.metric.name.includes(':') ? 1 : 0;
  if (best === undefined || best.left.length + least > unexplained(args, facts)) return null;
  // Of what fails, what is counted has to be what the metric counts: a client's failed calls are no bookings.
  const thing = stem(COUNTED.exec(args.asked)?.[1] ?? '');
  const isCounted = !REQUESTS.test(thing) && wordsOfName(best.metric.name).includes(thing);
  if (thing !== '' && !isCounted && args.metrics.includes('error rate')) return null;
  const { past, condition, except } = args;
  const look: Look = { over: windowOf(args, facts.now), past, condition, except };
  const found = await quantities(args.asked, catalog, look, facts);
  if (found === null) return null;
  const [first] = found.found;
  if (condition !== null && first?.meeting === null && args.metrics.length > 0) return null;
  return {
    data: { metrics: [...found.found, ...found.near], unexplained: found.left },
    text: quantityInWords(found, look, facts.now),
    holds: first?.holds ?? null,
  };
}

/** How many words of the question neither a measure of a service nor the service's name explains; more than any if none reports it. */
function unexplained({ asked, metrics, services, rank, by, percentile }: MetricArgs, facts: Facts): number {
  const profiles = metrics.flatMap((name) => profileNamed(name) ?? []);
  const isReported = services.some((service) =>
    profiles.some(({ measure }) => facts.view.seriesOf(service, measure) !== undefined),
  );
  const isOfScope = services.length === 0 && facts.scope !== null && profiles.length > 0;
  const isOther = profiles.some(
    ({ measure }) =>
      measure === 'latency' &&
      percentile !== null &&
      !services.some(
        (service) => percentile === 100 * Number(facts.view.seriesOf(service, measure)?.signal.quantile),
      ),
  );
  if (isOther) return Number.POSITIVE_INFINITY;
  if (rank === null && by === null && !isReported && !isOfScope) return Number.POSITIVE_INFINITY;
  return termsOf(withoutNames(asked, services)).filter(
    ({ word, called }) => called.length > 0 && !profiles.some((one) => startOf(one).test(word)),
  ).length;
}

/** How many requests of the services failed, since their issue began where the question names no time; `null` if that is not asked. */
async function failuresCounted(args: MetricArgs, facts: Facts): Promise<Found | null> {
  const isAsked = args.metrics.includes('error rate') && COUNTED.test(args.asked);
  const subject = args.services[0] ?? facts.scope?.symptom ?? null;
  if (!isAsked || subject === null) return null;
  const window = windowOf(args, facts.now);
  const over = facts.scope === null || args.isTimed ? window : { from: facts.scope.onset, to: window.to };
  const view = await facts.look(over, [subject]);
  const found = failuresOf(subject, view, over);
  if (found === null) return null;
  facts.evidenceStore.measure(subject, 'errors', over);
  const { failed, all } = found;
  return {
    data: { failures: found },
    text: `About ${amount(failed, '{request}')} to ${subject} failed from ${momentOf(over.from, facts.now)} to ${momentOf(over.to, facts.now)}, of ${amount(all, '{request}')} (${amount(all === 0 ? 0 : failed / all, '1')}).`,
  };
}

const REQUESTS = /^(?:request|call)$/u;
/** What is counted. */
const COUNTED = /\bhow many (?:(?:more|other|of the|of) )?(?!times\b)(\p{L}[\p{L}-]+)/iu;

/**
 * What a question counts, if neither a measure, its unit nor a service that it is about is called so: another thing's
 * is no answer.
 */
function uncountedIn({ asked, metrics, services: named }: MetricArgs, { scope, view }: Facts): string | null {
  const counted = COUNTED.exec(asked)?.[1] ?? '';
  if (PROFILES.some((one) => startOf(one).test(counted))) return null;
  const units = metrics
    .flatMap((name) => profileNamed(name) ?? [])
    .flatMap(({ measure }) =>
      view.services().map(({ name }) => view.seriesOf(name, measure)?.signal.unit ?? ''),
    );
  const known = new Set([...named, ...(scope?.services ?? []), ...units].flatMap(wordsOfName));
  const isThing = termsOf(counted).some(({ called }) => called.length > 0);
  return isThing && !known.has(stem(counted)) ? counted : null;
}

/** The measure that a name in English means; `null` for a name of the source's own. */
function profileNamed(name: string): Profile | null {
  const exact = PROFILES.find(({ label, measure }) => label === name || measure === name);
  return exact ?? (/[_:]/u.test(name) ? null : (PROFILES.find(({ words }) => words.test(name)) ?? null));
}

function windowOf({ from, to }: Pick<MetricArgs, 'from' | 'to'>, now: number) {
  const end = to ?? now + 1;
  return { from: from ?? end - HOUR, to: end };
}

async function ofMeasure({ measure, label }: Profile, args: MetricArgs, facts: Facts): Promise<Found> {
  const asked = servicesFor(args, measure, facts);
  const reporting = facts.view
    .services()
    .map(({ name }) => name)
    .filter((name) => facts.view.seriesOf(name, measure) !== undefined);
  if (asked.length === 0 && facts.scope !== null && facts.scope.services.length === 0)
    return nothing(unmeasured({ number: facts.scope.issue.number, unknown: facts.scope.unknown }));
  // Of the only ones that report it, or of those with the highest level, it is said without asking which.
  if (asked.length === 0 && reporting.length > MOST_ASKED_OF)
    return ranked({ ...args, metrics: [label], rank: 'highest' }, facts);
  if (asked.length === 0 && reporting.length === 0)
    return nothing(`I can’t tell: no service reports ${label}.`);
  const subjects = asked.length === 0 ? reporting : asked;
  const over = windowOf(args, facts.now);
  const view = await facts.look(over, subjects);
  const levels: Level[] = [];
  const texts = subjects.map((service) => {
    const series = view.seriesOf(service, measure);
    const points = series ? view.points(series, over) : [];
    if (!series) return `${service} does not report ${label}. ${reportedBy(reporting, 'These do: ')}`;
    if (points.length === 0)
      return `${service} has no samples of ${series.signal.label} in the ${duration(over.to - over.from)} before ${momentOf(over.to, facts.now)}.`;
    facts.evidenceStore.metric(series, over);
    const level = levelIn(series, points);
    levels.push(level);
    return [...readInstead(args, series.signal), ...inWords(level, over, facts)].join('\n');
  });
  return { data: { series: levels }, text: texts.join('\n\n') };
}

const nothing = (text: string): Found => ({ data: { series: [] }, text });

/** The services that a question about a measure means: those it names, or those of its issue that report it. */
function servicesFor(
  { services: named, all }: MetricArgs,
  measure: Profile['measure'],
  { scope, view }: Facts,
): readonly string[] {
  if (named.length > 0 || scope === null) return named;
  const reporting = scope.services.filter((name) => view.seriesOf(name, measure) !== undefined);
  return reporting.slice(0, all ? MOST_SERVICES : MOST_OF_ISSUE);
}

/** The level of a series over a window. */
interface Level {
  service: string;
  metric: string;
  unit: string;
  last: number;
  /** The mean of the newest minute, where that has several samples; few requests make the newest one noisy. */
  lastMinute: number | null;
  median: number;
  max: number;
  maxAt: string;
  min: number;
  /** What it cannot exceed, if that is measured. */
  limit: number | null;
}

function levelIn({ service, limit, signal: { label, unit } }: Series, points: readonly Point[]): Level {
  const values = points.map(({ value }) => value);
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  const newest = points.at(-1)?.at ?? 0;
  const minute = points.filter(({ at }) => at > newest - MINUTE).map(({ value }) => value);
  return {
    service,
    metric: label,
    unit,
    last: values.at(-1) ?? Number.NaN,
    lastMinute: minute.length > 2 ? mean(minute) : null,
    median: quantile(values, 0.5),
    max: highest.value,
    maxAt: new Date(highest.at).toISOString(),
    min: Math.min(...values),
    limit: limit?.values.at(-1) ?? null,
  };
}

function inWords(
  level: Level,
  { from, to }: { from: number; to: number },
  { now }: Pick<Facts, 'now'>,
): string[] {
  const { service, metric: label, unit, last, lastMinute, median, max, maxAt, min, limit } = level;
  return [
    `**${service} ${label}** in the ${duration(to - from)} before ${momentOf(to, now)}:`,
    '',
    `- last ${amount(last, unit)}${limit === null ? '' : ` of ${amount(limit, unit)}`}${lastMinute === null ? '' : `, ${amount(lastMinute, unit)} over the last minute`}`,
    `- median ${amount(median, unit)}`,
    `- max ${amount(max, unit)} at ${timeOfDay(Date.parse(maxAt))}`,
    `- min ${amount(min, unit)}`,
  ];
}

/** That another percentile is read than the one asked for, or a share instead of a number, is said first. */
function readInstead(
  { percentile: asked, asked: question }: MetricArgs,
  { measure, quantile: measured, unit }: Signal,
): string[] {
  if (unit === '1' && COUNTED.test(question))
    return ['I can’t give the number: the share is what is read here.', ''];
  if (asked === null || measure !== 'latency') return [];
  if (typeof measured === 'number' && asked === measured * 100) return [];
  const read = typeof measured === 'number' ? `the p${measured * 100}` : 'the mean';
  return [`I can’t give the p${asked}: ${read} is what is read here.`, ''];
}

/** For a large system, only some are listed. */
function reportedBy(services: readonly string[], before: string): string {
  if (services.length === 0) return 'No service reports it.';
  const more = services.length > MOST_SERVICES ? ` and ${services.length - MOST_SERVICES} more` : '';
  return `${before}${more === '' ? joinNames(services) : services.slice(0, MOST_SERVICES).join(', ') + more}.`;
}

/** A Prometheus metric name: words of letters and digits joined by underscores. */
const METRIC_NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9]+)+\b/giu;
const MOST_SERIES = 5;

async function byName(name: string, args: MetricArgs, facts: Facts): Promise<Found> {
  const asked = args.services.length > 0 ? args.services : null;
  const over = windowOf(args, facts.now);
  const view = await facts.look(over, asked);
  const isNamed = ({ signal }: Series) => signal.name === name || signal.label === name;
  const among = asked ?? view.services().map((service) => service.name);
  const found = among
    .flatMap((service) => view.series(service).filter(isNamed))
    .map((series) => ({ series, points: view.points(series, over) }))
    .filter(({ points }) => points.length > 0);
  if (found.length === 0) {
    const where = asked === null ? 'No service reports' : `${asked.join(', ')} does not report`;
    return nothing(`${where} a metric called ${echo(name)} in that time, as far as it was read.`);
  }
  const shown = found.slice(0, MOST_SERIES);
  for (const { series } of shown) facts.evidenceStore.metric(series, over);
  const levels = shown.map(({ series, points }) => levelIn(series, points));
  const more = found.length > MOST_SERIES ? [`${found.length - MOST_SERIES} more services report it.`] : [];
  return {
    data: { series: levels },
    text: [...levels.map((level) => inWords(level, over, facts).join('\n')), ...more].join('\n\n'),
  };
}

export function nameIn({ question, named }: { question: string; named: readonly string[] }): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}

/** The last hour against another time. */
async function compared(args: MetricArgs, past: { from: number; to: number }, facts: Facts): Promise<Found> {
  const { now } = facts;
  const over = { from: now - HOUR, to: now + 1 };
  const ago =
    new Map([
      [1, 'a day before'],
      [7, 'a week before'],
    ]).get(Math.round((now - past.to) / DAY)) ?? 'then';
  const subjects = seriesFor(args, facts).slice(0, MOST_OF_ISSUE);
  if (subjects.length === 0) return nothing('Compare what? Name a service, and a metric if you like.');
  const names = subjects.map(({ service }) => service);
  const [today, then] = [await facts.look(over, names), await facts.look(past, names)];
  const series: Record<string, unknown>[] = [];
  const texts = subjects.map(({ service, signal }) => {
    const pick = (view: typeof today, within: typeof over) => {
      const same = view.series(service).find((one) => one.signal.id === signal.id);
      const points = same === undefined ? [] : view.points(same, within);
      return same === undefined || points.length === 0 ? null : { same, level: levelIn(same, points) };
    };
    const [is, was] = [pick(today, over), pick(then, past)];
    if (is !== null) facts.evidenceStore.metric(is.same, over);
    series.push({ now: is?.level ?? null, before: was?.level ?? null });
    const levels = (one: typeof is) =>
      one === null
        ? 'no samples'
        : `median ${amount(one.level.median, signal.unit)}, max ${amount(one.level.max, signal.unit)}`;
    const none = was === null ? `I can’t compare: ${service} has no samples of that time.\n\n` : '';
    return `${none}**${service} ${signal.label}**\n\n- the last hour, to ${timeOfDay(now)}: ${levels(is)}\n- ${ago}, to ${momentOf(past.to, now)}: ${levels(was)}`;
  });
  return { data: { series }, text: texts.join('\n\n') };
}

/** Services, and what they have several of, by their newest level; or those of which a condition holds. */
function ranked(args: MetricArgs, { fine, evidenceStore, now }: Facts): Found {
  const {
    metrics: [name = ''],
    condition,
    except,
    services: own,
  } = args;
  const rank = args.rank ?? (condition?.comparison === 'under' ? 'lowest' : 'highest');
  const measure = profileNamed(name)?.measure ?? (name === '' ? 'errors' : 'other');
  const over = { from: now - HOUR, to: now + 1 };
  const rows = (own.length > 0 ? own : fine.services().map((service) => service.name))
    .filter((service) => !except.includes(service))
    .flatMap((service) => fine.seriesOf(service, measure) ?? [])
    .flatMap((series) => {
      const last = fine.points(series, over).at(-1);
      return last === undefined ? [] : [{ series, last: last.value }];
    })
    .sort((a, b) => (rank === 'lowest' ? a.last - b.last : b.last - a.last));
  const [first] = rows;
  if (first === undefined) return nothing('I can’t tell: no service reports that.');
  evidenceStore.metric(first.series, over);
  const { label, unit } = first.series.signal;
  const meeting =
    condition === null
      ? rows
      : rows.filter(({ series, last }) => meets(last, series.signal.unit, condition) === true);
  const isComparable = condition === null || meets(first.last, unit, condition) !== null;
  const limit =
    condition === null ? '' : `${condition.comparison} ${amount(condition.value, condition.unit)}`;
  const shown = (meeting.length > 0 ? meeting : rows.slice(0, 1)).slice(0, MOST_SERIES);
  const more = meeting.length - shown.length;
  const head =
    condition === null
      ? `**${capitalize(label)} of services at ${timeOfDay(now)}**, the ${rank} first:`
      : !isComparable
        ? `I can’t tell what is ${limit}: ${label} is in ${unit}.`
        : meeting.length === 0
          ? `**None of the ${rows.length} has ${label} ${limit}** at ${timeOfDay(now)}. The ${rank}:`
          : `**${meeting.length} of ${rows.length} ${meeting.length === 1 ? 'has' : 'have'} ${label} ${limit}** at ${timeOfDay(now)}:`;
  return {
    ...(condition !== null && { holds: isComparable ? meeting.length > 0 : null }),
    data: {
      series: shown.map(({ series: { service, signal }, last }) => ({
        service,
        metric: signal.label,
        unit: signal.unit,
        last,
      })),
    },
    text: [
      head,
      '',
      ...shown.map(({ series, last }) => `- ${series.service}: ${amount(last, series.signal.unit)}`),
      ...(more > 0 ? [`- … and ${more} more`] : []),
    ].join('\n'),
  };
}

/** The series that a question is about: by its measure, else those that show its issue, else what callers feel. */
function seriesFor(args: MetricArgs, facts: Facts): readonly Series[] {
  const { scope, view } = facts;
  const measures = args.metrics.flatMap((name) => profileNamed(name)?.measure ?? []);
  if (measures.length === 0 && args.services.length === 0)
    return scope === null ? [] : trackedOf(scope, facts).map(({ series }) => series);
  return (measures.length === 0 ? (['errors', 'latency'] as const) : measures).flatMap((measure) =>
    servicesFor(args, measure, facts).flatMap((service) => view.seriesOf(service, measure) ?? []),
  );
}
