import { z } from 'zod';
import { PROFILES, type Profile } from '../investigation/anomalies.ts';
import { capitalize, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import type { Series, Signal } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { DIMENSION_NAMES, type DimensionName } from './catalog/labels.ts';
import { PER_TIME } from './catalog/measure.ts';
import { failingRoutes, splitOf } from './dimension.ts';
import { echo } from './echo.ts';
import { levelOf, trackedOf } from './issue-scope.ts';
import { AS_ALWAYS, momentOf } from './moment.ts';
import { type Found, services, window } from './tool.ts';
import { meets } from './tools/condition.ts';
import { type Look, MOST_PARTS, type Part, type Quantity, quantityOf } from './tools/quantity.ts';
import { isCompared, sharesOf } from './tools/shares.ts';
import type { Facts } from './types.ts';
import { isOfCourse, isYesNo } from './understand.ts';
import { levelInWords, unmeasured } from './words/course.ts';
import { quantityInWords } from './words/quantity.ts';
import { sharesInWords } from './words/shares.ts';

export const HOUR = 3_600_000;
const MOST_SERVICES = 20;
/** Of an issue, so many services are shown where the question names none. */
const MOST_OF_ISSUE = 2;
export const MOST_MEASURES = 3;
const MOST_ASKED_OF = 2;

export const input = z.object({
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
export type MetricArgs = z.output<typeof input>;

/** What is counted. */
export const COUNTED = /\bhow many (?:(?:more|other|of the|of) )?(?!times\b|max\b|total\b)(\p{L}[\p{L}-]+)/iu;

/** The measure that a name in English means; `null` for a name of the source's own. */
export function profileNamed(name: string): Profile | null {
  const exact = PROFILES.find(({ label, measure }) => label === name || measure === name);
  return exact ?? (/[_:]/u.test(name) ? null : (PROFILES.find(({ words }) => words.test(name)) ?? null));
}

export function windowOf({ from, to }: Pick<MetricArgs, 'from' | 'to'>, now: number) {
  const end = to ?? now + 1;
  return { from: from ?? end - HOUR, to: end };
}

/** Asks how long there is enough of something. */
export const LASTS =
  /\b(?:until|till?|how long (?:until|till?|does|will|before))\b|\bwhen (?:is|does|will)\b|\bfill\w*|\b(?:does|will) [\w-]+ last\b/iu;
const HOW_OFTEN = /\bhow (?:many|often)\b|\bnumber of\b|\bcount\b/iu;

/** Whether it is asked if a level is one that needs somebody: that is told by what it is else. */
export function isOfLevel({ asked, condition, by, rank, isTimed }: MetricArgs): boolean {
  return isYesNo(asked) && condition === null && by === null && rank === null && !isTimed;
}

export function lookOf(args: MetricArgs, now: number): Look {
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

export function nothing(text: string): Found {
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
export async function levelsOf(name: string, args: MetricArgs, facts: Facts): Promise<Found> {
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

function partOf({ now, limit }: Quantity, { service }: Series): Part {
  return { value: now, labels: { service }, ...(limit !== null && { limit }) };
}

/** Of what has limits, how near it is to its own. */
function fullnessOf({ one: { now, limit } }: { one: Quantity }): number {
  return limit === null ? now : now / limit;
}

/** Services by their newest level; or those of which a condition holds. */
export function ranked(args: MetricArgs, { fine, evidenceStore, now }: Facts): Found {
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
export async function splitByLabel(by: DimensionName, args: MetricArgs, facts: Facts): Promise<Found> {
  const { scope } = facts;
  const own = (args.services.length > 0 ? args.services : (scope?.services ?? [])).slice(0, MOST_OF_ISSUE);
  if (own.length === 0)
    return nothing(
      scope?.unknown
        ? `I can’t tell: there are no metrics for ${scope.unknown}.`
        : `Which ${by} of which service?`,
    );
  const to = args.to ?? facts.now + 1;
  const over = { from: Math.max(args.from ?? 0, to - HOUR), to };
  const split = (await Promise.all(own.map((service) => splitOf(service, by, over, facts)))).find(
    (one) => one !== null,
  );
  const shares =
    split ??
    (await sharesOf(`which ${by}`, own, facts)) ??
    (by === 'route' ? await failingRoutes(own[0] ?? '', over, facts) : null);
  if (shares !== null)
    return {
      data: { shares },
      text: sharesInWords(shares),
      ...(args.expectsOne &&
        (split !== undefined || isCompared(shares)) && {
          holds: shares.failing !== null || shares.moved !== null,
        }),
    };
  const [sources, what] =
    by === 'route' ? ['no metric, log line or trace', 'names a route'] : ['no metric', `has a ${by} label`];
  const levels =
    scope === null ? [] : trackedOf(scope, facts).map((one) => `- ${levelInWords(levelOf(one))}`);
  const cannot = `I can’t tell which ${by}: ${sources} of ${joinNames(own)} ${what} here.`;
  return nothing(levels.length === 0 ? cannot : `${cannot} By service:\n\n${levels.join('\n')}`);
}
