import type { z } from 'zod';
import { PROFILES } from '../investigation/anomalies.ts';
import { duration, joinNames } from '../investigation/format.ts';
import { askedBy, DIMENSIONS, dimensionIn, labelsIn, labelsOf } from './catalog/labels.ts';
import { isEmpty, stem, termsOf, wordsOfName } from './catalog/terms.ts';
import { levelOf, trackedOf } from './issue-scope.ts';
import {
  COUNTED,
  failuresCounted,
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
  thingsOf,
} from './levels.ts';
import { AS_ALWAYS, COMPARES, pastIn } from './moment.ts';
import { type Found, tool } from './tool.ts';
import { commonOf } from './tools/common.ts';
import { askedOf, conditionIn } from './tools/condition.ts';
import { quantities } from './tools/quantity.ts';
import { runsOf } from './tools/runs.ts';
import { isCompared, sharesOf, splitOf } from './tools/shares.ts';
import type { Facts } from './types.ts';
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
const FELT = ['error rate', 'latency'];

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
      to: turn.at < facts.now ? turn.window.to : facts.now + 1,
      by: isOfServices ? null : dimensionIn(words),
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
    const things = given.services.length > 0 ? given.services : ((scope ?? thread)?.services ?? []);
    const began = thread?.onset ?? open[0]?.triggeredAt ?? null;
    const around = { now, services: things, began, changes };
    const past = await pastIn(isOfLevel(given) ? `${given.asked} as usual` : given.asked, around);
    const by = given.by !== null && isNoLabel(given.by, given.asked, facts) ? null : given.by;
    const args = { ...given, by, past: given.past ?? past };
    const own = ownOf(args, facts);
    const found =
      (await sharesAsked(args, facts)) ??
      (await runsAsked(args, facts)) ??
      (await anyMetric(args, own, facts)) ??
      (await failuresCounted(args, facts));
    if (found !== null) return found;
    if (args.rank !== null || args.condition !== null) return ranked(args, facts);
    if (by !== null && args.past === null) return await splitByLabel(by, args, facts);
    const counted = COUNTED.exec(args.asked)?.[1] ?? '';
    const isOurs = (name: string) => profileNamed(name)?.words.test(counted) === true;
    const isLeft = own === null ? !args.metrics.some(isOurs) : own.left.includes(counted.toLowerCase());
    const isUncounted = args.past === null && counted !== '' && isLeft;
    const isFelt = args.metrics.length === 0 && COMPARES.test(args.asked);
    const names = isUncounted ? [] : isFelt ? FELT : (own?.names ?? args.metrics);
    if (names.length === 0) return notMeasured(isUncounted ? [counted] : [], args, facts);
    const levels = await Promise.all(names.map((name) => levelsOf(name, args, facts)));
    return {
      data: { metrics: levels.flatMap(({ data }) => (Array.isArray(data.metrics) ? data.metrics : [])) },
      text: levels.map(({ text }) => text).join('\n\n'),
    };
  },
});

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

/** Whether what sounds like a label is what is counted: no metric has it as a label, and one has it in its name. */
function isNoLabel(by: keyof typeof DIMENSIONS, asked: string, { catalog }: Facts): boolean {
  const { words, labels } = DIMENSIONS[by];
  const nouns = askedBy(asked)
    .filter((noun) => words.test(noun))
    .map(stem);
  const all = [...(catalog?.metrics.values() ?? [])];
  const isNamed = all.some(({ name }) => wordsOfName(name).some((word) => nouns.includes(word)));
  const isLabel = nouns.some((noun) => labels.some((label) => wordsOfName(label).includes(noun)));
  return isNamed && !isLabel;
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
  if (best === undefined || best.left.length + least > left) return null;
  // What callers feel of a service is what it answers them: not every time that something takes is its latency.
  if (best.left.length >= left && own?.isFelt) return null;
  // Of what fails, what is counted has to be what the metric counts: a client's failed calls are no bookings.
  const thing = stem(COUNTED.exec(args.asked)?.[1] ?? '');
  const isCounted = !REQUESTS.test(thing) && wordsOfName(best.metric.name).includes(thing);
  if (thing !== '' && !isCounted && args.metrics.includes('error rate')) return null;
  const look = lookOf(args, facts.now);
  const found = await quantities(asked, catalog, look, facts, things);
  if (found === null) return null;
  const [first] = found.found;
  if (args.condition !== null && first?.meeting === null && args.metrics.length > 0) return null;
  return {
    data: { metrics: [...found.found, ...found.near] },
    text: quantityInWords(found, look, facts.now),
    holds: first?.holds ?? null,
  };
}

const REQUESTS = /^(?:request|call)$/u;
const HIT = /\b(?:fail\w*|errors?|hit|affected|impacted|broken|only|just)\b/iu;

