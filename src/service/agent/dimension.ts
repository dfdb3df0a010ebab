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
    metric: 'failing lines and traces',
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
