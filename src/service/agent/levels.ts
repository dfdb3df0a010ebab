import { z } from 'zod';
import { PROFILES, type Profile } from '../investigation/anomalies.ts';
import { capitalize, duration, joinNames, labelOf, timeOfDay } from '../investigation/format.ts';
import type { Series, Signal, Window } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { isOfExporter } from './catalog/find.ts';
import { DIMENSION_NAMES } from './catalog/labels.ts';
import { asksForCount, HOW_OFTEN } from './catalog/measure.ts';
import { isEmpty, isRequest, stem, type Term, termsOf, wordsOfName } from './catalog/terms.ts';
import { echo } from './echo.ts';
import { AS_ALWAYS, momentOf, periodIn } from './moment.ts';
import { cannotTell, type Found, services, window, windowOf } from './tool.ts';
import { askedOf, meets } from './tools/condition.ts';
import { failuresOf } from './tools/failures.ts';
import { type Look, MOST_PARTS, type Part, type Quantity, quantityOf } from './tools/quantity.ts';
import type { Facts } from './types.ts';
import { isOfCourse, isYesNo, startOf } from './understand.ts';
import { unmeasured } from './words/course.ts';
import { quantityInWords } from './words/quantity.ts';

export const HOUR = 3_600_000;
const MOST_SERVICES = 20;
/** Of an issue, so many services are shown where the question names none. */
export const MOST_OF_ISSUE = 2;
export const MOST_MEASURES = 3;
const MOST_ASKED_OF = 2;
export const FAILING = 'error rate';

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
  except: z.array(z.string().max(200)).max(20).default([]),
  isTimed: z.boolean().default(false),
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

/** Asks how long there is enough of something. */
export const LASTS =
  /\b(?:until|till?|how long (?:until|till?|does|will|before))\b|\bwhen (?:is|does|will)\b|\bfill\w*|\b(?:does|will) [\w-]+ last\b/iu;
export const SINCE = /\bsince when\b|\bwhen did (?:it|this|that) (?:start|begin)\b/iu;

/** Whether it is asked if a level is one that needs somebody: that is told by what it is else. */
export function isOfLevel({ asked, condition, by, rank, isTimed }: MetricArgs): boolean {
  return isYesNo(asked) && condition === null && by === null && rank === null && !isTimed;
}

export function lookOf(args: MetricArgs, { now, scope }: Facts): Look {
  const { past, condition, except, asked, isTimed, metrics } = args;
  const over = windowOf(args, now);
  // Of a trouble, all that there was of it.
  const isOfTrouble = scope !== null && !isTimed;
  const isCounted = asksForCount(asked) && (isTimed || isOfTrouble || metrics.includes(FAILING));
  return {
    over,
    ...{ past, condition, except, isTimed },
    period: HOW_OFTEN.test(asked) ? null : periodIn(asked),
    isOfCourse: isOfCourse(asked, 'course') || LASTS.test(asked),
    isOfEnd: LASTS.test(asked),
    isOfUsual: AS_ALWAYS.test(args.asked) || isOfLevel(args),
    isOfSince: SINCE.test(asked),
    counted: past !== null || !isCounted ? null : isOfTrouble ? { from: scope.onset, to: over.to } : over,
  };
}

export function nothing(text: string): Found {
  return cannotTell(text, { metrics: [] });
}

/** The services that are asked about: those that are named, or those of the issue. */
export function thingsOf({ services: named, all }: MetricArgs, { scope }: Facts): readonly string[] {
  return named.length > 0 || all ? named : (scope?.services ?? []);
}

/** What is read of the services that are asked about and explains most of a question; `null` where they report nothing of it. */
export interface Own {
  names: readonly string[];
  left: readonly string[];
  /** Whether it is what callers feel, or how many they are. */
  isFelt: boolean;
}

