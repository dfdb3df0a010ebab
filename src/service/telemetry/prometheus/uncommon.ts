import { FOREIGN } from './hand-named.ts';
import { grouping, type Offer, SCRAPED, unitOf } from './promql.ts';

/** The maximum of metrics outside all conventions to look at. */
const MOST = 60;

/** Of the server, of the alerts, and of the scrape itself. */
const OF_SCRAPE = /^(?:up|target_info|ALERTS.*|scrape_.*)$/u;
/** Words indicating that more is worse. */
const PROBLEM =
  /(?:^|_)(?:fail(?:ed|ures?)?|errors?|wait(?:ing)?|pending|backlog|lag|retr(?:y|ies)|dropped|rejected|timeouts?|latency|delay(?:ed)?|queued?|stuck|exceptions?|panics?)(?:_|$)/u;
const PARTS = /_(?:bucket|sum|created|info)$/u;

/** Above this many series of services, fewer metrics are read, so as not to spend the budget of the conventions. */
const MOST_SERIES = 1_500;

/**
 * Metrics outside all conventions, each judged on its own: the rate of a counter, the mean of a gauge or of a
 * histogram. Names that suggest problems go first.
 *
 * @param known names used by conventions
 * @param services how many services there are
 */
export function uncommonOffers(
  names: ReadonlySet<string>,
  known: ReadonlySet<string>,
  services: number,
): Offer[] {
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/u, ''));
  const unclaimed = [...names].filter(
    (name) => !PARTS.test(name) && !isKnown(name) && !OF_SCRAPE.test(name) && !FOREIGN.test(name),
  );
  const most = Math.min(MOST, Math.max(5, Math.floor(MOST_SERIES / Math.max(1, services))));
  return unclaimed
    .sort((a, b) => Number(PROBLEM.test(b)) - Number(PROBLEM.test(a)) || (a < b ? -1 : 1))
    .slice(0, most)
    .map((name) => meanOf(name, names) ?? offerOf(name));
}

/** The mean of a histogram or a summary; `null` if it is neither. */
function meanOf(name: string, names: ReadonlySet<string>): Offer | null {
  const base = name.replace(/_count$/u, '');
  if (base === name || !names.has(`${base}_sum`)) return null;
  const by = grouping(SCRAPED);
  const unit = unitOf(base);
  return {
    name: base,
    label: `mean ${base}`,
    measure: 'other',
    unit,
    bad: ['s', 'ms', 'us'].includes(unit) || PROBLEM.test(base) ? 'high' : 'either',
    place: SCRAPED,
    query: (rate) =>
      `sum ${by} (rate(${base}_sum[${rate}])) / (sum ${by} (rate(${base}_count[${rate}])) > 0)`,
  };
}

function offerOf(name: string): Offer {
  const isCounter = /_(?:total|count)$/u.test(name);
  const by = grouping(SCRAPED);
  return {
    name,
    label: name,
    measure: 'other',
    unit: isCounter ? '/s' : unitOf(name),
    bad: PROBLEM.test(name) ? 'high' : 'either',
    metricType: isCounter ? 'sum' : 'gauge',
    place: SCRAPED,
    query: isCounter ? (rate) => `sum ${by} (rate(${name}[${rate}]))` : () => `avg ${by} (${name})`,
  };
}
