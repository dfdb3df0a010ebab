import { describe, expect, it } from 'vitest';
import { isHost, isRegion, regionIn } from '../../../src/bot/alerts/details.ts';
import { factsOf } from '../../../src/bot/alerts/facts.ts';
import {
  bracketedState,
  emojiState,
  highestSeverity,
  severityOf,
  severityWord,
  slackColorOf,
} from '../../../src/bot/alerts/state.ts';
import { isoTimestamp, timestampIn } from '../../../src/bot/alerts/timestamps.ts';

describe('a color', () => {
  it.each([
    ['good', 'good'],
    ['#2EB886', 'good'],
    ['36a64f', 'good'],
    ['00703c', 'good'],
    ['warning', 'warning'],
    ['daa038', 'warning'],
    ['ffc700', 'warning'],
    ['danger', 'danger'],
    ['#a30200', 'danger'],
    ['d63232', 'danger'],
    ['f00', 'danger'],
    ['888888', null],
    ['439FE0', null],
    ['', null],
    ['reddish', null],
  ])('%s is %s', (color, mood) => {
    expect(slackColorOf(color)).toBe(mood);
  });
});

describe('a severity', () => {
  it.each([
    ['critical', 'high'],
    ['P1', 'high'],
    ['P2 - High', 'high'],
    ['Sev 1', 'high'],
    ['Sev2', 'medium'],
    ['Warning', 'medium'],
    ['Average', 'medium'],
    ['Informational', 'low'],
    ['P5', 'low'],
    ['none', null],
    ['', null],
  ])('%s is %s', (value, severity) => {
    expect(severityOf(value)).toBe(severity);
  });

  it('in a word without a label is only what nobody means otherwise', () => {
    expect(['critical', 'page', 'error', 'major', 'P1'].map(severityWord)).toStrictEqual([
      'high',
      null,
      null,
      null,
      'high',
    ]);
  });

  it('of several values is the highest', () => {
    expect(highestSeverity(['low', null, 'high', 'medium'])).toBe('high');
    expect(highestSeverity([null])).toBeNull();
  });
});

describe('a time', () => {
  it.each([
    ['2026-11-18T13:02:05Z', '2026-11-18T13:02:05Z'],
    ['2026-11-18T13:02:05.481+01:00', '2026-11-18T12:02:05Z'],
    ['2026-11-18 09:12:44.481 +0000 UTC', '2026-11-18T09:12:44Z'],
    ['at 2026.11.18 05:30:11 sharp', '2026-11-18T05:30:11Z'],
    ['2026-11-18 05:30', '2026-11-18T05:30:00Z'],
    ['Wed, 18 Nov 2026 02:15:00 GMT', '2026-11-18T02:15:00Z'],
    ['Wed Nov 18 2026 04:32:36 UTC', '2026-11-18T04:32:36Z'],
    ['Wed Nov 18 01:10:58 UTC 2026', '2026-11-18T01:10:58Z'],
    ['[83.0 (18/11/26 06:15:00)]', '2026-11-18T06:15:00Z'],
    ['2026-13-18T13:02:05Z', null],
    ['1026-11-18T13:02:05Z', null],
    ['noon', null],
  ])('%s is %s', (text, time) => {
    expect(timestampIn(text)).toBe(time);
  });

  it('without a zone is local to the zone beside it, if there is such a zone', () => {
    expect(timestampIn('2026-11-18 09:03:19', 'Europe/Berlin')).toBe('2026-11-18T08:03:19Z');
    expect(timestampIn('2026-11-18 09:03:19', 'Atlantis/Capital')).toBe('2026-11-18T09:03:19Z');
    expect(timestampIn('2026-11-18T09:03:19Z', 'Europe/Berlin')).toBe('2026-11-18T09:03:19Z');
  });

  it('is none outside this century', () => {
    expect([Number.NaN, -1, 1e300].map(isoTimestamp)).toStrictEqual([null, null, null]);
  });
});

describe('a place', () => {
  it('is a region by its form', () => {
    const words = ['eu-west-1', 'us-gov-west-1', 'europe-west4', 'eastus2', 'prod-eu1', 'web-east-1', 'EU'];
    expect(words.filter(isRegion)).toStrictEqual(['eu-west-1', 'us-gov-west-1', 'europe-west4', 'eastus2']);
  });

  it('is a host by its port, its numbers or its dots', () => {
    const words = [
      'db-1:9100',
      '10.2.3.4',
      '10.2.3.4:80',
      'db-3.prod.example.io',
      'db-1',
      '1.2.3',
      'checkout.api',
    ];
    expect(words.filter(isHost)).toStrictEqual([
      'db-1:9100',
      '10.2.3.4',
      '10.2.3.4:80',
      'db-3.prod.example.io',
    ]);
  });

  it('is named by a link', () => {
    expect(regionIn('https://console.aws.amazon.com/cloudwatch/home?region=us-east-1#alarm:x')).toBe(
      'us-east-1',
    );
    expect(regionIn('https://eu-west-1.console.aws.amazon.com/cloudwatch')).toBe('eu-west-1');
    expect(regionIn('https://shop.example.io/?region=germany')).toBeNull();
  });
});

describe('a state', () => {
  it.each([
    ['[FIRING:2] A', { state: 'firing', name: 'A' }],
    ['[RESOLVED] A ', { state: 'resolved', name: 'A' }],
    ['[FIRING:1, RESOLVED:2] A', { state: 'firing', name: 'A' }],
    ['[FIRING:0, RESOLVED:2] A', { state: 'resolved', name: 'A' }],
    ['[A] FIRING', null],
  ])('of %s', (title, found) => {
    expect(bracketedState(title)).toStrictEqual(found);
  });

  it('is that of the first emoji, in either form', () => {
    expect([':fire: A', '✅ was :fire:', '🔴 A', 'A :tada:', 'A'].map(emojiState)).toStrictEqual([
      'firing',
      'resolved',
      'firing',
      'resolved',
      null,
    ]);
  });
});

describe('labeled values', () => {
  const pairs = (text: string) => factsOf(text).map(({ name, value }) => [name, value]);

  it.each([
    ['*Severity:* high', [['Severity', 'high']]],
    ['*Severity*: `high`', [['Severity', 'high']]],
    ['  • *pod:* `web-1`', [['pod', 'web-1']]],
    [' - env = prod', [['env', 'prod']]],
    ['● severity `critical`', [['severity', 'critical']]],
    ['Host:        pay-db-2', [['Host', 'pay-db-2']]],
    [
      'State: *New*   First Seen: *Just now*',
      [
        ['State', 'New'],
        ['First Seen', 'Just now'],
      ],
    ],
    [
      '*Status:*\nTriggered\n*Team:*\nSRE',
      [
        ['Status', 'Triggered'],
        ['Team', 'SRE'],
      ],
    ],
    ['*Description:* one\ntwo\n\nthree', [['Description', 'one\ntwo']]],
    ['url: <https://a.example|A>', [['url', 'A']]],
    ['see https://a.example: nothing', []],
    ['This is a long sentence, and not a label: at all', []],
    ['*Bold* words', []],
  ])('are found in %j', (text, found) => {
    expect(pairs(text)).toStrictEqual(found);
  });
});