/** Which of them fail, or are hit, by a label that a counter of the services has. */
async function sharesAsked(args: MetricArgs, facts: Facts): Promise<Found | null> {
  const { asked, services: named, past, by, expectsOne } = args;
  const isOfMany = /\b(?:most|least|many)\b/iu.test(asked);
  if (past !== null || !HIT.test(asked) || isOfMany || askedBy(asked).length === 0) return null;
  // A route, a customer: first by the service's own measure.
  if ((by !== null && !expectsOne) || labelsIn(asked, labelsOf(facts.catalog)).length === 0) return null;
  const own = named.length > 0 ? named : [...(facts.scope?.services ?? []), ...(facts.scope?.causes ?? [])];
  const shares = own.length === 0 ? null : await sharesOf(asked, own, facts);
  return shares === null || !isCompared(shares) ? null : { data: { shares }, text: sharesInWords(shares) };
}

/** Whether what runs from time to time did, where that is asked and exported. */
async function runsAsked({ asked, isTimed, ...args }: MetricArgs, facts: Facts): Promise<Found | null> {
  if (!termsOf(asked).some(({ word }) => word === 'last-run')) return null;
  const runs = await runsOf(asked, args.services, facts);
  if (runs === null) return null;
  const { from, to } = { from: args.from ?? 0, to: args.to ?? facts.now };
  const isWithin = runs.started !== null && runs.started >= from && runs.started < to;
  return {
    data: { runs },
    text: runsInWords(runs, facts.now),
    holds: isTimed && runs.started !== null ? isWithin && runs.state !== 'failed' : null,
  };
}

/** A level of a service by the values of a label. */
async function splitByLabel(by: keyof typeof DIMENSIONS, args: MetricArgs, facts: Facts): Promise<Found> {
  const { scope } = facts;
  const own = thingsOf(args, facts).slice(0, MOST_OF_ISSUE);
  if (own.length === 0)
    return nothing(
      scope?.unknown
        ? `I can’t tell: there are no metrics for ${scope.unknown}.`
        : `Which ${by} of which service?`,
    );
  const to = args.to ?? facts.now + 1;
  const over = { from: Math.max(args.from ?? 0, to - HOUR), to };
  const split = await Promise.all(own.map((service) => splitOf(service, by, over, facts)));
  const measured = split.find((one) => one !== null);
  const shares = measured ?? (await sharesOf(`which ${by}`, own, facts));
  if (shares !== null) {
    const isTold = measured !== undefined || isCompared(shares);
    return {
      data: { shares },
      text: sharesInWords(shares),
      ...(args.expectsOne && isTold && { holds: shares.failing !== null || shares.moved !== null }),
    };
  }
  const view = by === 'route' ? await facts.look(over, own) : null;
  const common = own.map((service) => {
    const spans = view?.traces(service, over).filter((span) => span.service === service) ?? [];
    return { service, found: commonOf(view?.logs(service, over) ?? [], spans, 'failing') };
  });
  const told = common.find(({ found }) => (found?.shared.length ?? 0) > 0);
  if (told !== undefined)
    return { data: { common: told.found }, text: commonInWords(told.found, told.service, duration(HOUR)) };
  const levels =
    scope === null ? [] : trackedOf(scope, facts).map((one) => `- ${levelInWords(levelOf(one))}`);
  const sources = view === null ? 'metric' : 'metric, log line or trace';
  const cannot = `I can’t tell which ${by}: no ${sources} of ${joinNames(own)} names a ${by} here.`;
  return nothing(levels.length === 0 ? cannot : `${cannot} By service:\n\n${levels.join('\n')}`);
}

const MOST_SAID = 3;

/** That nothing measures what is asked, with the nearest that is something else. */
function notMeasured(counted: readonly string[], args: MetricArgs, facts: Facts): Found {
  const { catalog } = facts;
  if (counted[0] !== undefined && catalog === null)
    return nothing(`I can’t tell which metric counts ${counted[0]}: name it, and I’ll look.`);
  const asked = termsOf(askedOf(args.asked)).filter(
    ({ word, called }) => called.length > 0 && !isEmpty(word),
  );
  if (catalog === null || asked.length === 0)
    return nothing(
      `I can’t tell which metric you mean: name one, or a measure such as ${FELT.join(' or ')}.`,
    );
  const said = (words: readonly string[]) => joinNames(words.slice(0, MOST_SAID).map((word) => `*${word}*`));
  const unknown = asked.filter(({ word, called }) =>
    [word, ...called].every((one) => catalog.knows(one) === null),
  );
  const what =
    unknown.length > 0
      ? `has ${said(unknown.map(({ word }) => word))} in its name, its description or its labels`
      : `is about all of ${said(asked.map(({ word }) => word))}`;
  const [nearest] = catalog.find(args.asked, thingsOf(args, facts));
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
