import { expect, it } from 'vitest';
import { recordedQueries } from '../../../../src/service/telemetry/prometheus/recording-rules.ts';

const read = (...names: string[]) =>
  recordedQueries(new Set(names)).map(({ name, measure, unit, quantile }) =>
    [name, measure, unit, ...(quantile === undefined ? [] : [quantile])].join(' '),
  );

it.each([
  ['job:http_requests:rate5m', 'requests {request}/s'],
  ['job:http_requests_errors:ratio_rate5m', 'errors 1'],
  ['service:rpc_requests:error_ratio5m', 'errors 1'],
  ['namespace_app:http_requests:success_ratio', 'success 1'],
  ['job:http_request_duration_seconds:p99_5m', 'latency s 0.99'],
  ['job:request_latency_milliseconds:95quantile_rate5m', 'latency ms 0.95'],
  ['job_route:request_duration_seconds:mean5m', 'latency s mean'],
  ['job_le:http_request_duration_seconds_bucket:rate5m', 'latency s 0.95'],
])('reads %s', (name, measured) => {
  expect(read(name)).toEqual([`${name} ${measured}`]);
});

it('divides failures by the requests that are recorded in the same way', () => {
  const names = new Set(['job:http_requests_failed:rate5m', 'job:http_requests:rate5m']);
  const errors = recordedQueries(names).find(({ measure }) => measure === 'errors');
  expect(errors?.query('2m')).toMatch(
    /\(job:http_requests_failed:rate5m\) \/ .*\(job:http_requests:rate5m\) > 0\)$/u,
  );
});

it.each([
  'instance:node_cpu_utilisation:rate5m',
  'code_resource:apiserver_request_total:rate5m',
  'namespace_workload_pod:kube_pod_owner:relabel',
  'cluster:http_requests:rate5m',
  'job:http_requests_failed:rate5m',
  'job:http_requests',
  'job:slo_objective:ratio',
])('does not read %s as a service’s requests, errors or latency', (name) => {
  expect(read(name)).toEqual([]);
});

it('leaves a recorded metric alone where the metric itself is kept', () => {
  expect(read('job:http_requests:rate5m', 'http_requests_total')).toEqual([]);
});
