import type { Findings } from '../../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { amount, joinNames, timeOfDay } from '../format.ts';
import type { Impact } from '../impact.ts';

/** Of the failed requests; a route with less of them is not named. */
const LEAST_SHARE = 0.05;
const MOST_ROUTES = 3;
const MOST_CUSTOMERS = 5;
const LONGEST_NAME = 80;

/** Says who is hit in the verdict's second line, or before the overview where there is no verdict. */
export function withImpact(findings: Findings, impact: Impact | null): Findings {
  if (impact === null) return findings;
  const { rootCause } = findings;
  const { rootCauseSummary: summary, incidentOverview } = rootCause;
  const words = impactInWords(impact);
  const customers = customersOf(impact);
  return {
    ...findings,
    rootCause:
      summary === undefined
        ? { ...rootCause, incidentOverview: `${words} ${incidentOverview}` }
        : { ...rootCause, rootCauseSummary: `${summary}\n${words}` },
    ...(customers.length > 0 && { customers }),
  };
}

/** `About 1,240 of 8,900 requests to payments failed since 14:02 UTC (13.9%, as of 14:09 UTC), all on POST /buy.` */
function impactInWords(impact: Impact): string {
  const { service, since, until, isOngoing, failed, requests } = impact;
  const share = amount(failed / requests, '1');
  const when = isOngoing
    ? `since ${timeOfDay(since)} (${share}, as of ${timeOfDay(until)})`
    : `from ${timeOfDay(since)} to ${timeOfDay(until)} (${share})`;
  return `About ${count(failed)} of ${count(requests)} requests to ${service} ${isOngoing ? 'have failed' : 'failed'} ${when}${onRoutes(impact)}.`;
}

function onRoutes({ routes, failed }: Impact): string {
  const [first, ...others] = routes.filter((route) => route.failed >= LEAST_SHARE * failed);
  if (first === undefined) return '';
  if (others.length === 0) {
    const share = first.failed / failed;
    const how = share > 0.995 ? 'all' : share > 0.9 ? 'nearly all' : `${count(first.failed)} of them`;
    return `, ${how} on \`${first.name}\``;
  }
  const shown = [first, ...others].slice(0, MOST_ROUTES);
  const left = failed - shown.reduce((sum, route) => sum + route.failed, 0);
  const parts = shown.map((route) => `${count(route.failed)} on \`${route.name}\``);
  return `: ${joinNames([...parts, ...(left > LEAST_SHARE * failed ? [`${count(left)} elsewhere`] : [])])}`;
}

/** The customers with the most failed requests, as values: who may read them is not for the service to say. */
function customersOf({ customers }: Impact): { name: string; failed: number; requests: number }[] {
  return customers.slice(0, MOST_CUSTOMERS).map(({ name, failed, requests }) => ({
    name: cutAtWord(oneLine(name), LONGEST_NAME),
    failed: rounded(failed),
    requests: rounded(requests),
  }));
}

function count(value: number): string {
  return rounded(value).toLocaleString('en-US');
}

/** To three digits: counted from rates, more of them would mean nothing. */
function rounded(value: number): number {
  return Math.round(Number(value.toPrecision(3)));
}
