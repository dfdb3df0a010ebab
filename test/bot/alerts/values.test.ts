import { describe, expect, it } from 'vitest';
import { identifyingLabels, identifyingOf, kindOf } from '../../../src/bot/alerts/values.ts';

const texts = (values: Record<string, string>) =>
  identifyingOf(Object.entries(values).map(([key, text]) => ({ key, text }))).by.map(({ text }) => text);

describe('a value', () => {
  it.each([
    [
      'time',
      [
        '2026-11-18T09:14:22Z',
        '18/11/2026 09:14',
        '1795000440',
        '1795000440123',
        'Nov 18, 2026, 9:14 AM',
        'Wed Nov 18 04:14:57 UTC 2026',
        '09:14:22.118',
      ],
    ],
    ['duration', ['5m0s', '258 ms', '300s', '4m58s', 'PT5M', '12 minutes', '1h 4m']],
    ['measure', ['97', '97.2 %', '> 5', '12/50', '1.2e-3', '40 req/s', '5 of 6']],
    [
      'state',
      ['firing', 'ALERT_STATE_EVENT_END', 'alert.fired', 'UP -> DOWN', 'Critical', 'P1', 'OK_TO_FIRING'],
    ],
    [
      'id',
      ['9b2d11f0-5b1c-4f5e-9d57-0d1f6f2f8a11', '3ad7b26ded6d', 'AZx97LkP', '01HF7YAT31JZD1VH3Q2S1V8M3K'],
    ],
    ['url', ['https://shop.example.io/health']],
    ['nothing', ['', '—', '{', 'true', 'n/a', 'null', '@sre-team, @dba']],
    ['sentence', ['The disk of this machine is almost full now']],
    [
      'name',
      [
        'web-7',
        'eu-pool',
        'Response time',
        'DiskFull',
        '10.1.2.3',
        'i-0abc1234def56789a',
        'AppServer01',
        'v2.3.1-rc1',
      ],
    ],
  ] as const)('is a %s by itself, whatever its key is', (kind, values) => {
    expect(values.map((value) => [value, kindOf(value)])).toStrictEqual(values.map((value) => [value, kind]));
  });
});

describe('what identifies', () => {
  it('is what is left, under keys that nobody knows', () => {
    expect(
      texts({
        'zz flurb': 'Eu-Pool',
        'zz when': '2026-11-18T09:14:22Z',
        'zz how long': '5m0s',
        'zz much': '97%',
        'zz is': 'down',
      }),
    ).toStrictEqual(['eu-pool']);
  });

  it('has no replica, no state and no measurement in it', () => {
    expect(
      texts({ object: 'Pod/api-7d9f6c8b54-x2x9k', event: 'Checkout API has failed', check: 'disk at 97%' }),
    ).toStrictEqual(['pod/api', 'disk at']);
  });

  it('is not what somebody did, what it was before, or an id of this delivery', () => {
    expect(
      texts({
        'acknowledged by': 'Kim Test',
        'previous state': 'web-1',
        'event id': 'e-1881',
        id: '77213',
        'user email': 'kim@acme.io',
      }),
    ).toStrictEqual([]);
  });

  it('is the id of a rule, and the number of an object that has one', () => {
    expect(texts({ 'monitor id': '2011', partition: '7', count: '412' })).toStrictEqual([
      '2011',
      'partition 7',
    ]);
  });

  it('in a sentence is what is no ordinary word and no error', () => {
    expect(texts({ message: 'java.net.SocketTimeoutException on volume vol-3 after 300 s' })).toStrictEqual([
      'vol-3',
    ]);
  });

  it('of several alerts is what all of them say', () => {
    const label = (name: string, value: string) => ({ name, value, url: null });
    expect(
      identifyingLabels([
        label('job', 'node'),
        label('instance', 'web-1'),
        label('instance', 'web-2'),
        label('severity', 'page'),
      ]),
    ).toStrictEqual(['job=node']);
  });
});

it('a key with a state for one of its values has states for all, and identifies nothing', () => {
  const values = [
    { key: 'phase', text: 'Failed' },
    { key: 'phase', text: 'volume-binding' },
    { key: 'claim', text: 'orders-data' },
  ];
  expect(identifyingOf(values)).toStrictEqual({
    by: [{ key: 'claim', text: 'orders-data' }],
    left: values.slice(0, 2),
  });
});
