import type { Budget } from '../budget.ts';
import { known, type MetricInfo, MOST_LABEL_VALUES, type Reading, type Window } from '../model.ts';
import { type Description, LISTING, type PrometheusClient } from './client.ts';
import { unitOf } from './promql.ts';

/** Of a server with more samples a scrape than this, the labels of all series are not read. */
const MOST_SERIES = 30_000;
const PART = /_(?:bucket|sum|count)$/u;
/** Labels that separate the parts of one measurement. */
const OF_PARTS: ReadonlySet<string> = new Set(['__name__', 'le', 'quantile']);
/** The number of samples of a scrape, which Prometheus counts itself. */
const SAMPLES = 'sum(scrape_samples_post_metric_relabeling)';
/** Where what it has was written to it, and it scrapes nothing: how many series there are. */
const SERIES = 'count({__name__!=""})';
/** One series a histogram. */
const EVERYTHING = '{__name__=~".+",__name__!~".+_bucket|.+_sum|scrape_.+|ALERTS.*"}';

/** Every metric that a server has: three requests, and four if it is small enough to read the labels of all series. */
export async function catalogOf(
  client: PrometheusClient,
  window: Window,
  budget: Budget,
): Promise<Reading<MetricInfo[]>> {
  const countOf = async (expression: string) => {
    const counted = await client.query(expression, window.to - 1, budget);
    return counted.known ? counted.value[0]?.points.values[0] : undefined;
  };
  const [names, described, count] = await Promise.all([
    client.metricNames(window, budget),
    client.metadata(budget),
    countOf(SAMPLES).then((samples) => samples ?? countOf(SERIES)),
  ]);
  if (!names.known) return names;
  const isSmall = count !== undefined && count <= MOST_SERIES;
  const listed = isSmall ? await client.query(EVERYTHING, window.to - 1, budget, LISTING) : known([]);
  const labels = new Map<string, Map<string, Set<string>>>();
  const all = new Set(names.value);
  const descriptions = described.known ? described.value : new Map<string, Description>();
  const baseOf = (name: string) => familyOf(name, all, descriptions);
  for (const { labels: own } of listed.known ? listed.value : []) {
    const base = baseOf(own.__name__ ?? '');
    const values = labels.get(base) ?? new Map<string, Set<string>>();
    labels.set(base, values);
    for (const [label, value] of Object.entries(own)) {
      if (OF_PARTS.has(label)) continue;
      const some = values.get(label) ?? new Set();
      values.set(label, some);
      if (some.size < MOST_LABEL_VALUES) some.add(value);
    }
  }
  const metrics = [...new Set(names.value.map(baseOf))].sort().map((name): MetricInfo => {
    const values = [...(labels.get(name) ?? [])].map(([label, some]) => [label, [...some]] as const);
    return { name, ...describe(name, all, descriptions), labels: Object.fromEntries(values) };
  });
  const reasons = [described, listed].flatMap((one) => (one.known ? [] : [one.reason]));
  return known(metrics, [...names.caveats, ...reasons]);
}

/** The histogram or summary that a metric is a part of, or its own name. */
function familyOf(
  name: string,
  all: ReadonlySet<string>,
  descriptions: ReadonlyMap<string, Description>,
): string {
  const base = name.replace(PART, '');
  const { type } = descriptions.get(base) ?? {};
  const isPart =
    type === 'histogram' || type === 'summary' || (all.has(`${base}_sum`) && all.has(`${base}_count`));
  return base !== name && isPart ? base : name;
}

/** What a metric is, by its exporter's description, else by its name. */
export function describe(
  name: string,
  all: ReadonlySet<string>,
  descriptions: ReadonlyMap<string, Description>,
): Pick<MetricInfo, 'type' | 'help' | 'unit'> {
  // OpenMetrics describes a counter without its suffix.
  const described = descriptions.get(name) ?? descriptions.get(name.replace(/_total$/u, ''));
  const { help = '', unit = '', type } = described ?? {};
  return { type: typeOf(type) ?? guessedType(name, all), help: help.trim(), unit: unitOf(name) || unit };
}

function typeOf(type: string | undefined): MetricInfo['type'] | null {
  return type === 'counter' || type === 'gauge' || type === 'histogram' || type === 'summary' ? type : null;
}

function guessedType(name: string, all: ReadonlySet<string>): MetricInfo['type'] {
  if (all.has(`${name}_bucket`)) return 'histogram';
  if (all.has(`${name}_sum`) && all.has(`${name}_count`)) return 'summary';
  // `pg_stat_activity_count` counts what is there now.
  const base = name.replace(PART, '');
  const isPart = base !== name && all.has(`${base}_sum`) && all.has(`${base}_count`);
  return isPart || name.endsWith('_total') ? 'counter' : 'unknown';
}
