import type { Measure } from '../model.ts';
import {
  errorRate,
  grouping,
  mean,
  p95,
  rates,
  SCRAPED,
  type SignalQuery,
  selector,
  throughput,
} from './promql.ts';

/** Name prefixes that belong to other products. */
export const FOREIGN =
  /^(?:alertmanager|apiserver|aws|bullmq|celery|cert_?manager|client|container|coredns|db|envoy|etcd|fluentbit|go|grafana|grpc|haproxy|hikaricp|http_client|http_server|istio|jetstream|jvm|kafka|kube|kubelet|linkerd|loki|machine|memcached|messaging|mongodb|mysql|nginx_ingress|node|nodejs|otelcol|pg|pgbouncer|phpfpm|probe|process|prometheus|promhttp|puma|python|rabbitmq|redis|rest_client|rpc|scheduler|sidekiq|spring_data|ssl|tempo|thanos|tomcat|traces|traefik|windows|workqueue|x509)_/u;
/** Words for calls to others. */
export const OUTGOING =
  /(?:^|_)(?:client|dependency|downstream|egress|external|outbound|outgoing|provider|third_party|upstream)_/u;
/** Labels that people use for what is called. */
const CALLEES = [
  'peer_service',
  'peer',
  'target_service',
  'target',
  'upstream',
  'downstream',
  'destination',
  'dependency',
  'remote',
  'provider',
  'backend',
  'server_address',
  'callee',
] as const;
/** Labels that people use for how it ended; clients in many languages use one of these for the status. */
const OUTCOMES = [
  'code',
  'status',
  'status_code',
  'http_status',
  'http_status_code',
  'http_code',
  'response_code',
  'outcome',
  'result',
] as const;
/** Those of the outcomes' labels that a server has; all if it does not list its labels. */
export function outcomesIn(labels: ReadonlySet<string> | undefined): readonly string[] {
  const some = OUTCOMES.filter((label) => labels?.has(label));
  return some.length > 0 ? some : OUTCOMES;
}

export const FAILED = '5..|5xx|(?i:.*(?:error|fail|failed|failure|timeout|refused|unavailable)|server_error)';

const CLIENT = /^(?:http_)?client_/u;
const CALLS = /_(?:requests?|calls?)_total$/u;
const DURATION = /_(?:duration|latency|time)(?:_seconds|_milliseconds|_ms)?(?:_sum)$/u;
const BY_NAME = grouping(SCRAPED);

/**
 * What people measure under names of their own, by the words in them: a measure, its unit, what the names look like, and
 * how they are combined. `$all` stands for all such metrics.
 */
const NAMED: readonly {
  measure: Measure;
  label: string;
  unit: string;
  bad?: SignalQuery['bad'];
  names: RegExp;
  promql: (metric: string, names: ReadonlySet<string>) => string | null;
  limit?: (metric: string) => string;
}[] = [
  {
    measure: 'queries',
    label: 'mean query time',
    unit: 's',
    names:
      /(?:^|_)(?:db|database|sql|quer(?:y|ies)|statements?|repository)_(?:\w+_)?(?:duration|latency|time)_seconds_count$/u,
    promql: (metric) => {
      const sum = metric.replace(/_count$/u, '_sum');
      return `sum $by (rate(${sum}[$rate])) / (sum $by (rate(${metric}[$rate])) > 0)`;
    },
  },
  {
    measure: 'connections',
    label: 'connections in use',
    unit: '{connection}',
    names:
      /(?:^|_)(?:pool|conn(?:ection)?s?)_(?:in_use|active|busy|used)$|(?:in_use|active|busy)_connections$/u,
    promql: (metric) => `max $by (${metric})`,
    limit: (metric) => metric.replace(/in_use|active|busy|used/u, 'max'),
  },
  {
    measure: 'waiting',
    label: 'requests waiting for a connection',
    unit: '{request}',
    names: /(?:^|_)(?:pool|conn(?:ection)?s?)_(?:waiting|waiters|pending)(?:_requests)?$/u,
    promql: (metric) => `sum $by (${metric})`,
  },
  {
    measure: 'cache-hits',
    label: 'cache hit ratio',
    unit: '1',
    bad: 'low',
    names: /(?:^|_)cache_hits_total$/u,
    promql: (hits, names) => {
      const misses = hits.replace(/hits/u, 'misses');
      const hit = `sum $by (rate(${hits}[$rate]))`;
      return names.has(misses) ? `${hit} / (${hit} + sum $by (rate(${misses}[$rate])) > 0)` : null;
    },
  },
  {
    measure: 'queue',
    label: 'queue depth',
    unit: '{message}',
    names:
      /(?:^|_)(?:queue|backlog)(?:_\w*)?(?:depth|size|length|messages|jobs|tasks)$|(?:^|_)(?:backlog|queue_depth|(?:queued|pending|waiting|unprocessed)_(?:messages|jobs|tasks|events|items))$/u,
    promql: (metric) => `sum $by (${metric})`,
  },
  {
    measure: 'lag',
    label: 'lag',
    unit: 's',
    names: /(?:^|_)(?:lag|behind|oldest_\w*age|age_of_oldest\w*)_seconds$/u,
    promql: (metric) => `max $by (${metric})`,
  },
  {
    measure: 'certificate',
    label: 'time to certificate expiry',
    unit: 's',
    bad: 'low',
    names: /(?:^|_)cert(?:ificate)?_(?:expiry|expiration|expires|not_after)(?:_timestamp)?(?:_seconds)?$/u,
    promql: (metric) => `min $by (${metric} > 1e9) - time()`,
  },
];
/** The maximum of metrics of each row. */
const MOST = 8;

