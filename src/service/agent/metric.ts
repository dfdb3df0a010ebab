import type { z } from 'zod';
import { PROFILES } from '../investigation/anomalies.ts';
import { duration, joinNames } from '../investigation/format.ts';
import { type Candidate, type Catalog, JOB } from './catalog/find.ts';
import { askedBy, type DIMENSIONS, dimensionIn, labelsIn, labelsOf } from './catalog/labels.ts';
import { asksForCount } from './catalog/measure.ts';
import { isEmpty, isRequest, stem, type Term, termsOf, wordsOfName } from './catalog/terms.ts';
import { levelOf, onsetOf, trackedOf } from './issue-scope.ts';
import {
  COUNTED,
  FAILING,
  HOUR,
  input,
  isOfLevel,
  LASTS,
  levelsOf,
  lookOf,
  type MetricArgs,
  MOST_MEASURES,
  MOST_OF_ISSUE,
  nothing,
  type Own,
  ownOf,
  profileNamed,
  ranked,
  SINCE,
  thingsOf,
} from './levels.ts';
import { AS_ALWAYS, compares, pastIn, periodIn } from './moment.ts';
import { COMPOUND, isRunOf, SHAPED } from './names.ts';
import { type Found, tool } from './tool.ts';
import { commonOf } from './tools/common.ts';
import { askedOf, conditionIn } from './tools/condition.ts';
import { quantities } from './tools/quantity.ts';
import { runsOf } from './tools/runs.ts';
import { sharesOf } from './tools/shares.ts';
import type { Facts, IssueOverview } from './types.ts';
import { startOf, type Turn } from './understand.ts';
import { commonInWords } from './words/common.ts';
import { levelInWords } from './words/course.ts';
import { quantityInWords } from './words/quantity.ts';
import { runsInWords } from './words/runs.ts';
import { sharesInWords } from './words/shares.ts';

const DAY = 24 * HOUR;
const QUARTER = 6 * HOUR;
const WITHOUT_TIME = 3 * HOUR;

const RANKED =
  /\b(?:which|what)\b.*\b(?:slow\w*|most|highest|worst|busiest|fail\w*|errors?|least|lowest|fewest)\b|\b(?:slowest|fastest|worst|busiest|highest|lowest|top)\b/iu;
/** A machine that has much to do. */
const HOT =
  /\b(?:hosts?|nodes?|machines?|servers?|boxe?s?|vms?)\b.*\b(?:hot(?:test)?|busy|busiest|loaded|overloaded|maxed|pegged|struggl\w+)\b|\b(?:hot(?:test)?|busiest|overloaded) (?:hosts?|nodes?|machines?|servers?|vms?)\b/iu;
const LOWEST = /\b(?:lowest|least|fewest|fastest)\b/iu;
/** What callers feel. */
const FELT = [FAILING, 'latency'];

