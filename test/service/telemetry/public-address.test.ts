import { expect, it } from 'vitest';
import { publicAddress } from '../../../src/service/telemetry/public-address.ts';

it.each<[string, string | undefined, string | null]>([
  // An address that only the program reaches is none that people open.
  ['http://prometheus:9090', undefined, null],
  ['http://127.0.0.1:9090', undefined, null],
  ['http://10.2.3.4:9090', undefined, null],
  ['http://172.20.0.3:9090', undefined, null],
  ['http://[::1]:9090', undefined, null],
  ['http://prometheus.monitoring.svc:9090', undefined, null],
  ['http://prometheus.monitoring.svc.cluster.local:9090', undefined, null],
  ['https://metrics.internal', undefined, null],
  ['https://prometheus.example.com/prom/', undefined, 'https://prometheus.example.com/prom'],
  ['http://172.32.0.3:9090', undefined, 'http://172.32.0.3:9090'],
  ['http://prometheus:9090', 'https://prometheus.example.com/', 'https://prometheus.example.com'],
  // Whoever says where people open it knows.
  ['http://prometheus:9090', 'http://prometheus.lan:9090', 'http://prometheus.lan:9090'],
  ['https://user:password@prometheus.example.com', undefined, 'https://prometheus.example.com'],
])('people open %s, with %s configured, at %s', (own, configured, opened) => {
  expect(publicAddress(own, configured)).toBe(opened);
});
