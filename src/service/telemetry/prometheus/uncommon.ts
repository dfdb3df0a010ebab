import { RECOGNISERS } from './recognisers/index.ts';
import { grouping, type Offer, SCRAPED, unitOf } from './recognisers/recogniser.ts';

/** So many metrics that no convention knows are looked at. */
const MOST = 60;

const CLAIMS = RECOGNISERS.flatMap(({ claims }) => claims);
const EXACT = new Set(CLAIMS.filter((claim) => !claim.endsWith('*')));
const PREFIXES = CLAIMS.filter((claim) => claim.endsWith('*')).map((claim) => claim.slice(0, -1));
/** Words that say that more of it is worse. */
const TROUBLE =
  /(?:^|_)(?:fail(?:ed|ures?)?|errors?|wait(?:ing)?|pending|backlog|lag|retr(?:y|ies)|dropped|rejected|timeouts?|latency|delay(?:ed)?|queued?|stuck|exceptions?|panics?)(?:_|$)/u;
const PARTS = /_(?:bucket|sum|created|info)$/u;

/** Metrics that no convention knows, each looked at by itself: a rate where it is a counter, the mean of a gauge. */
export function uncommonOffers(names: ReadonlySet<string>): Offer[] {
  const unclaimed = [...names].filter(
    (name) => !PARTS.test(name) && !EXACT.has(name) && !PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  return unclaimed.sort().slice(0, MOST).map(offerOf);
}

/** The number of them, which may be more than are looked at. */
function offerOf(name: string): Offer {
  const isCounter = /_(?:total|count)$/u.test(name);
  const by = grouping(SCRAPED);
  return {
    name,
    label: name,
    measure: 'other',
    unit: isCounter ? '/s' : unitOf(name),
    bad: TROUBLE.test(name) ? 'high' : 'either',
    metricType: isCounter ? 'sum' : 'gauge',
    place: SCRAPED,
    query: isCounter ? (rate) => `sum ${by} (rate(${name}[${rate}]))` : () => `avg ${by} (${name})`,
  };
}