export function ownOf(args: MetricArgs, facts: Facts): Own | null {
  const { metrics, asked, rank, by, percentile } = args;
  const { view } = facts;
  const named = thingsOf(args, facts);
  const isOfAll = named.length === 0;
  if (asked === '') return metrics.length === 0 ? null : { names: metrics, left: [], isFelt: true };
  if (isOfAll && rank === null && by === null && facts.catalog !== null) return null;
  const isName = ({ word }: Term) =>
    named.some((one) => one === word || wordsOfName(one).includes(stem(word)));
  const terms = termsOf(askedOf(asked)).filter((one) => one.called.length > 0 && !isName(one));
  const all = (isOfAll ? view.services().map(({ name }) => name) : named).flatMap((service) =>
    view.series(service).filter((one) => one.edge === null && !isOfExporter(one, facts.catalog)),
  );
  const found = new Map(
    all.map((series) => {
      const profile = PROFILES.find(({ measure }) => measure === series.signal.measure);
      const isOther = profile?.measure === 'other' || profile === undefined;
      const name = isOther ? series.signal.label : profile.label;
      const { label: own, unit } = series.signal;
      const label = wordsOfName(`${own} ${name} ${unit}`);
      const [match = ''] = (!isOther && startOf(profile).exec(asked)) || [];
      const isSaid = ({ word }: Term) =>
        match.toLowerCase().includes(word) ||
        (!isOther && startOf(profile).test(word)) ||
        label.includes(stem(word)) ||
        (series.limit !== null && /^(?:max|limit|maximum|allowed)$/u.test(word));
      const isExact =
        percentile === null || profile?.measure !== 'latency' || isQuantile(series.signal, percentile);
      const said = isExact ? terms.filter(isSaid) : [];
      const worth =
        said.length + label.filter((one) => terms.some(({ word }) => stem(word) === one)).length / 10;
      return [
        name,
        { said, worth, profile, isOther, order: profile === undefined ? 99 : PROFILES.indexOf(profile) },
      ];
    }),
  );
  const [best, ...others] = [...found]
    // What has no everyday name is meant by all of the question.
    .filter(([, { said, isOther }]) => said.length > 0 && (!isOther || said.length === terms.length))
    .sort(([, a], [, b]) => b.worth - a.worth || a.order - b.order);
  if (best === undefined) return null;
  // *Error rate and latency* are two.
  const several = metrics.length > 1 ? others.filter(([name]) => metrics.includes(name)) : [];
  const chosen = [best, ...several];
  const said = new Set(chosen.flatMap(([, one]) => one.said));
  return {
    names: chosen.map(([name]) => name),
    left: terms
      .filter((term) => !said.has(term) && !isEmpty(term.word) && !isRequest(term.word))
      .map(({ word }) => word),
    isFelt: chosen.every(([, { profile }]) => profile?.role === 'symptom' || profile?.measure === 'requests'),
  };
}

function isQuantile({ quantile }: Signal, percentile: number): boolean {
  return percentile === 100 * Number(quantile);
}

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
  const seriesIn = (view: View, service: string): Series[] => {
    const own = view.series(service).filter(({ signal }) => signal.name === name || signal.label === name);
    const isMeasure = profile !== null && (own.length === 0 || profile.label === name);
    return isMeasure ? [view.seriesOf(service, profile.measure) ?? []].flat() : own;
  };
  const known = facts.view.services().map((one) => one.name);
  const reporting = known.filter((service) => seriesIn(facts.view, service).length > 0);
  const label = profile?.label ?? (reporting.length > 0 ? name : `a metric called ${echo(name)}`);
  const ofIssue = facts.scope?.services ?? [];
  const own = ofIssue.filter((one) => reporting.includes(one));
  const asked =
    args.services.length > 0
      ? args.services
      : (own.length > 0 ? own : ofIssue).slice(0, args.all ? MOST_SERVICES : MOST_OF_ISSUE);
  if (profile !== null && asked.length === 0) {
    if (facts.scope?.services.length === 0)
      return nothing(unmeasured({ number: facts.scope.issue.number, unknown: facts.scope.unknown }));
    // Of the only ones that report it, or of those with the highest level, it is said without asking which.
    if (reporting.length > MOST_ASKED_OF)
      return ranked({ ...args, metrics: [label], rank: 'highest' }, facts);
  }
  const subjects = asked.length > 0 ? asked : reporting;
  const look = lookOf(args, facts);
  const view = await facts.look(look.over, subjects);
  const then = look.past === null ? null : await facts.look(look.past, subjects);
  const all = subjects.flatMap((service) => seriesIn(view, service));
  const counted =
    profile?.label !== FAILING || look.counted === null
      ? []
      : await failuresCounted(subjects, look.counted, facts);
  const read = all.slice(0, MOST_SERVICES).flatMap((series) => {
    const failed = counted.find(({ service }) => service === series.service);
    if (failed !== undefined) return failed;
    const one = quantityOf(series, view, look.over, then, look.past);
    if (one !== null) facts.evidenceStore.metric(series, look.over);
    return one ?? [];
  });
  const without = asked.filter((service) => !read.some((one) => one.service === service));
  const [first] = all;
  return toldOf(read, look, facts.now, {
    before: first === undefined || counted.length > 0 ? '' : readInstead(args, first.signal),
    after: [
      ...without.map((service) =>
        all.some((one) => one.service === service)
          ? `${service} has no samples of ${label} in the ${duration(look.over.to - look.over.from)} before ${momentOf(look.over.to, facts.now)}.`
          : `${service} does not report ${label}${profile === null ? ' in that time, as far as I could read' : ''}. ${profile === null ? '' : reportedBy(reporting)}`.trim(),
      ),
      ...(args.except.length === 0 || args.except.every((one) => known.includes(one))
        ? []
        : [`I can’t leave ${joinNames(args.except)} out of this.`]),
      ...(asked.length === 0 && read.length === 0
        ? [`I can’t tell: no service reports ${label}, as far as I could read.`]
        : []),
    ],
  });
}

