import { expect, it } from 'vitest';
import { indexOf } from '../../../../src/service/agent/catalog/find.ts';
import { candidatesFor, measure } from '../../../../src/service/agent/catalog/measure.ts';
import type { MetricInfo } from '../../../../src/service/telemetry/model.ts';

const metric = (
  name: string,
  type: MetricInfo['type'],
  labels: Record<string, string[]> = {},
  more: Partial<MetricInfo> = {},
): MetricInfo => ({ name, type, help: '', unit: '', labels, ...more });

const CATALOG = indexOf([
  metric('redis_keyspace_hits_total', 'counter', { job: ['redis'] }),
  metric('redis_keyspace_misses_total', 'counter', { job: ['redis'] }),
  metric('redis_memory_max_bytes', 'gauge', { job: ['redis'] }, { unit: 'By' }),
  metric('redis_memory_used_bytes', 'gauge', { job: ['redis'] }, { unit: 'By' }),
  metric(
    'node_filesystem_avail_bytes',
    'gauge',
    { mountpoint: ['/', '/srv/media'], job: ['node'] },
    { unit: 'By' },
  ),
  metric(
    'node_filesystem_size_bytes',
    'gauge',
    { mountpoint: ['/', '/srv/media'], job: ['node'] },
    { unit: 'By' },
  ),
  metric('rabbitmq_queue_consumers', 'gauge', { queue: ['mail', 'parcels'], job: ['rabbitmq'] }),
  metric(
    'rabbitmq_queue_messages_unacked',
    'gauge',
    { queue: ['mail', 'parcels'], job: ['rabbitmq'] },
    { help: 'Messages delivered to consumers but not yet acknowledged' },
  ),
  metric('pg_settings_commit_delay', 'gauge', { job: ['postgres'] }),
  metric('pg_stat_database_xact_commit', 'counter', { datname: ['bakery', 'postgres'], job: ['postgres'] }),
  metric('probe_ssl_earliest_cert_expiry', 'gauge', { job: ['blackbox'] }),
  metric('nodejs_eventloop_lag_p99_seconds', 'gauge', { job: ['till', 'oven'] }, { unit: 's' }),
  metric(
    'http_request_duration_seconds',
    'histogram',
    { route: ['/buy', '/browse'], job: ['till'] },
    { unit: 's' },
  ),
  metric(
    'node_cpu_seconds_total',
    'counter',
    {
      mode: ['idle', 'iowait', 'user'],
      cpu: ['0', '1'],
      instance: ['db-a:9100', 'db-b:9100'],
      job: ['node'],
    },
    { unit: 's' },
  ),
  metric('mysql_global_status_slow_queries', 'counter', {
    instance: ['db-a:9104', 'db-b:9104'],
    job: ['mysql'],
  }),
  metric('redis_evicted_keys_total', 'counter', { instance: ['menu-cache-0:9121', 'other-cache-0:9121'] }),
  metric('oven_batches_total', 'counter', { status: ['ok', 'burnt'], job: ['oven'] }),
  metric('till_pool_checked_out', 'gauge', { pod: ['till-0', 'till-1'], job: ['till'] }),
  metric('till_pool_size', 'gauge', { pod: ['till-0', 'till-1'], job: ['till'] }),
  metric('flour_sieve_last_success_timestamp_seconds', 'gauge', { job: ['sieve'] }, { unit: 's' }),
  metric('flour_sieve_last_run_sacks', 'gauge', { job: ['sieve'] }),
  metric('grpc_server_handled_total', 'counter', {
    grpc_method: ['WeighFlour', 'SiftFlour'],
    grpc_code: ['OK', 'Internal', 'NotFound', 'DeadlineExceeded'],
    job: ['scales'],
  }),
  metric('mysql_binlog_files', 'gauge', { instance: ['db-a:9104', 'db-b:9104'] }),
  metric('mysql_binlog_size_bytes', 'gauge', { instance: ['db-a:9104', 'db-b:9104'] }, { unit: 'By' }),
  metric('mill_grind_seconds', 'histogram', { grain: ['rye', 'wheat'], job: ['mill'] }, { unit: 's' }),
]);

function asked(question: string): string | undefined {
  const [best] = candidatesFor(question, CATALOG);
  if (best === undefined) return undefined;
  return measure(question, best, CATALOG).whole;
}

