import { z } from 'zod';
import { PROFILES, type Profile } from '../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import type { Series, Signal } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { askedBy, DIMENSION_NAMES, type DimensionName, labelsIn, labelsOf } from './catalog/labels.ts';
import { LIMITED, PER_TIME } from './catalog/measure.ts';
import { stem, termsOf, wordsOfName } from './catalog/terms.ts';
import { dimensionIn, splitOf } from './dimension.ts';
import { echo } from './echo.ts';
import { levelOf, trackedOf } from './issue-scope.ts';
import { AS_ALWAYS, COMPARES, momentOf, pastIn } from './moment.ts';
import { withoutNames } from './names.ts';
import { type Found, services, tool, window } from './tool.ts';
import { askedOf, conditionIn, meets } from './tools/condition.ts';
import { failuresOf } from './tools/failures.ts';
import { type Look, MOST_PARTS, type Part, type Quantity, quantities, quantityOf } from './tools/quantity.ts';
import { sharesOf } from './tools/shares.ts';
import type { Facts } from './types.ts';
import { isOfCourse, isYesNo, startOf, type Turn } from './understand.ts';
import { levelInWords, unmeasured } from './words/course.ts';
import { quantityInWords } from './words/quantity.ts';
import { sharesInWords } from './words/shares.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUARTER = 6 * HOUR;
const WITHOUT_TIME = 3 * HOUR;
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
const HOT =
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
    const { words } = turn;
    const name = nameIn(turn);
    const question = completed(turn, facts);
    const several = / (?:and|or) |,/u.test(words)
      ? PROFILES.filter((profile) => startOf(profile).test(words)).slice(0, MOST_MEASURES)
      : [];
    // *Waiting for a connection* is no number of connections.
    const waits =
      /\bwait\w*|\bpending\b/iu.test(words) && PROFILES.find(({ measure }) => measure === 'waiting');
    const profiles = several.length > 1 ? several : turn.metric === null ? [] : [waits || turn.metric];
    const by = dimensionIn(words);
    const isHot = HOT.test(words);
    const isOfServices = isHot || (RANKED.test(words) && /\bservices?\b/iu.test(words));
    return {
      services: [...turn.services],
      asked: isHot ? '' : question.slice(0, 1_000),
      metrics: isHot ? ['CPU usage'] : name === null ? profiles.map(({ label }) => label) : [name],
      ...turn.window,
      // Of an hour alone, what has gone on for longer would be its median.
      ...(!turn.timed &&
        turn.window.to - turn.window.from === HOUR && {
          from: facts.now - (AS_ALWAYS.test(question) ? DAY : LASTS.test(question) ? QUARTER : WITHOUT_TIME),
        }),
      to: turn.at < facts.now ? turn.window.to : facts.now + 1,
      by: isOfServices ? null : by,
      rank: !isOfServices || turn.named.length > 0 ? null : LOWEST.test(words) ? 'lowest' : 'highest',
      except: [...turn.except],
      isTimed: turn.timed,
      condition: conditionIn(question),
      percentile: Number(/\bp(\d\d(?:\.\d)?)\b/iu.exec(question)?.[1] ?? Number.NaN) || null,
      expectsOne: /\b(?:only|just|single)\b/iu.test(words),
      all: /\ball\b|\beach\b|\bevery/iu.test(words),
    };
  },
  run: async (given, facts) => {
    const { scope, thread, open, now, changes } = facts;
    const own = given.services.length > 0 ? given.services : (scope ?? thread)?.services;
    const began = thread?.onset ?? open[0]?.triggeredAt ?? null;
    const around = { now, services: own ?? [], began, changes };
    const past = await pastIn(isOfLevel(given) ? `${given.asked} as usual` : given.asked, around);
    const args = { ...given, past: given.past ?? past };
    const found =
      (await sharesAsked(args, facts)) ??
      (await anyMetric(args, facts)) ??
      (await failuresCounted(args, facts));
    if (found !== null) return found;
    if (args.rank !== null || args.condition !== null) return ranked(args, facts);
    if (args.by !== null && args.past === null) return await splitByLabel(args.by, args, facts);
    const uncounted = args.past === null ? uncountedIn(args, facts) : null;
    if (uncounted !== null)
      return nothing(`I can’t tell which metric counts ${uncounted}: name it, and I’ll look.`);
    const names = args.metrics.length === 0 && COMPARES.test(args.asked) ? FELT : args.metrics;
    const levels = await Promise.all(names.map((name) => levelsOf(name, args, facts)));
    if (levels.length === 0)
      return nothing(
        `I can’t tell which metric you mean: name one, or a measure such as ${FELT.join(' or ')}.`,
      );
    return {
      data: { metrics: levels.flatMap(({ data }) => (Array.isArray(data.metrics) ? data.metrics : [])) },
      text: levels.map(({ text }) => text).join('\n\n'),
    };
  },
});

