import { expect, it } from 'vitest';
import { displayName } from '../../src/lib/text.ts';

const LINE = 'HighErrorRate checkout-api (prod checkout-api-376857 shop eu-west-1 critical)';

it.each<[string, string | null, string]>([
  [LINE, 'checkout-api', 'HighErrorRate · checkout-api'],
  [LINE, null, 'HighErrorRate · checkout-api'],
  ['HighErrorRate', 'checkout-api', 'HighErrorRate · checkout-api'],
  ['HighMemoryUsage for search-indexer', 'search-indexer', 'HighMemoryUsage · search-indexer'],
  [
    'KubePodCrashLooping payments (kube-state-metrics page-sre warning)',
    null,
    'KubePodCrashLooping · payments',
  ],
  ['DiskFull (critical)', null, 'DiskFull'],
  ['disk_full db-1 (prod db-1 critical)', 'orders-db', 'disk_full · orders-db'],
  [
    'Checkout p95 latency Payments (production eu-west-1 checkout-api critical)',
    'checkout-api',
    'Checkout p95 latency Payments · checkout-api',
  ],
])('%s of %s is named by its alert and its service', (title, service, name) => {
  expect(displayName({ title, service })).toBe(name);
});

it.each<[string, string | null]>([
  ['Checkout answers 502', 'checkout'],
  ['High CPU utilization (over 90% for 5m)', 'orders-db'],
  ['TypeError: Cannot read properties of undefined (reading total)', 'checkout-api'],
  ['PagerDuty is down (again)', null],
  ['HighErrorRate in the whole shop', 'checkout-api'],
  ['Deleted issue', 'checkout-api'],
  ['', null],
  ['()', 'a'],
  [' (a b critical)', 'b'],
])('%s is what a person reads already', (title, service) => {
  expect(displayName({ title, service })).toBe(title);
});

it('is as long as it takes to read, whatever a tool writes', () => {
  expect(displayName({ title: `A${'Bc'.repeat(200_000)} (a b critical)`, service: 'x' })).toHaveLength(
    400_016,
  );
});