it.each([
  [
    'a share of two counters',
    'what is the hit rate of redis?',
    'sum(rate(redis_keyspace_hits_total{job="redis"}[5m])) / (sum(rate(redis_keyspace_hits_total{job="redis"}[5m])) + sum(rate(redis_keyspace_misses_total{job="redis"}[5m])))',
  ],
  [
    'how full something is, of what is left',
    'how full is the media disk?',
    '1 - sum(node_filesystem_avail_bytes{mountpoint="/srv/media"}) / sum(node_filesystem_size_bytes{mountpoint="/srv/media"})',
  ],
  [
    'the fullest where several are meant: two disks are not one',
    'how full are the disks?',
    'max(1 - sum by (mountpoint)(node_filesystem_avail_bytes) / sum by (mountpoint)(node_filesystem_size_bytes))',
  ],
  [
    'a gauge of one object',
    'how many consumers has the queue parcels?',
    'sum(rabbitmq_queue_consumers{queue="parcels"})',
  ],
  [
    'a word that exporters shorten',
    'messages unacknowledged in rabbitmq',
    'sum(rabbitmq_queue_messages_unacked{job="rabbitmq"})',
  ],
  [
    'the most that is allowed: a limit of one is none of another',
    'how much memory may redis use at most?',
    'max(redis_memory_max_bytes{job="redis"})',
  ],
  [
    'a counter a second',
    'how many commits per second in postgres?',
    'sum(rate(pg_stat_database_xact_commit{job="postgres"}[5m]))',
  ],
  ['a moment', 'how many days until the certificate expires?', 'min(probe_ssl_earliest_cert_expiry)'],
  ['a level, the highest', 'event loop lag of the till', 'max(nodejs_eventloop_lag_p99_seconds{job="till"})'],
  [
    'a histogram’s quantile',
    'p99 of the request duration of till',
    'histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{job="till"}[5m])))',
  ],
  [
    'a histogram’s calls',
    'which routes does the till have, and which is the busiest?',
    'sum(rate(http_request_duration_seconds_count{job="till"}[5m]))',
  ],
  [
    'processors without what they idle: all modes are how many there are',
    'cpu of db-a',
    '1 - sum(rate(node_cpu_seconds_total{instance="db-a:9100",mode=~"idle|iowait"}[5m])) / sum(rate(node_cpu_seconds_total{instance="db-a:9100"}[5m]))',
  ],
  [
    'a mode by its name',
    'iowait cpu of db-a',
    'sum(rate(node_cpu_seconds_total{mode="iowait",instance="db-a:9100"}[5m]))',
  ],
  [
    'short for a second, of a host without its port',
    'slow queries per sec on db-b',
    'sum(rate(mysql_global_status_slow_queries{instance="db-b:9104"}[5m]))',
  ],
  [
    'a noun for what is named by its verb, of one of several without its number',
    'evictions/s of menu-cache',
    'sum(rate(redis_evicted_keys_total{instance="menu-cache-0:9121"}[5m]))',
  ],
  [
    'the share of what is counted that a label’s value names',
    'what percentage of the batches of the oven is burnt?',
    'sum(rate(oven_batches_total{job="oven",status="burnt"}[5m])) / sum(rate(oven_batches_total{job="oven"}[5m]))',
  ],
  [
    'what is taken of what there is, where their names differ in these words alone',
    'how full is the pool of till?',
    'max(sum by (pod)(till_pool_checked_out{job="till"}) / sum by (pod)(till_pool_size{job="till"}))',
  ],
  [
    'a time, where it is asked when something was, and no number of the same',
    'did the flour sieve run last night?',
    'min(flour_sieve_last_success_timestamp_seconds{job="sieve"})',
  ],
  [
    'the time that something takes, whatever it is called, of what a label’s value names',
    'was wheat slow?',
    'histogram_quantile(0.95, sum by (le) (rate(mill_grind_seconds_bucket{grain="wheat"}[5m])))',
  ],
  [
    'what failed of what a label’s value names, in whatever case: what the caller did wrong is none of it',
    'how many weighflour failed?',
    'sum(rate(grpc_server_handled_total{grpc_method="WeighFlour",grpc_code=~"Internal|DeadlineExceeded"}[5m]))',
  ],
  [
    'the share of it that fails',
    'errors of SiftFlour',
    'sum(rate(grpc_server_handled_total{grpc_method="SiftFlour",grpc_code=~"Internal|DeadlineExceeded"}[5m])) / sum(rate(grpc_server_handled_total{grpc_method="SiftFlour"}[5m]))',
  ],
  [
    'the calls of it, whatever the metric that counts them is called',
    'traffic on SiftFlour',
    'sum(rate(grpc_server_handled_total{grpc_method="SiftFlour"}[5m]))',
  ],
  [
    'what a value begins with, where nothing else explains it',
    'brows req/s on till',
    'sum(rate(http_request_duration_seconds_count{job="till",route="/browse"}[5m]))',
  ],
  [
    'of two as near, that in the unit that is asked for',
    'how big are the binlogs on db-a?',
    'max(mysql_binlog_size_bytes{instance="db-a:9104"})',
  ],
  [
    'the other one, where a number is asked for',
    'how many binlogs has db-a?',
    'sum(mysql_binlog_files{instance="db-a:9104"})',
  ],
])('%s: %s', (_what, question, expression) => {
  expect(asked(question)).toBe(expression);
});