const LEAST_COVERED = 0.6;

/** A question that names no measure is about that of the question before it. */
function completed({ question: asked, metricNamed, earlier, instance }: Turn, { catalog }: Facts): string {
  // A metric has the address or pod as it is called, and not whose it is.
  const question = instance === null ? asked : asked.replace(instance.service, instance.name);
  const isOwn =
    earlier === null ||
    metricNamed !== null ||
    (catalog?.find(askedOf(question))[0]?.covered ?? 0) >= LEAST_COVERED;
  return isOwn ? question : `${earlier.replace(/[?.!\s]+$/u, '')}, ${question}`;
}

/** What callers feel. */
const FELT = ['error rate', 'latency'];

/**
 * Any metric that there is, where it explains more of the question than what is read of every service does; `null` where
 * it does not.
 */
async function anyMetric(args: MetricArgs, facts: Facts): Promise<Found | null> {
  const { catalog } = facts;
  if (catalog === null || args.asked === '') return null;
  const asked = askedOf(args.asked);
  if (hasLimit(args, facts)) return null;
  const [best] = catalog.find(asked);
  // What a rule records is made of what is measured: it is meant where it explains more.
  const least = best?.metric.name.includes(':') ? 1 : 0;
  const ours = unexplained(args, facts);
  if (best === undefined || best.left.length + least > ours) return null;
  // What callers feel of a service is what it answers them: not every time that something takes is its latency.
  if (ours === 0 && args.metrics.every((name) => profileNamed(name)?.role === 'symptom')) return null;
  // Of what fails, what is counted has to be what the metric counts: a client's failed calls are no bookings.
  const thing = stem(COUNTED.exec(args.asked)?.[1] ?? '');
  const isCounted = !REQUESTS.test(thing) && wordsOfName(best.metric.name).includes(thing);
  if (thing !== '' && !isCounted && args.metrics.includes('error rate')) return null;
  const { condition } = args;
  const isOfThread =
    args.services.length === 0 && !args.all && labelsIn(asked, labelsOf(catalog)).length === 0;
  const subjects = isOfThread ? (facts.scope?.services ?? []) : [];
  const look = { ...lookOf(args, facts.now), subjects };
  const found = await quantities(asked, catalog, look, facts);
  if (found === null) return null;
  const [first] = found.found;
  if (condition !== null && first?.meeting === null && args.metrics.length > 0) return null;
  return {
    data: { metrics: [...found.found, ...found.near] },
    text: quantityInWords(found, look, facts.now),
    holds: first?.holds ?? null,
  };
}

/** Whether it is asked how much of something is taken, and a measure of the services says how much there is. */
function hasLimit({ asked, metrics, services: named }: MetricArgs, { view, scope }: Facts): boolean {
  const all = view.services().map(({ name }) => name);
  const own = named.length > 0 ? named : (scope?.services ?? all);
  return (
    LIMITED.test(asked) &&
    metrics.some((name) => {
      const { measure } = profileNamed(name) ?? {};
      return measure !== undefined && own.some((service) => view.seriesOf(service, measure)?.limit != null);
    })
  );
}

/** Which of them fail, or are hit, by a label that a counter of the services has. */
async function sharesAsked(
  { asked, services: named, past }: MetricArgs,
  facts: Facts,
): Promise<Found | null> {
  if (
    past !== null ||
    !HIT.test(asked) ||
    /\b(?:most|least|many)\b/iu.test(asked) ||
    askedBy(asked).length === 0
  )
    return null;
  const own = named.length > 0 ? named : [...(facts.scope?.services ?? []), ...(facts.scope?.causes ?? [])];
  const shares = own.length === 0 ? null : await sharesOf(asked, own, facts);
  return shares === null ? null : { data: { shares }, text: sharesInWords(shares) };
}

const HIT = /\b(?:fail\w*|errors?|hit|affected|impacted|broken|only|just)\b/iu;

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
const COUNTED = /\bhow many (?:(?:more|other|of the|of) )?(?!times\b|max\b|total\b)(\p{L}[\p{L}-]+)/iu;

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
  const terms = termsOf(counted).filter(({ called }) => called.length > 0);
  const isKnown = terms.some(({ called }) => called.some((one) => known.has(one)));
  return terms.length > 0 && !isKnown ? counted : null;
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

/** Asks how long there is enough of something. */
const LASTS =
  /\b(?:until|till?|how long (?:until|till?|does|will|before))\b|\bwhen (?:is|does|will)\b|\bfill\w*|\b(?:does|will) [\w-]+ last\b/iu;