/** That another percentile is read than the one asked for, or a share instead of a number, is said first. */
function readInstead({ percentile: asked, asked: question }: MetricArgs, signal: Signal): string {
  if (signal.unit === '1' && COUNTED.test(question)) return 'I can’t give a count, only the ratio.';
  if (asked === null || signal.measure !== 'latency' || isQuantile(signal, asked)) return '';
  const read = typeof signal.quantile === 'number' ? `the p${signal.quantile * 100}` : 'the mean';
  return `I can’t give the p${asked}, only ${read}.`;
}

/** For a large system, only some are listed. */
function reportedBy(services: readonly string[]): string {
  if (services.length === 0) return 'No service does, as far as I could read.';
  const more = services.length - MOST_SERVICES;
  return `These do: ${more > 0 ? `${services.slice(0, MOST_SERVICES).join(', ')} and ${more} more` : joinNames(services)}.`;
}

/** Services by their newest level; or those of which a condition holds. */
export function ranked(args: MetricArgs, facts: Facts): Found {
  const { fine, evidenceStore, now } = facts;
  const { condition, except, services: own } = args;
  const [name = FAILING] = args.metrics;
  const rank = args.rank ?? (condition?.comparison === 'under' ? 'lowest' : 'highest');
  const measure = profileNamed(name)?.measure ?? 'other';
  const look = { ...lookOf(args, facts), over: { from: now - HOUR, to: now + 1 }, past: null, except: [] };
  const rows = (own.length > 0 ? own : fine.services().map((service) => service.name))
    .filter((service) => !except.includes(service))
    .flatMap((service) => fine.seriesOf(service, measure) ?? [])
    .flatMap((series) => {
      const one = quantityOf(series, fine, look.over, null, null);
      if (one === null) return [];
      const limit = one.limit === null ? {} : { limit: one.limit };
      const part: Part = { value: one.now, labels: { service: series.service }, ...limit };
      // Of what has limits, how near it is to its own.
      return [{ one, series, part, size: one.now / (one.limit ?? 1) }];
    })
    .sort((a, b) => (rank === 'lowest' ? a.size - b.size : b.size - a.size));
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
      before: `**${capitalize(labelOf(first.series))} of ${rows.length} services at ${timeOfDay(now)}**, ${rank} first:`,
    }),
    says: meeting === null ? null : { relation: 'over_limit', holds: meeting.length > 0 },
  };
}

/** How many requests of each service failed in a window, of how many; nothing of those of which that is not measured. */
async function failuresCounted(services: readonly string[], over: Window, facts: Facts): Promise<Quantity[]> {
  const view = await facts.look(over, services);
  return services.flatMap((service) => {
    const [found, series] = [failuresOf(service, view, over), view.seriesOf(service, 'errors')];
    const read = series === undefined ? null : quantityOf(series, view, over, null, null);
    if (found === null || read === null) return [];
    facts.evidenceStore.measure(service, 'errors', over);
    const { failed, all } = found;
    return { ...read, name: 'failed requests', unit: '{request}', isInAll: true, now: failed, limit: all };
  });
}
