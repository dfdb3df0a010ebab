import { PROFILES, type Profile, quantile } from '../investigation/anomalies.ts';
import { amount, capitalize, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import { ROUTE_LABELS } from '../investigation/routes.ts';
import type { Measure, Series, Signal } from '../telemetry/model.ts';
import type { Point } from '../telemetry/view.ts';
import { cannotTell, impactOf } from './about-issue.ts';
import { levelOf, trackedOf } from './issue-scope.ts';
import type { Facts, Tool } from './types.ts';
import { COMPARES, type Turn } from './understand.ts';

const DAY = 24 * 3_600_000;
const MOST_SERVICES = 20;
/** Of an issue, so many services are shown where the question names none. */
const MOST_OF_ISSUE = 2;

/** The error rate of payments in the last 30 minutes? */
export const metric: Tool = {
  name: 'metric',
  example: 'Show the error rate of {service} in the last 30 minutes',
  matches: (turn) => turn.metricNamed !== null || nameIn(turn) !== null,
  async answer(turn, facts) {
    const name = nameIn(turn);
    if (name !== null) return byName(name, turn, facts);
    const several = / and |,/u.test(turn.question)
      ? PROFILES.filter(({ words }) => words.test(turn.question)).slice(0, MOST_MEASURES)
      : [];
    const profiles = several.length > 1 ? several : turn.metric === null ? [] : [turn.metric];
    const parts: string[] = [];
    for (const profile of profiles) parts.push(await ofMeasure(profile, turn, facts));
    return parts.length === 0 ? 'Which metric?' : parts.join('\n\n');
  },
};

const MOST_MEASURES = 3;

async function ofMeasure({ measure, label }: Profile, turn: Turn, facts: Facts): Promise<string> {
  const asked = servicesFor(turn, measure, facts);
  const reporting = facts.view
    .services()
    .map(({ name }) => name)
    .filter((name) => facts.view.seriesOf(name, measure) !== undefined);
  if (asked.length === 0 && facts.scope !== null && facts.scope.services.length === 0)
    return cannotTell(facts.scope);
  if (asked.length === 0)
    return `${capitalize(label)} of which service? ${reportedBy(reporting, 'These report it: ')}`;
  const { window } = turn;
  const view = await facts.look(window, asked);
  return asked
    .map((service) => {
      const series = view.seriesOf(service, measure);
      const points = series ? view.points(series, window) : [];
      if (!series) return `${service} does not report ${label}. ${reportedBy(reporting, 'These do: ')}`;
      if (points.length === 0)
        return `${service} has no samples of ${series.signal.label} in the ${duration(window.to - window.from)} before ${momentOf(window.to, facts.now)}.`;
      facts.evidenceStore.metric(series, window);
      return [...percentileNote(turn.question, series.signal), ...levelsOf(series, points, turn, facts)].join(
        '\n',
      );
    })
    .join('\n\n');
}

/** The services that a question about a measure means: those it names, or those of its issue that report it. */
function servicesFor(
  { services, question }: Turn,
  measure: Measure,
  { scope, view }: Facts,
): readonly string[] {
  if (services.length > 0 || scope === null) return services;
  const reporting = scope.services.filter((name) => view.seriesOf(name, measure) !== undefined);
  const isOfAll = /\ball\b|\beach\b|\bevery/iu.test(question);
  return reporting.slice(0, isOfAll ? MOST_SERVICES : MOST_OF_ISSUE);
}

/** The level of a series over the window in question, one line each. */
function levelsOf(
  { service, signal: { label, unit } }: Series,
  points: readonly Point[],
  { window }: Pick<Turn, 'window'>,
  { now }: Pick<Facts, 'now'>,
): string[] {
  const values = points.map(({ value }) => value);
  const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
  return [
    `**${service} ${label}** in the ${duration(window.to - window.from)} before ${momentOf(window.to, now)}:`,
    '',
    `- last ${amount(values.at(-1) ?? Number.NaN, unit)}`,
    `- median ${amount(quantile(values, 0.5), unit)}`,
    `- max ${amount(highest.value, unit)} at ${timeOfDay(highest.at)}`,
    `- min ${amount(Math.min(...values), unit)}`,
  ];
}

/** `14:02 UTC`, with the date unless it is today. */
export function momentOf(at: number, now: number): string {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return dayOf(at) === dayOf(now) ? timeOfDay(at) : `${timeOfDay(at)} on ${dayOf(at)}`;
}

/** That another percentile is read than the one asked for is said first. */
function percentileNote(question: string, { measure, quantile: measured }: Signal): string[] {
  const asked = /\bp(\d\d(?:\.\d)?)\b/iu.exec(question)?.[1];
  if (asked === undefined || measure !== 'latency') return [];
  if (typeof measured === 'number' && Number(asked) === measured * 100) return [];
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

/** A metric by the name that its source has for it. */
async function byName(name: string, turn: Turn, facts: Facts): Promise<string> {
  const asked = turn.services.length > 0 ? turn.services : null;
  const view = await facts.look(turn.window, asked);
  const isNamed = ({ signal }: Series) => signal.name === name || signal.label === name;
  const services = asked ?? view.services().map((service) => service.name);
  const found = services
    .flatMap((service) => view.series(service).filter(isNamed))
    .map((series) => ({ series, points: view.points(series, turn.window) }))
    .filter(({ points }) => points.length > 0);
  if (found.length === 0) {
    const where = asked === null ? 'No service reports' : `${asked.join(', ')} does not report`;
    return `${where} a metric called ${name} in that time, as far as it was read.`;
  }
  for (const { series } of found.slice(0, MOST_SERIES)) facts.evidenceStore.metric(series, turn.window);
  const more = found.length > MOST_SERIES ? [`${found.length - MOST_SERIES} more services report it.`] : [];
  return [
    ...found
      .slice(0, MOST_SERIES)
      .map(({ series, points }) => levelsOf(series, points, turn, facts).join('\n')),
    ...more,
  ].join('\n\n');
}

function nameIn({ question, named }: Turn): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}

/** Compare it to yesterday. */
export const comparison: Tool = {
  name: 'comparison',
  example: 'Compare the latency of {service} to yesterday',
  matches: ({ question }) => COMPARES.test(question),
  async answer(turn, facts) {
    const { now } = facts;
    const [days, words] = /\blast week|week ago\b/iu.test(turn.question) ? [7, 'A week'] : [1, 'A day'];
    const window = { from: now - 3_600_000, to: now + 1 };
    const past = { from: window.from - days * DAY, to: window.to - days * DAY };
    const subjects = seriesFor(turn, facts).slice(0, MOST_OF_ISSUE);
    if (subjects.length === 0) return 'Compare what? Name a service, and a metric if you like.';
    const services = subjects.map(({ service }) => service);
    const [today, then] = [await facts.look(window, services), await facts.look(past, services)];
    return subjects
      .map(({ service, signal }) => {
        const pick = (view: typeof today, over: typeof window) => {
          const same = view.series(service).find((one) => one.signal.id === signal.id);
          return same === undefined
            ? null
            : { same, values: view.points(same, over).map(({ value }) => value) };
        };
        const [is, was] = [pick(today, window), pick(then, past)];
        if (is !== null) facts.evidenceStore.metric(is.same, window);
        const levels = (some: number[]) =>
          `median ${amount(quantile(some, 0.5), signal.unit)}, max ${amount(Math.max(...some), signal.unit)}`;
        const lines = [
          `- the last hour, to ${timeOfDay(now)}: ${is === null || is.values.length === 0 ? 'no samples' : levels(is.values)}`,
          `- ${words.toLowerCase()} before, to ${momentOf(past.to, now)}: ${was === null || was.values.length === 0 ? 'no samples' : levels(was.values)}`,
        ];
        const none =
          was === null || was.values.length === 0
            ? `I can’t compare: ${service} has no samples of ${words.toLowerCase()} before.\n\n`
            : '';
        return `${none}**${service} ${signal.label}**\n\n${lines.join('\n')}`;
      })
      .join('\n\n');
  },
};

/** Which service is the slowest? */
export const extremes: Tool = {
  name: 'extremes',
  example: 'Which service is the slowest?',
  matches: ({ question }) =>
    /\b(?:which|what) services?\b.*\b(?:slow\w*|most|highest|worst|busiest|fail\w*|errors?|least|lowest)\b|\b(?:slowest|worst|busiest) services?\b/iu.test(
      question,
    ),
  answer({ question, metric: asked, metricNamed }, { view, evidenceStore, now }) {
    const measure = /busiest/iu.test(question) ? 'requests' : ((metricNamed ?? asked)?.measure ?? 'errors');
    const window = { from: now - 3_600_000, to: now + 1 };
    const rows = view
      .services()
      .flatMap(({ name }) => view.seriesOf(name, measure) ?? [])
      .flatMap((series) => {
        const last = view.points(series, window).at(-1);
        return last === undefined ? [] : [{ series, last: last.value }];
      })
      .sort((a, b) => b.last - a.last);
    const [first] = rows;
    if (first === undefined) return 'I can’t tell: no service reports that.';
    evidenceStore.metric(first.series, window);
    return [
      `**${capitalize(first.series.signal.label)} of services at ${timeOfDay(now)}**, the highest first:`,
      '',
      ...rows
        .slice(0, MOST_SERIES)
        .map(({ series, last }) => `- ${series.service}: ${amount(last, series.signal.unit)}`),
    ].join('\n');
  },
};

/** The series that a question is about: by its measure, else those that show its issue, else what callers feel. */
function seriesFor(turn: Turn, facts: Facts): readonly Series[] {
  const { scope, view } = facts;
  const { services, metricNamed } = turn;
  if (metricNamed === null && services.length === 0)
    return scope === null ? [] : trackedOf(scope, facts).map(({ series }) => series);
  const measures: readonly Measure[] = metricNamed === null ? ['errors', 'latency'] : [metricNamed.measure];
  return measures.flatMap((measure) =>
    servicesFor(turn, measure, facts).flatMap((service) => view.seriesOf(service, measure) ?? []),
  );
}

/** What a service can be split by: in people's words, by its usual labels, and by the measure that tells. */
interface Dimension {
  word: RegExp;
  /** For `which … fails` and `a … label`. */
  name: string;
  labels: readonly string[];
  measure: Measure;
}

const DIMENSIONS: readonly Dimension[] = [
  {
    word: /\b(?:endpoints?|routes?|paths?|urls?|handlers?|api calls?|pages?|operations?)\b/iu,
    name: 'route',
    labels: ROUTE_LABELS,
    measure: 'errors',
  },
  {
    word: /\b(?:customers?|tenants?|users?|people|ppl|accounts?|clients?|orgs?|organi[sz]ations?)\b/iu,
    name: 'customer',
    labels: ['customer', 'customer_id', 'tenant', 'tenant_id', 'account', 'user', 'org'],
    measure: 'errors',
  },
  {
    word: /\b(?:regions?|zones?|azs?|data ?cent(?:er|re)s?|dcs?|clusters?|countr(?:y|ies))\b/iu,
    name: 'region',
    labels: [
      'region',
      'cloud_region',
      'zone',
      'availability_zone',
      'cloud_availability_zone',
      'datacenter',
      'dc',
      'cluster',
    ],
    measure: 'errors',
  },
  {
    word: /\b(?:pods?|instances?|replicas?|hosts?|nodes?|machines?|servers?)\b/iu,
    name: 'pod',
    labels: ['pod', 'instance'],
    measure: 'errors',
  },
  {
    word: /\b(?:status codes?|http codes?|response codes?|error codes?)\b/iu,
    name: 'status code',
    labels: ['http_response_status_code', 'status_code', 'response_code', 'code', 'status'],
    measure: 'requests',
  },
];
const SPLITS =
  /\b(?:which|what|whose|how many|per|by|each|every|single|one|only|all|any|some|certain|specific|same)\b/iu;
const MOST_ROWS = 6;

function dimensionIn(question: string): Dimension | null {
  return DIMENSIONS.find(({ word }) => word.test(question)) ?? null;
}

/** Which endpoint fails? Is it only one pod? */
export const breakdown: Tool = {
  name: 'breakdown',
  example: 'Which endpoint of {service} fails?',
  matches: ({ question }) =>
    SPLITS.test(question) &&
    dimensionIn(question) !== null &&
    !/\bservices?\b|pending|crash|evict|schedul|oom|restart|not ready/iu.test(question),
  async answer(turn, facts) {
    const dimension = dimensionIn(turn.question);
    if (dimension === null) return 'By what?';
    const { scope } = facts;
    const { name, labels, measure } = dimension;
    const own = turn.services.length > 0 ? turn.services : (scope?.services ?? []);
    if (own.length === 0)
      return scope?.unknown
        ? `I can’t tell: there are no metrics for ${scope.unknown}.`
        : `Which ${name} of which service?`;
    const parts: string[] = [];
    for (const service of own.slice(0, MOST_OF_ISSUE)) {
      const found = await facts.split(service, measure, labels);
      if (found !== null) parts.push(splitIn(service, found.label, found.series, turn, facts));
    }
    if (parts.length > 0) return parts.join('\n\n');
    const said = dimension.word.exec(turn.question)?.[0].replace(/s$/u, '') ?? name;
    const word = /^(?:people|ppl)$/iu.test(said) ? name : said;
    const asked = /\b(?:which|what|whose)\b/iu.test(turn.question) ? `which ${word}` : `by ${word}`;
    const cannot = `I can’t tell ${asked}: no metric of ${joinNames(own.slice(0, MOST_OF_ISSUE))} has a ${name} label here.`;
    if (scope === null) return cannot;
    if (/affect|impact|how many/iu.test(turn.question))
      return `${cannot} By service:\n\n${impactOf(scope, facts)}`;
    const levels = trackedOf(scope, facts).map((one) => `- ${levelOf(one)}`);
    return [`${cannot}${levels.length > 0 ? ' By service:' : ''}`, '', ...levels].join('\n').trim();
  },
};

/** One line a value, the worst first, and whether it is only one of them. */
function splitIn(
  service: string,
  label: string,
  series: readonly Series[],
  turn: Turn,
  facts: Facts,
): string {
  const rows = series
    .map((one) => {
      const values = facts.view.points(one, { from: 0, to: turn.window.to + 1 }).map(({ value }) => value);
      return { one, value: one.labels[label] ?? '', worst: Math.max(...values), last: values.at(-1) ?? 0 };
    })
    .filter(({ worst }) => Number.isFinite(worst))
    .sort((a, b) => b.last - a.last || b.worst - a.worst);
  const [first, second] = rows;
  if (first === undefined) return `${service} has no samples by \`${label}\` in that hour.`;
  const { unit, label: measured } = first.one.signal;
  const verdict =
    first.one.signal.measure === 'requests'
      ? ''
      : second === undefined
        ? `${service} has only this one:`
        : first.worst > 3 * second.worst
          ? `It is mostly \`${first.value}\`:`
          : 'It is not one alone:';
  for (const { one } of rows.slice(0, 2))
    facts.evidenceStore.metric(
      { ...one, instance: first.value === '' ? one.instance : (one.labels[label] ?? null) },
      turn.window,
    );
  return [
    `**${service} ${measured} by \`${label}\`** in the hour to ${momentOf(turn.window.to, facts.now)}. ${verdict}`.trim(),
    '',
    ...rows
      .slice(0, MOST_ROWS)
      .map(
        ({ value, last, worst }) => `- \`${value}\`: last ${amount(last, unit)}, max ${amount(worst, unit)}`,
      ),
    ...(rows.length > MOST_ROWS ? [`- … and ${rows.length - MOST_ROWS} more`] : []),
  ].join('\n');
}
