import type { Window } from '../telemetry/model.ts';
import { askedBy, DIMENSION_NAMES, DIMENSIONS, type DimensionName } from './catalog/labels.ts';
import { MOST_PARTS, type Quantity, quantityOf } from './tools/quantity.ts';
import type { Facts } from './types.ts';

/** What a question splits something by, in people's words: `which endpoint`, `by region`, `only one pod`. */
export function dimensionIn(words: string): DimensionName | null {
  const nouns = askedBy(words);
  return DIMENSION_NAMES.find((name) => nouns.some((noun) => DIMENSIONS[name].words.test(noun))) ?? null;
}

/** The level of a service with its parts by a label, the worst first; of routes that no metric has, how often its lines and traces name them failing. */
export async function splitOf(
  service: string,
  name: DimensionName,
  over: Window,
  facts: Facts,
): Promise<Quantity | null> {
  const measure = name === 'status code' ? 'requests' : 'errors';
  const { labels } = DIMENSIONS[name];
  const split = await facts.split(service, measure, labels, over);
  const series = facts.view.seriesOf(service, measure);
  const whole = series === undefined ? null : quantityOf(series, facts.fine, over, null, null);
  if (split === null || whole === null) return name === 'route' ? failingRoutes(service, over, facts) : null;
  const parts = split.series
    .flatMap((one) => {
      const value = facts.view.points(one, { from: 0, to: over.to + 1 }).at(-1)?.value;
      return value === undefined
        ? []
        : [{ one, value, labels: { [split.label]: one.labels[split.label] ?? '' } }];
    })
    .sort((a, b) => b.value - a.value);
  for (const { one } of parts.slice(0, 2))
    facts.evidenceStore.metric({ ...one, instance: one.labels[split.label] ?? null }, over);
  return {
    ...whole,
    name: `${whole.name} by ${split.label}`,
    parts: parts.slice(0, MOST_PARTS).map(({ value, labels: own }) => ({ value, labels: own })),
    partsInAll: parts.length,
  };
}

/** `GET /orders/17`, in a log line. */
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE|HEAD)\s+(\/[^\s"'`?]*)|["'\s=](\/[a-z][^\s"'`?,;]*)/iu;
const BAD_LEVEL = /^(?:warn|err|fatal|crit|severe|panic)/iu;

async function failingRoutes(service: string, over: Window, facts: Facts): Promise<Quantity | null> {
  const view = await facts.look(over, [service]);
  const lines = view.logs(service, over).filter(({ level }) => BAD_LEVEL.test(level ?? ''));
  const named = lines.flatMap(({ message }) => {
    const [, method = '', path, bare] = REQUEST.exec(message) ?? [];
    const route = path ?? bare;
    return route === undefined ? [] : [`${method.toUpperCase()} ${templateOf(route)}`.trim()];
  });
  const failed = view
    .traces(service, over)
    .filter((span) => span.service === service && span.failed === true && span.operation.includes('/'))
    .map(({ operation }) => operation);
  const counts = [...Map.groupBy([...named, ...failed], (route) => route)]
    .map(([route, all]) => ({ value: all.length, labels: { route } }))
    .sort((a, b) => b.value - a.value);
  if (counts.length === 0) return null;
  facts.evidenceStore.logs(service, lines);
  const count = named.length + failed.length;
  return {
    name: 'failing requests by route, as its lines and traces name them',
    service,
    help: '',
    unit: '',
    now: count,
    limit: null,
    isSum: true,
    isInAll: false,
    usual: null,
    max: count,
    maxAt: over.to,
    off: null,
    perMinute: null,
    inAll: null,
    isMoment: false,
    holds: null,
    before: null,
    parts: counts.slice(0, MOST_PARTS),
    partsInAll: counts.length,
    meeting: null,
    filters: [],
    query: '',
    url: null,
  };
}

/** A path without its ids: `/orders/17` is `/orders/{id}`. */
function templateOf(path: string): string {
  return path
    .split('/')
    .map((part) => (/\d/u.test(part) && !/^v\d+$/u.test(part) ? '{id}' : part))
    .join('/');
}
