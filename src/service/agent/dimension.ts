import { labelOf } from '../investigation/format.ts';
import type { Window } from '../telemetry/model.ts';
import { askedBy, DIMENSION_NAMES, DIMENSIONS, type DimensionName } from './catalog/labels.ts';
import { MOST_PARTS } from './tools/quantity.ts';
import type { Shares } from './tools/shares.ts';
import type { Facts } from './types.ts';

/** What a question splits something by, in people's words: `which endpoint`, `by region`, `only one pod`. */
export function dimensionIn(words: string): DimensionName | null {
  const nouns = askedBy(words);
  return DIMENSION_NAMES.find((name) => nouns.some((noun) => DIMENSIONS[name].words.test(noun))) ?? null;
}

/** A measure of a service by the values of a label, the worst first; `null` if it has none. */
export async function splitOf(
  service: string,
  name: DimensionName,
  over: Window,
  facts: Facts,
): Promise<Shares | null> {
  const measure = name === 'status code' ? 'requests' : 'errors';
  const split = await facts.split(service, measure, DIMENSIONS[name].labels, over);
  const whole = facts.view.seriesOf(service, measure);
  if (split === null || whole === undefined) return null;
  const isShare = whole.signal.unit === '1';
  const parts = split.series
    .flatMap((one) => {
      const value = facts.view.points(one, { from: 0, to: over.to + 1 }).at(-1)?.value;
      return value === undefined ? [] : [{ one, value }];
    })
    .sort((a, b) => b.value - a.value);
  for (const { one } of parts.slice(0, 2))
    facts.evidenceStore.metric({ ...one, instance: one.labels[split.label] ?? null }, over);
  const [first, second] = parts.map(({ one, value }) => ({ name: one.labels[split.label] ?? '', value }));
  return {
    metric: `${service} ${labelOf(whole)}`,
    label: split.label,
    unit: whole.signal.unit,
    parts: parts.slice(0, MOST_PARTS).map(({ one, value }) => ({
      value: one.labels[split.label] ?? '',
      failing: null,
      rate: value,
      before: null,
    })),
    partsInAll: parts.length,
    failing: isShare && first !== undefined && first.value > 3 * (second?.value ?? 0) ? first.name : null,
    moved: null,
    query: '',
    url: null,
  };
}

/** `GET /orders/17`, in a log line. */
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE|HEAD)\s+(\/[^\s"'`?]*)|["'\s=](\/[a-z][^\s"'`?,;]*)/iu;
const BAD_LEVEL = /^(?:warn|err|fatal|crit|severe|panic)/iu;

/** The routes of a service that its lines and traces name failing, where no metric has them; `null` if they name none. */
export async function failingRoutes(service: string, over: Window, facts: Facts): Promise<Shares | null> {
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
    .map(([value, all]) => ({ value, failing: null, rate: all.length, before: null }))
    .sort((one, other) => other.rate - one.rate);
  if (counts.length === 0) return null;
  facts.evidenceStore.logs(service, lines);
  return {
    metric: 'Failing lines and traces',
    label: 'route',
    unit: '',
    parts: counts.slice(0, MOST_PARTS),
    partsInAll: counts.length,
    failing: null,
    moved: null,
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