/** Resources, queues and calls under names of their own. */
export function handNamedQueries(names: ReadonlySet<string>, labels?: ReadonlySet<string>): SignalQuery[] {
  const own = [...names].filter((name) => !FOREIGN.test(name)).sort();
  const resources = NAMED.flatMap(({ measure, label, unit, bad, names: like, promql, limit }) =>
    own
      .filter((name) => like.test(name))
      .slice(0, MOST)
      .flatMap((name): SignalQuery[] => {
        const template = promql(name, names);
        if (template === null) return [];
        const filled = (text: string) => (rate: string) =>
          text.replaceAll('$by', BY_NAME).replaceAll('$rate', rate);
        const most = limit?.(name);
        return [
          {
            name: name.replace(/_count$/u, ''),
            label,
            measure,
            unit,
            ...(bad && { bad }),
            place: SCRAPED,
            query: filled(template),
            ...(most !== undefined && names.has(most) && { limit: filled(`max $by (${most})`) }),
          },
        ];
      }),
  );
  return [
    ...resources,
    ...calls(
      [...names].filter((name) => !FOREIGN.test(name) || CLIENT.test(name)).sort(),
      outcomesIn(labels),
    ),
  ];
}

const TOTAL = /_total$/u;
/** Counters whose labels are asked about in one query. */
const MOST_ASKED = 60;

/** A counter's own name, without what a convention adds. */
const stemOf = (counter: string) => counter.replace(TOTAL, '');

/**
 * Counters that may count what a service does for others, under any name: `quotes_total`. Whether they do, their labels
 * tell (`outcomesQuery`).
 */
export function possibleWork(names: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  return [...names]
    .filter(
      (name) =>
        TOTAL.test(name) &&
        !FOREIGN.test(name) &&
        !CLIENT.test(name) &&
        !OUTGOING.test(name) &&
        !known.has(name),
    )
    .sort()
    .slice(0, MOST_ASKED);
}

/**
 * Which of these counters say how something ended, and not of whom it was asked: a series for each name that does, in
 * the label `metric`, since `or` takes series for the same that differ in `__name__` alone.
 */
export function outcomesQuery(counters: readonly string[]): string {
  const own = CALLEES.map((label) => `${label}=""`).join(',');
  const all = counters.map((name) => name.replaceAll('.', String.raw`\\.`)).join('|');
  return OUTCOMES.map((label) => {
    const named = `label_replace({__name__=~"${all}",${label}!="",${own}}, "metric", "$1", "__name__", "(.+)")`;
    return `count by (metric) (${named})`;
  }).join(' or ');
}