/** The error rate of payments in the last 30 minutes? Which endpoint fails? Which service is the slowest? */
export const metric = tool({
  name: 'metric',
  answers:
    'a series: its level now and over a time, as a chart; by route, pod, region …; services by level; today against yesterday',
  example: 'Show the error rate of {service} in the last 30 minutes',
  input,
  fill: (turn, facts): z.input<typeof input> => {
    const { words } = turn;
    const said = nameIn(turn);
    const name = said === null ? null : wholeName(said, facts.catalog);
    const question = completed(turn, facts).replace(said ?? '', name ?? '');
    const several = / (?:and|or) |,/u.test(words)
      ? PROFILES.filter((profile) => startOf(profile).test(words)).slice(0, MOST_MEASURES)
      : [];
    const profiles = several.length > 1 ? several : turn.metric === null ? [] : [turn.metric];
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
      // What it was before has to be more of it.
      ...(SINCE.test(question) && { from: beforeOnset(facts) }),
      to: turn.at < facts.now ? turn.at : facts.now + 1,
      by: isOfServices ? null : dimensionIn(words),
      rank: !isOfServices || turn.named.length > 0 ? null : LOWEST.test(words) ? 'lowest' : 'highest',
      except: [...turn.except],
      isTimed: turn.timed,
      condition: conditionIn(question),
      percentile: Number(/\bp(\d\d(?:\.\d)?)\b/iu.exec(question)?.[1] ?? Number.NaN) || null,
      expectsOne: /\b(?:only|just|single)\b/iu.test(words),
      // All pods of what is asked about are none of everything.
      all: dimensionIn(words) === null && /\ball\b|\beach\b|\bevery/iu.test(words),
    };
  },
  run: async (given, facts) => {
    const { scope, thread, open, now, changes } = facts;
    const things = given.services.length > 0 ? given.services : ((scope ?? thread)?.services ?? []);
    const shaped = (given.asked.match(SHAPED) ?? []).filter((one) => !COMPOUND.test(one));
    const about = shaped.length > 0 ? shaped : things;
    // Of several open issues, that which names it first.
    const placeIn = ({ title, rootCauseSummary }: IssueOverview) =>
      Math.min(
        ...about.map((one) => `${title} ${rootCauseSummary ?? ''}`.indexOf(one)).filter((at) => at >= 0),
      );
    const naming = open.filter((one) => about.length === 0 || Number.isFinite(placeIn(one)));
    const other = thread === null ? naming.toSorted((a, b) => placeIn(a) - placeIn(b))[0] : undefined;
    const record = other === undefined ? null : await facts.issues.byNumber(other.number);
    const began = thread?.onset ?? (record === null ? null : onsetOf(record));
    const around = { now, services: things, began, changes };
    const past = await pastIn(isOfLevel(given) ? `${given.asked} as usual` : given.asked, around);
    const args = { ...given, past: given.past ?? past };
    // Whether it comes each hour, the past of a metric tells.
    const isOfRhythm = facts.catalog !== null && periodIn(args.asked) !== null;
    const own = isOfRhythm ? null : ownOf(args, facts);
    const found =
      (await sharesAsked(args, facts)) ??
      (await runsAsked(args, facts)) ??
      (await anyMetric(args, own, facts));
    if (found !== null) return found;
    if (args.rank !== null || args.condition !== null) return ranked(args, facts);
    if (args.by !== null && args.past === null) return await apart(args.by, args, facts);
    const counted = COUNTED.exec(args.asked)?.[1] ?? '';
    const isOurs = (name: string) => profileNamed(name)?.words.test(counted) === true;
    const isLeft = own === null ? !args.metrics.some(isOurs) : own.left.includes(counted.toLowerCase());
    const isOfFailures = args.metrics.includes(FAILING) && (own?.left.length ?? 0) <= 1;
    const isUncounted = args.past === null && counted !== '' && isLeft && !isOfFailures;
    const isFelt = own === null && args.metrics.length === 0 && compares(args.asked, now);
    const names = isUncounted ? [] : isFelt ? FELT : (own?.names ?? args.metrics);
    if (names.length === 0) return notMeasured(isUncounted ? [counted] : [], args, facts);
    const levels = await Promise.all(names.map((name) => levelsOf(name, args, facts)));
    const wider = facts.catalog === null ? [] : notTaken(own?.left ?? [], args, facts.catalog);
    return {
      data: {
        metrics: levels.flatMap(({ data }) => (Array.isArray(data.metrics) ? data.metrics : [])),
        notLimitedTo: wider,
      },
      text: [...wider, ...levels.map(({ text }) => text)].join('\n\n'),
    };
  },
});

/** So long before a trouble began that most of it is without it; else a day. */
function beforeOnset({ thread, now }: Facts): number {
  return Math.max(now - DAY, thread === null ? 0 : thread.onset - (now - thread.onset) - HOUR);
}

const LEAST_COVERED = 0.6;

/** A question that names no measure is about that of the question before it. */
function completed(turn: Turn, { catalog }: Facts): string {
  const { question: asked, metricNamed, earlier, instance } = turn;
  // A metric has the address or pod as it is called, and not whose it is.
  const question = instance === null ? asked : asked.replace(instance.service, instance.name);
  const isOwn =
    earlier === null ||
    metricNamed !== null ||
    nameIn(turn) !== null ||
    (catalog?.find(askedOf(question))[0]?.covered ?? 0) >= LEAST_COVERED;
  return isOwn ? question : `${earlier.replace(/[?.!\s]+$/u, '')}, ${question}`;
}

/** `mysql_global_variables_max_connections` of `max_connections`, where one metric alone is called so in part. */
function wholeName(name: string, catalog: Catalog | null): string {
  const longer = [...(catalog?.metrics.keys() ?? [])].filter((one) => isRunOf(name, one));
  return longer.length === 1 ? (longer[0] ?? name) : name;
}

