import type { z } from 'zod';
import { PROFILES } from '../investigation/anomalies.ts';
import { amount } from '../investigation/format.ts';
import { askedBy, labelsIn, labelsOf } from './catalog/labels.ts';
import { LIMITED } from './catalog/measure.ts';
import { stem, termsOf, wordsOfName } from './catalog/terms.ts';
import { dimensionIn } from './dimension.ts';
import {
  COUNTED,
  HOUR,
  input,
  isOfLevel,
  LASTS,
  levelsOf,
  lookOf,
  type MetricArgs,
  MOST_MEASURES,
  nothing,
  profileNamed,
  ranked,
  splitByLabel,
  windowOf,
} from './levels.ts';
import { AS_ALWAYS, COMPARES, momentOf, pastIn } from './moment.ts';
import { withoutNames } from './names.ts';
import { type Found, tool } from './tool.ts';
import { askedOf, conditionIn } from './tools/condition.ts';
import { failuresOf } from './tools/failures.ts';
import { quantities } from './tools/quantity.ts';
import { isCompared, sharesOf } from './tools/shares.ts';
import type { Facts } from './types.ts';
import { startOf, type Turn } from './understand.ts';
import { quantityInWords } from './words/quantity.ts';
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
  const isKnown = args.metrics.every((name) => {
    const { role, measure } = profileNamed(name) ?? {};
    return role === 'symptom' || measure === 'requests';
  });
  if (best.left.length >= ours && args.metrics.length > 0 && isKnown) return null;
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
  { asked, services: named, past, by, expectsOne }: MetricArgs,
  facts: Facts,
): Promise<Found | null> {
  if (
    past !== null ||
    !HIT.test(asked) ||
    /\b(?:most|least|many)\b/iu.test(asked) ||
    askedBy(asked).length === 0
  )
    return null;
  // A route, a customer: first by the service's own measure.
  if ((by !== null && !expectsOne) || labelsIn(asked, labelsOf(facts.catalog)).length === 0) return null;
  const own = named.length > 0 ? named : [...(facts.scope?.services ?? []), ...(facts.scope?.causes ?? [])];
  const shares = own.length === 0 ? null : await sharesOf(asked, own, facts);
  return shares === null || !isCompared(shares) ? null : { data: { shares }, text: sharesInWords(shares) };
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

/** A Prometheus metric name: words of letters and digits joined by underscores. */
const METRIC_NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9]+)+\b/giu;

export function nameIn({ question, named }: { question: string; named: readonly string[] }): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}
