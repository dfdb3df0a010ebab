import { describe, expect, it } from 'vitest';
import { SHOP } from '../../../src/demo/shop/topology.ts';
import { bestNamed } from '../../../src/service/investigation/names.ts';

const services = Object.keys(SHOP);

describe('the service that a text names', () => {
  it.each([
    ['checkout-api', 'checkout-api'],
    ['HighErrorRate checkout-api (prod payments eu-west-1 critical)', 'checkout-api'],
    ['Checkout p95 latency above SLO', 'checkout-api'],
    ['s189p01-checkout-app', 'checkout-api'],
    ['KubePodCrashLooping payments (kube-state-metrics page-sre warning)', 'payments'],
    ['HighMemoryUsage for search-indexer', 'search-indexer'],
    ['pay-db-2', 'payments-db'],
    ['High CPU on host:web-14.prod,env:prod', 'web'],
    ['#4812: orders-db replication lag', 'orders-db'],
    ['CartServiceDown', 'cart'],
    ['redis memory', 'cache'],
    ['product catalog is empty', 'catalogue'],
    ['the order worker is stuck', 'order-worker'],
  ])('%s is %s', (text, service) => {
    expect(bestNamed([text], services)).toBe(service);
  });

  it.each([
    'billing-jobs nightly',
    'Disk is 91% full',
    'Synthetic check fails',
    'The health check does not work',
    'Host PROBLEM notification',
    'website',
    '',
    '14 30 99',
  ])('is none in "%s", unless a synonym says so', (text) => {
    expect([null, 'payments']).toContain(bestNamed([text], services));
  });

  it('is taken from an earlier field rather than from a later one', () => {
    expect(bestNamed(['payments', 'checkout-api is slow'], services)).toBe('payments');
    expect(bestNamed([null, 'checkout-api is slow', 'payments'], services)).toBe('checkout-api');
  });

  it('is taken from a later field where the earlier names none', () => {
    expect(bestNamed(['EC2', 'CPU high', 'web-14.prod'], services)).toBe('web');
  });
});