const HOW_OFTEN = /\bhow (?:many|often)\b|\bnumber of\b|\bcount\b/iu;

/** Whether it is asked if a level is one that needs somebody: that is told by what it is else. */
function isOfLevel({ asked, condition, by, rank, isTimed }: MetricArgs): boolean {
  return isYesNo(asked) && condition === null && by === null && rank === null && !isTimed;
}

function lookOf(args: MetricArgs, now: number): Look {
  const { past, condition, except, asked, isTimed } = args;
  return {
    over: windowOf(args, now),
    ...{ past, condition, except, isTimed, subjects: [] },
    isOfCourse: isOfCourse(asked, 'course') || LASTS.test(asked),
    isOfEnd: LASTS.test(asked),
    isOfUsual: AS_ALWAYS.test(args.asked) || isOfLevel(args),
    isOfCount: isTimed && past === null && HOW_OFTEN.test(asked) && !PER_TIME.test(asked),
  };
}

function nothing(text: string): Found {
  return { data: { metrics: [] }, text };
}

/** What was read, with what is said before and after it. */
function toldOf(
  found: readonly Quantity[],
  look: Look,
  now: number,
  around: { before?: string; after?: string[] } = {},
): Found {
  const own = found.length === 0 ? '' : quantityInWords({ found: [...found], near: [] }, look, now);
  const text = [around.before ?? '', own, ...(around.after ?? [])];
  return { data: { metrics: found }, text: text.filter((one) => one !== '').join('\n\n') };
}

/** The level of a measure, or of a metric by its name, of each service that is meant. */
async function levelsOf(name: string, args: MetricArgs, facts: Facts): Promise<Found> {
  const profile = profileNamed(name);
  const label = profile?.label ?? `a metric called ${echo(name)}`;
  const seriesIn = (view: View, service: string): Series[] =>
    profile === null
      ? view.series(service).filter(({ signal }) => signal.name === name || signal.label === name)
      : [view.seriesOf(service, profile.measure) ?? []].flat();
  const known = facts.view.services().map((one) => one.name);
  const reporting = known.filter((service) => seriesIn(facts.view, service).length > 0);
  const asked = profile === null ? args.services : servicesFor(args, profile.measure, facts);
  if (profile !== null && asked.length === 0) {
    if (facts.scope?.services.length === 0)
      return nothing(unmeasured({ number: facts.scope.issue.number, unknown: facts.scope.unknown }));
    // Of the only ones that report it, or of those with the highest level, it is said without asking which.
    if (reporting.length > MOST_ASKED_OF)
      return ranked({ ...args, metrics: [label], rank: 'highest' }, facts);
  }
  const subjects = asked.length > 0 ? asked : profile === null ? known : reporting;
  const look = lookOf(args, facts.now);
  const view = await facts.look(look.over, asked.length === 0 && profile === null ? null : subjects);
  const then = look.past === null ? null : await facts.look(look.past, subjects);
  const all = subjects.flatMap((service) => seriesIn(view, service));
  const read = all.slice(0, MOST_SERVICES).flatMap((series) => {
    const one = quantityOf(series, view, look.over, then, look.past);
    if (one !== null) facts.evidenceStore.metric(series, look.over);
    return one ?? [];
  });
  const without = asked.filter((service) => !read.some((one) => one.service === service));
  const [first] = all;
  return toldOf(read, look, facts.now, {
    before: first === undefined ? '' : readInstead(args, first.signal),
    after: [
      ...without.map((service) =>
        all.some((one) => one.service === service)
          ? `${service} has no samples of ${label} in the ${duration(look.over.to - look.over.from)} before ${momentOf(look.over.to, facts.now)}.`
          : `${service} does not report ${label}${profile === null ? ' in that time, as far as I could read' : ''}. ${profile === null ? '' : reportedBy(reporting)}`.trim(),
      ),
      ...(asked.length === 0 && read.length === 0
        ? [`I can’t tell: no service reports ${label}, as far as I could read.`]
        : []),
    ],
  });
}

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

/** That another percentile is read than the one asked for, or a share instead of a number, is said first. */
function readInstead(
  { percentile: asked, asked: question }: MetricArgs,
  { measure, quantile: measured, unit }: Signal,
): string {
  if (unit === '1' && COUNTED.test(question)) return 'I can’t give a count, only the ratio.';
  if (asked === null || measure !== 'latency') return '';
  if (typeof measured === 'number' && asked === measured * 100) return '';
  const read = typeof measured === 'number' ? `the p${measured * 100}` : 'the mean';
  return `I can’t give the p${asked}, only ${read}.`;
}

