import { amount, joinNames } from '../investigation/format.ts';
import { ROUTE_LABELS } from '../investigation/routes.ts';
import type { LogLine, Measure, Series, Span } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { levelOf, trackedOf } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import type { Found } from './tool.ts';
import type { Facts } from './types.ts';
import { levelInWords } from './words/course.ts';

const HOUR = 3_600_000;
const MOST_ROWS = 6;
const MOST_OF_ISSUE = 2;

export const DIMENSION_NAMES = ['route', 'customer', 'region', 'pod', 'status code'] as const;

/** What a service can be split by: in people's words, by its usual labels, and by the measure that tells. */
interface Dimension {
  /** As part of a regular expression. */
  words: string;
  /** For `which … fails` and `a … label`. */
  name: (typeof DIMENSION_NAMES)[number];
  labels: readonly string[];
  measure: Measure;
}

const DIMENSIONS: readonly Dimension[] = [
  {
    words: 'endpoints?|routes?|paths?|urls?|handlers?|api calls?|pages?|operations?',
    name: 'route',
    labels: ROUTE_LABELS,
    measure: 'errors',
  },
  {
    words: 'customers?|tenants?|users?|people|ppl|accounts?|clients?|orgs?|organi[sz]ations?',
    name: 'customer',
    labels: ['customer', 'customer_id', 'tenant', 'tenant_id', 'account', 'user', 'org'],
    measure: 'errors',
  },
  {
    words: 'regions?|zones?|azs?|data ?cent(?:er|re)s?|dcs?|clusters?|countr(?:y|ies)',
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
    words: 'pods?|instances?|replicas?|hosts?|nodes?|machines?|servers?',
    name: 'pod',
    labels: ['pod', 'instance'],
    measure: 'errors',
  },
  {
    words: 'status codes?|http codes?|response codes?|error codes?',
    name: 'status code',
    labels: ['http_response_status_code', 'status_code', 'response_code', 'code', 'status'],
    measure: 'requests',
  },
];
/** What a question splits something by: `which endpoint`, `by region`, `only one pod`. */
export function dimensionIn(words: string): Dimension | null {
  return (
    DIMENSIONS.find(({ words: own }) =>
      new RegExp(
        String.raw`\b(?:which|what|whose|how many|per|by|each|every|single|one|only|all|any|some|certain|specific|same)\s+(?:\w+\s+)?(?:${own})\b`,
        'iu',
      ).test(words),
    ) ?? null
  );
}

interface BreakdownArgs {
  services: readonly string[];
  from?: number | undefined;
  to?: number | undefined;
  expectsOne: boolean;
}

/** A level of a service for each value of a label; routes are read from logs and traces where no metric has them. */
export async function breakdown(name: Dimension['name'], args: BreakdownArgs, facts: Facts): Promise<Found> {
  const dimension = DIMENSIONS.find((one) => one.name === name);
  const { scope } = facts;
  const none = (text: string): Found => ({ data: { by: name, rows: [] }, text });
  if (dimension === undefined) return none('By what?');
  const own = args.services.length > 0 ? args.services : (scope?.services ?? []);
  if (own.length === 0)
    return none(
      scope?.unknown
        ? `I can’t tell: there are no metrics for ${scope.unknown}.`
        : `Which ${name} of which service?`,
    );
  const to = args.to ?? facts.now + 1;
  const over = { from: Math.max(args.from ?? 0, to - HOUR), to };
  const found: Found[] = [];
  for (const service of own.slice(0, MOST_OF_ISSUE)) {
    const split = await facts.split(service, dimension.measure, dimension.labels, over);
    const part =
      split !== null
        ? splitIn(service, split.label, split.series, over.to, args.expectsOne, facts)
        : name === 'route'
          ? failingRoutes(service, over, await facts.look(over, [service]), facts)
          : null;
    if (part !== null) found.push(part);
  }
  if (found.length > 0)
    return {
      data: { by: name, rows: found.flatMap(({ data }) => (Array.isArray(data.rows) ? data.rows : [])) },
      text: found.map(({ text }) => text).join('\n\n'),
    };
  const sources = name === 'route' ? 'no metric, log line or trace' : 'no metric';
  const what = name === 'route' ? 'names a route' : `has a ${name} label`;
  const cannot = `I can’t tell which ${name}: ${sources} of ${joinNames(own.slice(0, MOST_OF_ISSUE))} ${what} here.`;
  if (scope === null) return none(cannot);
  const levels = trackedOf(scope, facts).map((one) => `- ${levelInWords(levelOf(one))}`);
  return none([`${cannot}${levels.length > 0 ? ' By service:' : ''}`, '', ...levels].join('\n').trim());
}