/** What a service does for others, by counters of how it ended, and by the duration of the same name. */
export function workQueries(
  counters: readonly string[],
  names: ReadonlySet<string>,
  labels?: ReadonlySet<string>,
): SignalQuery[] {
  if (counters.length === 0) return [];
  const own = CALLEES.map((label) => `${label}=""`);
  const any = (rate: string, ...matchers: readonly string[]) =>
    rates(
      counters.map((counter) => selector(counter, ...own, ...matchers)),
      rate,
    );
  const all = (rate: string) => `sum ${BY_NAME} (${any(rate)})`;
  const outcomes = outcomesIn(labels).map((label) => `${label}=~"${FAILED}"`);
  const failed = (rate: string) =>
    `sum ${BY_NAME} (${outcomes.map((outcome) => any(rate, outcome)).join(' or ')})`;
  const shared = { name: nameOf(counters), names: counters, place: SCRAPED };
  const durations = counters.flatMap((counter) =>
    ['_seconds', '_duration_seconds', '_latency_seconds'].flatMap((suffix) => {
      const stem = stemOf(counter);
      // `jobs_total` and `job_duration_seconds` are about the same.
      return [stem, stem.replace(/s$/u, '')].map((one) => `${one}${suffix}`);
    }),
  );
  const buckets = durations.flatMap((base) => (names.has(`${base}_bucket`) ? [`${base}_bucket`] : []));
  const sums = durations.flatMap((base) =>
    names.has(`${base}_sum`) && !names.has(`${base}_bucket`) ? [`${base}_sum`] : [],
  );
  return [
    { ...shared, ...throughput(all) },
    { ...shared, ...errorRate(failed, all) },
    ...p95Of(buckets),
    ...(sums.length === 0
      ? []
      : [
          {
            name: nameOf(sums),
            names: sums,
            label: 'mean latency',
            measure: 'latency' as const,
            unit: 's',
            quantile: 'mean' as const,
            place: SCRAPED,
            query: mean(BY_NAME, sums, countsOf(sums)),
          },
        ]),
  ];
}

/** The latency of several histograms, of which each service has one. */
export function p95Of(buckets: readonly string[]): SignalQuery[] {
  if (buckets.length === 0) return [];
  const shared = { name: nameOf(buckets), names: buckets, place: SCRAPED };
  const query = p95(BY_NAME, buckets);
  return [{ ...shared, label: 'p95 latency', measure: 'latency', unit: 's', quantile: 0.95, query }];
}

function countsOf(sums: readonly string[]): string[] {
  return sums.map((name) => name.replace(/_sum$/u, '_count'));
}

/** Calls to others, all names in one query: each service may have its own. */
function calls(own: readonly string[], outcomes: readonly string[]): SignalQuery[] {
  const counters = own.filter((name) => CALLS.test(name) && OUTGOING.test(name));
  const durations = own.filter((name) => DURATION.test(name) && OUTGOING.test(name));
  const edge = { caller: SCRAPED.labels, callee: CALLEES, side: 'caller' as const };
  const by = grouping(SCRAPED, ...CALLEES);
  const shared = { place: SCRAPED, edge };
  const failing = outcomes.flatMap((label) =>
    counters.map((counter) => selector(counter, `${label}=~"${FAILED}"`)),
  );
  const failures = (rate: string) => rates(failing, rate);
  const all = (rate: string) => `sum ${by} (${rates(counters, rate)})`;
  const counted: Omit<SignalQuery, 'name'>[] = [
    { ...shared, ...throughput(all, 'outgoing ') },
    { ...shared, ...errorRate((rate) => `sum ${by} (${failures(rate)})`, all, 'outgoing ') },
    {
      ...shared,
      label: 'failed outgoing calls',
      measure: 'reasons',
      unit: '{request}/s',
      query: (rate) => `sum ${grouping(SCRAPED, ...CALLEES, ...OUTCOMES)} (${failures(rate)})`,
    },
  ];
  const timed: SignalQuery[] =
    durations.length === 0
      ? []
      : [
          {
            ...shared,
            name: nameOf(durations),
            names: durations,
            label: 'outgoing mean latency',
            measure: 'latency',
            quantile: 'mean',
            unit: durations.every((name) => /(?:ms|milliseconds)_sum$/u.test(name)) ? 'ms' : 's',
            query: mean(by, durations, countsOf(durations)),
          },
        ];
  const named = counted.map((offer) => ({ ...offer, name: nameOf(counters), names: counters }));
  return [...(counters.length === 0 ? [] : named), ...timed];
}

/** One name for several metrics: `*_requests_total`. */
export function nameOf(metrics: readonly string[]): string {
  const [first = ''] = metrics;
  if (metrics.length <= 1) return first;
  const parts = first.split('_');
  const shared = parts.findIndex((_, i) =>
    metrics.every((name) => name.endsWith(`_${parts.slice(i).join('_')}`)),
  );
  return shared < 0 ? first : `*_${parts.slice(shared).join('_')}`;
}