it('of what is counted by how it went, how many there were in all', () => {
  const question = 'how many WeighFlour failed?';
  const [best] = candidatesFor(question, CATALOG);
  expect(best && measure(question, best, CATALOG).limit?.whole).toBe(
    'sum(rate(grpc_server_handled_total{grpc_method="WeighFlour"}[5m]))',
  );
});

it('what is in use beside what there is: both numbers, of each part too', () => {
  const question = 'how many of the pool of till are in use, and what is the max?';
  const [best] = candidatesFor(question, CATALOG);
  const { whole, limit, parts } = (best && measure(question, best, CATALOG)) ?? {};
  expect({ whole, limit, parts: parts?.expression }).toEqual({
    whole: 'sum(till_pool_checked_out{job="till"})',
    limit: { whole: 'sum(till_pool_size{job="till"})', parts: 'sum by (pod)(till_pool_size{job="till"})' },
    parts: 'sum by (pod)(till_pool_checked_out{job="till"})',
  });
});

it('parts are those of the label that is asked for', () => {
  const question = 'which status do the batches of the oven have?';
  const [best] = CATALOG.find(question);
  expect(best && measure(question, best, CATALOG).parts).toEqual({
    expression: 'sum by (status) (rate(oven_batches_total{job="oven"}[5m]))',
    labels: ['status'],
  });
});

it('what nothing explains is said, and what no metric is about finds none', () => {
  expect(CATALOG.find('consumers of the queue parcels in frankfurt')[0]?.left).toEqual(['frankfurt']);
  expect(CATALOG.find('who wrote this bot')[0]?.covered ?? 0).toBeLessThan(0.6);
});

it('the words of names, descriptions and values are known, and a slip of one, too', () => {
  expect(
    ['parcels', 'parcel', 'delivered', 'parcles', 'unacked', 'frankfurt', 'broke'].map((word) =>
      CATALOG.knows(word),
    ),
  ).toEqual(['value', 'word', 'word', 'word', 'word', null, null]);
});

it('a metric that is called as the question says is told from one that only fits', () => {
  const isByName = (question: string) => CATALOG.find(question)[0]?.isByName;
  expect(['slow queries on db-a', 'slow requests of till', 'disks'].map(isByName)).toEqual([
    true,
    false,
    false,
  ]);
});

it('takes no time of what a program runs on for a latency of the program', () => {
  const catalog = indexOf([
    metric('nodejs_gc_duration_seconds', 'histogram', { job: ['till'], kind: ['minor'] }, { unit: 's' }),
    metric('till_handling_duration_seconds', 'histogram', { job: ['till'] }, { unit: 's' }),
  ]);
  expect(catalog.find('p95 latency of the till').map(({ metric: { name } }) => name)).toEqual([
    'till_handling_duration_seconds',
  ]);
  expect(catalog.find('gc duration of the till')[0]?.metric.name).toBe('nodejs_gc_duration_seconds');
});

it('a limit that the exporter has under another name is that of every state', () => {
  const catalog = indexOf([
    metric('pg_stat_activity_count', 'gauge', { job: ['postgres'], state: ['active', 'idle'] }),
    metric('pg_settings_max_connections', 'gauge', { job: ['postgres'] }),
  ]);
  const question = 'how many connections does postgres have, and what is the max?';
  const [best] = candidatesFor(question, catalog);
  const { whole, limit } = (best && measure(question, best, catalog)) ?? {};
  expect({ whole, limit: limit?.whole }).toEqual({
    whole: 'sum(pg_stat_activity_count{job="postgres"})',
    limit: 'sum(pg_settings_max_connections{job="postgres"})',
  });
});

it('what is asked about comes before everybody’s, and a status, a class of them and a part of a route are values', () => {
  const catalog = indexOf([
    metric('mill_sacks', 'gauge', { site: ['east', 'west'], job: ['mill-sender'] }),
    metric('oven_sacks', 'gauge', { job: ['oven'] }),
    metric('till_requests_total', 'counter', {
      route: ['/v1/tariff/:id', '/v1/usage'],
      status: ['200', '402', '503'],
      job: ['till'],
    }),
  ]);
  const best = (question: string, things: string[]) => {
    const [found] = candidatesFor(question, catalog, things);
    return found && measure(question, found, catalog).whole;
  };
  expect(best('sacks waiting', ['mill-sender'])).toBe('sum(mill_sacks{job="mill-sender"})');
  expect(best('how many 402 does till give', ['till'])).toBe(
    'sum(rate(till_requests_total{job="till",status="402"}[5m]))',
  );
  expect(best('what share of the requests of till is 5xx on /tariff', ['till'])).toBe(
    'sum(rate(till_requests_total{job="till",route="/v1/tariff/:id",status="503"}[5m])) / sum(rate(till_requests_total{job="till",route="/v1/tariff/:id"}[5m]))',
  );
});