/** Any metric that there is, where it explains more of the question than what is read of every service does. */
async function anyMetric(args: MetricArgs, own: Own | null, facts: Facts): Promise<Found | null> {
  const { catalog } = facts;
  if (catalog === null || args.asked === '') return null;
  const asked = askedOf(args.asked);
  const things = thingsOf(args, facts);
  const [best] = catalog.find(asked, things);
  // What a rule records is made of what is measured: it is meant where it explains more.
  const least = best?.metric.name.includes(':') ? 1 : 0;
  const left = own?.left.length ?? Number.POSITIVE_INFINITY;
  // What callers feel of a service is what it answers them: not every time that something takes is its latency.
  // Several things are told apart, and not added up.
  const isOwn = own !== null && (own.isFelt || args.services.length > 1);
  const isOfOwn = isOwn && (best?.left.length ?? 0) >= left;
  if (best === undefined || best.left.length + least > left || isOfOwn) return null;
  // Of what fails, what is counted has to be what the metric counts: a client's failed calls are no bookings.
  const thing = stem(COUNTED.exec(args.asked)?.[1] ?? '');
  const isNamed = best.filters.some(({ values }) =>
    values.some(
      (value) => facts.view.node(value) === undefined && [stem(value), ...wordsOfName(value)].includes(thing),
    ),
  );
  const isCounted = !isRequest(thing) && (isNamed || wordsOfName(best.metric.name).includes(thing));
  if (thing !== '' && !isCounted && args.metrics.includes(FAILING)) return null;
  const look = lookOf(args, facts);
  const found = await quantities(asked, catalog, look, facts, things);
  if (found === null) return null;
  const [first] = found.found;
  if (args.condition !== null && first?.meeting === null && args.metrics.length > 0) return null;
  const of = othersThan(args.services, best, facts);
  const wider = [...(of === null ? [] : [of.text]), ...notTaken(best.left, args, catalog)];
  if (of !== null && !of.isMeant) return nothing(of.text);
  return {
    data: { metrics: [...found.found, ...found.near], notLimitedTo: wider },
    text: [...wider, quantityInWords(found, look, facts.now)].join('\n\n'),
    // What is so of all of them need not be so of those that are asked about.
    says: wider.length > 0 ? null : first?.says,
  };
}

/** What of a question no filter took, of what narrows it down. */
function notTaken(left: readonly string[], { services }: MetricArgs, catalog: Catalog): string[] {
  const narrows = left.filter(
    (word) =>
      !services.some((name) => isRunOf(word, name)) &&
      (catalog.knows(word) === 'value' || word.match(SHAPED) !== null),
  );
  return narrows.length === 0 ? [] : [`This is not limited to ${narrowed(narrows)}.`];
}

/** That a metric is there of others than the services that are named; `null` if it is of one of them, or does not say of what it is. */
function othersThan(
  named: readonly string[],
  { metric, isOwn, filters, left }: Candidate,
  { view }: Facts,
): { text: string; isMeant: boolean } | null {
  const known = named.filter((name) => view.node(name) !== undefined);
  const whose = Object.entries(metric.labels).find(([label]) => JOB.test(label))?.[1];
  if (known.length === 0 || isOwn || whose === undefined || filters.length > 0) return null;
  const text = `${joinNames(known)} ${known.length === 1 ? 'does' : 'do'} not report \`${metric.name}\`: it is of ${joinNames(whose.slice(0, MOST_SAID))}.`;
  // Of what else is asked in the words of one thing's metric, that is meant.
  const isOfOne = whose.length === 1 && whose.every((name) => view.node(name) !== undefined);
  return { text, isMeant: isOfOne && left.every((word) => known.some((name) => isRunOf(word, name))) };
}

const HIT = /\b(?:fail\w*|errors?|hit|affected|impacted|broken|only|just)\b/iu;

/** Which of them fail, or are hit, by a label that a counter of the services has. */
async function sharesAsked(args: MetricArgs, facts: Facts): Promise<Found | null> {
  const { asked, past, by, expectsOne } = args;
  const isOfMany = /\b(?:most|least|many)\b/iu.test(asked);
  if (past !== null || !HIT.test(asked) || isOfMany || askedBy(asked).length === 0) return null;
  const isLabel = by !== null || labelsIn(asked, labelsOf(facts.catalog)).length > 0;
  const own = [...thingsOf(args, facts), ...(args.services.length === 0 ? (facts.scope?.causes ?? []) : [])];
  const shares = own.length === 0 || !isLabel ? null : await sharesOf(asked, [...new Set(own)], facts);
  if (shares === null) return null;
  const isOne = [shares.failing, shares.moved].some(({ length }) => length === 1);
  return {
    data: { shares },
    text: sharesInWords(shares),
    ...(expectsOne && { says: { relation: 'only_one', holds: isOne } }),
  };
}

