import { expect, it } from 'vitest';
import { plainHttpQueries } from '../../../../src/service/telemetry/prometheus/plain-http.ts';
import { uncommonQueries } from '../../../../src/service/telemetry/prometheus/recognition.ts';

const offered = (...names: string[]) =>
  plainHttpQueries(new Set(names)).map(({ name, measure, unit }) => [name, measure, unit]);

it('recognizes plain metrics with the application in front of their names', () => {
  expect(
    offered(
      'ledger_http_requests_total',
      'ledger_request_latency_ms_bucket',
      'ledger_request_latency_ms_count',
    ),
  ).toEqual([
    ['ledger_http_requests_total', 'requests', '{request}/s'],
    ['ledger_http_requests_total', 'errors', '1'],
    ['ledger_request_latency_ms_count', 'requests', '{request}/s'],
    ['ledger_request_latency_ms_count', 'errors', '1'],
    ['ledger_request_latency_ms_bucket', 'latency', 'ms'],
  ]);
});

it('counts by a histogram only what no counter counts, since each service has its own way', () => {
  const names = new Set(['http_requests_total', 'http_request_duration_seconds_count']);
  const queries = plainHttpQueries(names).map(({ name, query }) => [
    name,
    /\) unless sum by /u.test(query('1m')),
  ]);
  expect(queries).toEqual([
    ['http_requests_total', false],
    ['http_requests_total', false],
    ['http_request_duration_seconds_count', true],
    ['http_request_duration_seconds_count', true],
  ]);
});

it('takes the count of a histogram for requests where nothing else counts them', () => {
  expect(offered('http_request_duration_seconds_bucket', 'http_request_duration_seconds_count')).toEqual([
    ['http_request_duration_seconds_count', 'requests', '{request}/s'],
    ['http_request_duration_seconds_count', 'errors', '1'],
    ['http_request_duration_seconds_bucket', 'latency', 's'],
  ]);
});

it.each([
  'prometheus_http_requests_total',
  'apiserver_request_duration_seconds_bucket',
  'traefik_service_requests_total',
  'envoy_http_downstream_requests_total',
  'requests_total_created',
])('leaves %s to others', (name) => {
  expect(offered(name)).toEqual([]);
});

it('reads counters of failures beside those of requests, of all services in one query', () => {
  expect(
    offered(
      'billing_rpc_requests_total',
      'billing_rpc_errors_total',
      'ledger_requests_total',
      'ledger_request_errors_total',
      'billing_request_duration_seconds_bucket',
      'ledger_request_duration_seconds_bucket',
    ),
  ).toEqual([
    ['*_requests_total', 'requests', '{request}/s'],
    ['*_requests_total', 'errors', '1'],
    ['*_request_duration_seconds_bucket', 'latency', 's'],
  ]);
});

it('reads calls, queries, pools, caches and certificates under names of their own', () => {
  expect(
    offered(
      'ledger_client_requests_total',
      'ledger_client_duration_seconds_sum',
      'ledger_db_query_duration_seconds_count',
      'ledger_pool_in_use',
      'ledger_pool_waiting',
      'ledger_cache_hits_total',
      'ledger_cache_misses_total',
      'ledger_cert_expiry_timestamp_seconds',
    ),
  ).toEqual([
    ['ledger_db_query_duration_seconds', 'queries', 's'],
    ['ledger_pool_in_use', 'connections', '{connection}'],
    ['ledger_pool_waiting', 'waiting', '{request}'],
    ['ledger_cache_hits_total', 'cache-hits', '1'],
    ['ledger_cert_expiry_timestamp_seconds', 'certificate', 's'],
    ['ledger_client_requests_total', 'requests', '{request}/s'],
    ['ledger_client_requests_total', 'errors', '1'],
    ['ledger_client_requests_total', 'reasons', '{request}/s'],
    ['ledger_client_duration_seconds_sum', 'latency', 's'],
  ]);
});

it('looks at what no convention knows: the mean of a histogram, and first what speaks of trouble', () => {
  const names = new Set([
    'beam_current_amperes',
    'queue_wait_seconds_bucket',
    'queue_wait_seconds_sum',
    'queue_wait_seconds_count',
    'jobs_failed_total',
    'up',
    'beam_build_info',
    'known_total',
  ]);
  const offers = uncommonQueries(names, new Set(['known_total']), 3);
  expect(offers.map(({ name, bad, unit }) => [name, bad, unit])).toEqual([
    ['jobs_failed_total', 'high', '/s'],
    ['queue_wait_seconds', 'high', 's'],
    ['beam_current_amperes', 'either', ''],
  ]);
  expect(offers[1]?.query('2m')).toMatch(/rate\(queue_wait_seconds_sum\[2m\]\).* \/ /u);
});

it('looks at fewer of them in a large system', () => {
  const names = new Set(Array.from({ length: 100 }, (_, i) => `beam_${i}_watts`));
  expect(uncommonQueries(names, new Set(), 10)).toHaveLength(60);
  expect(uncommonQueries(names, new Set(), 200)).toHaveLength(7);
});
