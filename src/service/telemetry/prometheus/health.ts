import type { Budget } from '../budget.ts';
import type { SourceHealth } from '../source.ts';
import type { PrometheusClient } from './client.ts';
import type { Directory } from './directory.ts';
import { INFO } from './rollouts.ts';
import type { Surveyed } from './survey.ts';

/** The ages at which samples are looked for, in hours, the furthest first. */
const AGES = [
  { hours: 168, words: 'a week' },
  { hours: 24, words: 'a day' },
  { hours: 6, words: 'six hours' },
  { hours: 1, words: 'an hour' },
];

/** The minimum of hours with samples; 0 for less than one, `null` if the query failed. */
export async function historyOf(
  client: PrometheusClient,
  now: number,
  budget: Budget,
): Promise<number | null> {
  const expression = AGES.map(
    ({ hours }) => `label_replace(count(up offset ${hours}h), "hours", "${hours}", "", "")`,
  ).join(' or ');
  const reading = await client.query(expression, now, budget);
  if (!reading.known) return null;
  return Math.max(0, ...reading.value.map(({ labels }) => Number(labels.hours)));
}

/** What was recognized, and what is missing, with the configuration that would add it. */
export function healthOf(
  system: Surveyed | Directory,
  {
    product,
    history,
    base,
    stated,
    tenantLabel,
  }: {
    product: string;
    history: number | null;
    base: string;
    /** What is to be said of lines of `SIGNALS`. */
    stated: readonly string[];
    tenantLabel: string | null;
  },
): SourceHealth {
  const { recognition, services, edges } = system;
  const { conventions, scrapeSeconds, names, labels } = recognition;
  const read =
    'series' in system
      ? system.series.map(({ signal }) => signal)
      : system.groups.flatMap(({ offers, rows }) => (rows?.length === 0 ? [] : offers));
  const measured = new Set(read.map(({ measure }) => measure));
  const has = (...measures: Parameters<typeof measured.has>[0][]) =>
    measures.some((one) => measured.has(one));
  const showsRollouts = [...names].some(
    (name) => INFO.test(name) || name === 'kube_pod_container_info' || name === 'kube_replicaset_created',
  );
  const missing = [
    edges.length === 0 &&
      'Who calls whom is not known. Turn on `service-graphs` in Tempo’s metrics-generator, or add the `servicegraph` connector to the OpenTelemetry Collector; a mesh or client metrics do as well.',
    !has('requests', 'errors') &&
      'No service counts its requests. Export a counter such as `http_requests_total` with a label `code`, or OpenTelemetry’s HTTP metrics.',
    !has('latency') &&
      'No service measures its latency. Export a histogram such as `http_request_duration_seconds`.',
    !has('cpu', 'memory') &&
      'CPU and memory are not known. Scrape the kubelet’s `/metrics/cadvisor`, or export the default metrics of a Prometheus client library.',
    !showsRollouts &&
      'Rollouts are not seen. Run kube-state-metrics, export `<name>_build_info` with a label `version`, or report them at `POST /changes`.',
    tenantLabel !== null &&
      labels.size > 0 &&
      !labels.has(tenantLabel) &&
      `No metric has the label \`${tenantLabel}\` of TENANT_LABEL: correct its name, or add the label to the counters of requests.`,
  ].filter((line) => line !== false);
  return {
    name: 'prometheus',
    ok: stated.length === 0,
    summary: [
      `${product} at ${base} answers: ${services.length} services, ${edges.length} dependencies.`,
      ...stated,
    ].join(' '),
    details: [
      `Services: ${listed(services.map(({ name }) => name).sort())}.`,
      `Recognized: ${conventions.length === 0 ? 'no convention' : conventions.join(', ')}.`,
      `${scrapeSeconds === null ? 'How often it scrapes is not known' : `It scrapes every ${scrapeSeconds} s`}. ${sentenceOn(history)}`,
      ...missing,
    ],
  };
}

function sentenceOn(history: number | null): string {
  if (history === null) return 'How far back it reaches could not be asked.';
  const age = AGES.find(({ hours }) => hours <= history);
  if (age === undefined) return 'It has samples of less than an hour: too few to tell what is usual.';
  const enough = age === AGES[0] ? '' : ' What is usual is learnt best from a week.';
  return `It has samples of ${age.words} or more.${enough}`;
}

const MOST_NAMES = 12;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