/** For a large system, only some are listed. */
function reportedBy(services: readonly string[]): string {
  if (services.length === 0) return 'No service reports it.';
  const more = services.length - MOST_SERVICES;
  return `These do: ${more > 0 ? `${services.slice(0, MOST_SERVICES).join(', ')} and ${more} more` : joinNames(services)}.`;
}

/** A Prometheus metric name: words of letters and digits joined by underscores. */
const METRIC_NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9]+)+\b/giu;

export function nameIn({ question, named }: { question: string; named: readonly string[] }): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}

function partOf({ now, limit }: Quantity, { service }: Series): Part {
  return { value: now, labels: { service }, ...(limit !== null && { limit }) };
}

/** Of what has limits, how near it is to its own. */
function fullnessOf({ one: { now, limit } }: { one: Quantity }): number {
  return limit === null ? now : now / limit;
}

/** Services by their newest level; or those of which a condition holds. */
function ranked(args: MetricArgs, { fine, evidenceStore, now }: Facts): Found {
  const { condition, except, services: own } = args;
  const [name = 'error rate'] = args.metrics;
  const rank = args.rank ?? (condition?.comparison === 'under' ? 'lowest' : 'highest');
  const measure = profileNamed(name)?.measure ?? 'other';
  const look = { ...lookOf(args, now), over: { from: now - HOUR, to: now + 1 }, past: null, except: [] };
  const rows = (own.length > 0 ? own : fine.services().map((service) => service.name))
    .filter((service) => !except.includes(service))
    .flatMap((service) => fine.seriesOf(service, measure) ?? [])
    .flatMap((series) => {
      const one = quantityOf(series, fine, look.over, null, null);
      return one === null ? [] : [{ one, series, part: partOf(one, series) }];
    })
    .sort((a, b) => (rank === 'lowest' ? fullnessOf(a) - fullnessOf(b) : fullnessOf(b) - fullnessOf(a)));
  const [first] = rows;
  if (first === undefined) return nothing('I can’t tell: no service reports that.');
  evidenceStore.metric(first.series, look.over);
  const met = rows.map(({ one }) => (condition === null ? null : meets(one.now, one.unit, condition)));
  const meeting = met.includes(null) ? null : rows.filter((_, i) => met[i] === true);
  const listed = meeting !== null && meeting.length > 0 ? meeting : rows;
  const parts = listed.slice(0, MOST_PARTS).map(({ part }) => part);
  const all = { parts, partsInAll: rows.length, meeting: meeting?.length ?? null };
  return {
    ...toldOf([{ ...first.one, ...all }], look, now, {
      before: `**${capitalize(first.one.name)} of ${rows.length} services at ${timeOfDay(now)}**, ${rank} first:`,
    }),
    ...(condition !== null && { holds: meeting === null ? null : meeting.length > 0 }),
  };
}

/** A level of a service by the values of a label; routes are counted in logs and traces where no metric has them. */
async function splitByLabel(by: DimensionName, args: MetricArgs, facts: Facts): Promise<Found> {
  const { scope } = facts;
  const own = (args.services.length > 0 ? args.services : (scope?.services ?? [])).slice(0, MOST_OF_ISSUE);
  if (own.length === 0)
    return nothing(
      scope?.unknown
        ? `I can’t tell: there are no metrics for ${scope.unknown}.`
        : `Which ${by} of which service?`,
    );
  const to = args.to ?? facts.now + 1;
  const look = { ...lookOf(args, facts.now), over: { from: Math.max(args.from ?? 0, to - HOUR), to } };
  const splits = await Promise.all(own.map((service) => splitOf(service, by, look.over, facts)));
  const found = splits.filter((one) => one !== null);
  const [first] = found;
  if (first !== undefined)
    return {
      ...toldOf(found, look, facts.now),
      ...(args.expectsOne && { holds: isOfOne(first) }),
    };
  const [sources, what] =
    by === 'route' ? ['no metric, log line or trace', 'names a route'] : ['no metric', `has a ${by} label`];
  const levels =
    scope === null ? [] : trackedOf(scope, facts).map((one) => `- ${levelInWords(levelOf(one))}`);
  const cannot = `I can’t tell which ${by}: ${sources} of ${joinNames(own)} ${what} here.`;
  return nothing(levels.length === 0 ? cannot : `${cannot} By service:\n\n${levels.join('\n')}`);
}

/** Whether one part has far more than the next. */
function isOfOne({ parts: [first, second], partsInAll }: Quantity): boolean {
  return partsInAll === 1 || (first?.value ?? 0) > 3 * (second?.value ?? 0);
}