/** `GET /orders/17`, in a log line. */
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE|HEAD)\s+(\/[^\s"'`?]*)|["'\s=](\/[a-z][^\s"'`?,;]*)/iu;
const BAD_LEVEL = /^(?:warn|err|fatal|crit|severe|panic)/iu;
/** A trace's operation that is a route. */
const ROUTE = /\//u;

/** The routes that a service's error lines and failed requests name, by how often they do. */
function failingRoutes(
  service: string,
  over: { from: number; to: number },
  view: View,
  facts: Facts,
): Found | null {
  const lines = view.logs(service, over).filter((line) => line.level !== null && BAD_LEVEL.test(line.level));
  const spans = view
    .traces(service, over)
    .filter((span) => span.service === service && span.failed === true && ROUTE.test(span.operation));
  const counts = new Map<string, { lines: LogLine[]; spans: Span[] }>();
  const at = (route: string) => {
    const some = counts.get(route) ?? { lines: [], spans: [] };
    counts.set(route, some);
    return some;
  };
  for (const line of lines) {
    const named = REQUEST.exec(line.message);
    const path = named?.[2] ?? named?.[3];
    if (path !== undefined)
      at([named?.[1]?.toUpperCase(), templateOf(path)].filter(Boolean).join(' ')).lines.push(line);
  }
  for (const span of spans) at(span.operation).spans.push(span);
  const rows = [...counts]
    .map(([route, seen]) => ({ route, errors: seen.lines.length, traces: seen.spans.length, seen }))
    .sort((a, b) => b.errors + b.traces - a.errors - a.traces);
  if (rows.length === 0) return null;
  facts.evidenceStore.logs(service, rows[0]?.seen.lines ?? []);
  const parts = ({ errors, traces }: { errors: number; traces: number }) =>
    joinNames([
      ...(errors > 0 ? [amount(errors, '{error line}')] : []),
      ...(traces > 0 ? [amount(traces, '{failed request}')] : []),
    ]);
  return {
    data: {
      rows: rows.slice(0, MOST_ROWS).map(({ route, errors, traces }) => ({ service, route, errors, traces })),
    },
    text: [
      `**Failing routes of ${service}**, as its logs and traces name them, in the hour to ${momentOf(over.to, facts.now)}:`,
      '',
      ...rows.slice(0, MOST_ROWS).map((row) => `- ${quoted(row.route)}: ${parts(row)}`),
      ...(rows.length > MOST_ROWS ? [`- … and ${rows.length - MOST_ROWS} more`] : []),
    ].join('\n'),
  };
}

/** A path without its ids: `/orders/17` is `/orders/{id}`. */
function templateOf(path: string): string {
  return path
    .split('/')
    .map((part) => (/\d/u.test(part) && !/^v\d+$/u.test(part) ? '{id}' : part))
    .join('/');
}

function quoted(text: string): string {
  return `\`${text.slice(0, 120).replaceAll('`', "'")}\``;
}

/** One line a value, the worst first, and whether it is only one of them. */
function splitIn(
  service: string,
  label: string,
  series: readonly Series[],
  to: number,
  expectsOne: boolean,
  facts: Facts,
): Found {
  const rows = series
    .map((one) => {
      const values = facts.view.points(one, { from: 0, to: to + 1 }).map(({ value }) => value);
      return { one, value: one.labels[label] ?? '', worst: Math.max(...values), last: values.at(-1) ?? 0 };
    })
    .filter(({ worst }) => Number.isFinite(worst))
    .sort((a, b) => b.last - a.last || b.worst - a.worst);
  const [first, second] = rows;
  if (first === undefined)
    return { data: { rows: [] }, text: `${service} has no samples by \`${label}\` in that hour.` };
  const { unit, label: measured } = first.one.signal;
  const verdict =
    first.one.signal.measure === 'requests'
      ? ''
      : second === undefined
        ? `${service} has only this one:`
        : first.worst > 3 * second.worst
          ? `${expectsOne ? 'Yes, it' : 'It'} is mostly \`${first.value}\`:`
          : `${expectsOne ? 'No, it' : 'It'} is not one alone:`;
  for (const { one } of rows.slice(0, 2))
    facts.evidenceStore.metric(
      { ...one, instance: first.value === '' ? one.instance : (one.labels[label] ?? null) },
      { from: to - HOUR, to },
    );
  const text = [
    `**${service} ${measured} by \`${label}\`** in the hour to ${momentOf(to, facts.now)}. ${verdict}`.trim(),
    '',
    ...rows
      .slice(0, MOST_ROWS)
      .map(
        ({ value, last, worst }) => `- \`${value}\`: last ${amount(last, unit)}, max ${amount(worst, unit)}`,
      ),
    ...(rows.length > MOST_ROWS ? [`- … and ${rows.length - MOST_ROWS} more`] : []),
  ].join('\n');
  return {
    data: {
      rows: rows
        .slice(0, MOST_ROWS)
        .map(({ value, last, worst }) => ({ service, [label]: value, unit, last, max: worst })),
    },
    text,
  };
}
