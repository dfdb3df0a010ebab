import { describe, expect, it } from 'vitest';
import { classify } from '../../../../src/service/telemetry/recorded/files.ts';

describe('what a metric measures, by the words in its name and its unit', () => {
  it.each([
    ['checkout_duration_p95_seconds', 's', 'latency', 's', 'high', 0.95],
    ['rpcLatencyMean', 's', 'latency', 's', 'high', 'mean'],
    ['availability_ratio', 'ratio', 'success', '1', 'low', undefined],
    ['upstream_error_ratio', 'ratio', 'errors', '1', 'high', undefined],
    ['requests_per_second', '1/s', 'requests', '{request}/s', 'either', undefined],
    ['cpu_usage_cores', 'cores', 'cpu', '{cpu}', 'high', undefined],
    ['memory_working_set_bytes', 'bytes', 'memory', 'By', 'high', undefined],
    ['network_receive_bytes_per_second', 'bytes/s', 'activity', 'By/s', 'either', undefined],
    ['db_pool_wait_seconds_p99', 's', 'waiting', 's', 'high', undefined],
    ['queue_oldest_message_age_seconds', 's', 'lag', 's', 'high', undefined],
    ['pod_restart_total', '', 'restarts', '', 'high', undefined],
    ['tls_cert_seconds_until_expiry', 's', 'certificate', 's', 'low', undefined],
    ['disk_used_ratio', 'ratio', 'disk', '1', 'high', undefined],
    ['panic_count', '', 'other', '', 'high', undefined],
    ['widgets', 'furlongs', 'other', '', 'either', undefined],
  ])('%s (%s) is %s', (name, unit, measure, ucum, bad, quantile) => {
    const signal = classify(name, { unit, kind: '' });
    expect(signal).toMatchObject({ measure, unit: ucum, bad });
    expect(signal.quantile).toBe(quantile);
  });

  it("knows what is a machine's, by its name or its kind", () => {
    expect(classify('node_cpu_ratio', { unit: 'ratio', kind: '' }).shared).toBe(true);
    expect(classify('cpu_ratio', { unit: 'ratio', kind: 'of the machine' }).shared).toBe(true);
    expect(classify('cpu_ratio', { unit: 'ratio', kind: 'saturation' }).shared).toBeUndefined();
  });
});