/** Whether what runs from time to time did, where that is asked and exported. */
async function runsAsked({ asked, isTimed, ...args }: MetricArgs, facts: Facts): Promise<Found | null> {
  if (!termsOf(asked).some(({ word }) => word === 'last-run')) return null;
  const runs = await runsOf(asked, args.services, facts);
  if (runs === null) return null;
  const { from, to } = { from: args.from ?? 0, to: args.to ?? facts.now };
  const isWithin = runs.started !== null && runs.started >= from && runs.started < to;
  return {
    data: { about: 'last-run', runs },
    text: runsInWords(runs, facts.now),
    says: {
      relation: 'ran',
      holds: isTimed && runs.started !== null ? isWithin && runs.state !== 'failed' : null,
    },
  };
}

/** What the failing have in common where no metric tells them apart; else that nothing does. */
async function apart(by: keyof typeof DIMENSIONS, args: MetricArgs, facts: Facts): Promise<Found> {
  const { scope } = facts;
  const own = thingsOf(args, facts).slice(0, MOST_OF_ISSUE);
  if (own.length === 0 && facts.catalog !== null && asksForCount(args.asked))
    return notMeasured([], args, facts);
  if (own.length === 0)
    return nothing(
      scope?.unknown
        ? `I can’t tell: there are no metrics for ${scope.unknown}.`
        : `Which ${by} of which service?`,
    );
  const over = { from: facts.now - HOUR, to: facts.now + 1 };
  const view = await facts.look(over, own);
  for (const service of own) {
    const spans = view.traces(service, over).filter((span) => span.service === service);
    const found = commonOf(view.logs(service, over), spans, 'failing');
    if (found !== null && found.shared.length > 0)
      return { data: { common: found }, text: commonInWords(found, service, duration(HOUR)) };
  }
  const levels =
    scope === null ? [] : trackedOf(scope, facts).map((one) => `- ${levelInWords(levelOf(one))}`);
  const cannot = `I can’t tell which ${by}: no metric, log line or trace of ${joinNames(own)} names one here.`;
  return nothing(levels.length === 0 ? cannot : `${cannot} By service:\n\n${levels.join('\n')}`);
}

const MOST_SAID = 3;

function narrowed(words: readonly string[]): string {
  return joinNames(words.slice(0, MOST_SAID).map((word) => `*${word}*`));
}

/** That nothing measures what is asked, with the nearest that is something else. */
function notMeasured(counted: readonly string[], args: MetricArgs, facts: Facts): Found {
  const { catalog } = facts;
  if (counted[0] !== undefined && catalog === null)
    return nothing(`I can’t tell which metric counts ${counted[0]}: name it, and I’ll look.`);
  const isKnown = ({ word, called }: Term) => [word, ...called].some((one) => catalog?.knows(one) != null);
  const asked = termsOf(askedOf(args.asked)).filter(
    (term) => term.called.length > 0 && !isEmpty(term.word) && (term.isThing || isKnown(term)),
  );
  if (catalog === null || asked.length === 0)
    return nothing(
      `I can’t tell which metric you mean: name one, or a measure such as ${FELT.join(' or ')}.`,
    );
  const unknown = asked.filter((term) => !isKnown(term));
  const what =
    unknown.length > 0
      ? `has ${narrowed(unknown.map(({ word }) => word))} in ${catalog.isWhole ? 'its name, its description or its labels' : 'its name or its description'}`
      : `is about all of ${narrowed(asked.map(({ word }) => word))}`;
  const nearest = catalog.find(args.asked, thingsOf(args, facts)).find(({ isOwn }) => isOwn);
  const near = nearest === undefined ? '' : ` The nearest, \`${nearest.metric.name}\`, is something else.`;
  return nothing(`I can’t tell: none of the ${catalog.metrics.size} metrics here ${what}.${near}`);
}

/** A Prometheus metric name: words of letters and digits joined by underscores. */
const METRIC_NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9]+)+\b/giu;

export function nameIn({ question, named }: { question: string; named: readonly string[] }): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}
