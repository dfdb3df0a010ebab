import { describe, expect, it } from 'vitest';
import {
  errorIn,
  errorInSentence,
  hostIn,
  withoutPodHashes,
  workloadOf,
} from '../../../src/bot/alerts/details.ts';
import { timestampIn } from '../../../src/bot/alerts/timestamps.ts';

describe('the workload of a pod', () => {
  it.each([
    ['api-7d4b9c6f8d-xkzqp', 'api'],
    ['checkout-api-5d7c9', 'checkout-api'],
    ['api-gateway-7d9f', 'api-gateway'],
    ['fluentd-x7k2p', 'fluentd'],
    ['orders-db-0', 'orders-db-0'],
    ['orders-worker', 'orders-worker'],
    ['web-cluster-proxy', 'web-cluster-proxy'],
    ['checkout', 'checkout'],
    ['7d9f', '7d9f'],
    ['', ''],
  ])('%s is %s', (pod, workload) => {
    expect(workloadOf(pod)).toBe(workload);
  });

  it('stands for the pod in a sentence', () => {
    expect(withoutPodHashes('Pod api-gateway-7d9f in namespace payments-x7k2 is crash looping')).toBe(
      'Pod api-gateway in namespace payments is crash looping',
    );
  });
});

describe('an error in a line', () => {
  it.each([
    ['TypeError: x is undefined', 'TypeError', 'x is undefined'],
    ['Uncaught (in promise) TypeError: x', 'TypeError', 'x'],
    ['Net::ReadTimeout', 'Net::ReadTimeout', null],
    ['java.net.SocketTimeoutException: Read timed out', 'java.net.SocketTimeoutException', 'Read timed out'],
    ['App\\Errors\\Gone - basket', 'App\\Errors\\Gone', 'basket'],
    ['EXC_BAD_ACCESS: address 0x0', 'EXC_BAD_ACCESS', 'address 0x0'],
    ['Payment provider answers slowly', null, 'Payment provider answers slowly'],
    ['Payment: provider answers slowly', null, 'Payment: provider answers slowly'],
    ['checkout.shop.example: timeout', null, 'checkout.shop.example: timeout'],
  ])('%s', (line, errorType, errorMessage) => {
    expect(errorIn(line)).toStrictEqual({ errorType, errorMessage });
  });

  it('is found in the middle of a sentence', () => {
    expect(errorInSentence('Job 7 failed with java.io.IOException: disk full')).toStrictEqual({
      errorType: 'java.io.IOException',
      errorMessage: 'disk full',
    });
    expect(errorInSentence('Error: the disk is full').errorType).toBeNull();
  });
});

describe('a host in a text', () => {
  it.each([
    ['connect ECONNREFUSED 10.0.4.17:5432', '10.0.4.17'],
    ['getaddrinfo ENOTFOUND smtp.internal', 'smtp.internal'],
    ['shop.example.io has gone down.', 'shop.example.io'],
    ['brute force from 198.51.100.7', null],
    ['java.lang.NullPointerException in cart.ts at 09:03', null],
    ['version 1.42.0 of checkout', null],
    ['mail ops@example.com', null],
  ])('%s', (words, host) => {
    expect(hostIn(words)).toBe(host);
  });
});

describe('a time as tools write it', () => {
  it.each([
    ['Nov 18, 2026 at 9:03am UTC', '2026-11-18T09:03:00Z'],
    ['18 Nov 2026 at 10:03 CET', '2026-11-18T09:03:00Z'],
    ['2026-11-18 09:03:19 pm EST', '2026-11-19T02:03:19Z'],
    ['18/11/2026 09:03:19', '2026-11-18T09:03:19Z'],
    ['11/18/2026, 9:03 PM', '2026-11-18T21:03:00Z'],
    ['Wed, 18 Nov 2026 09:03:19 +0100', '2026-11-18T08:03:19Z'],
    ['November 18th, 2026 12:05 AM', '2026-11-18T00:05:00Z'],
  ])('%s', (text, time) => {
    expect(timestampIn(text)).toBe(time);
  });
});
