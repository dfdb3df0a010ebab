import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage, variant } from '../fixtures.ts';

describe("a monitor of Uptime Kuma's", () => {
  const plain = (text: string, username = 'Uptime Kuma') => toolMessage({ username, text });

  it.each([
    [
      '[Shop [eu]] [🔴 Down] connect ECONNREFUSED 10.0.0.1:443',
      'firing',
      'connect ECONNREFUSED 10.0.0.1:443',
    ],
    ['[Shop [eu]] [:white_check_mark: Up] 200 - OK', 'resolved', '200 - OK'],
    ['[Shop [eu]] [✅ Up] ', 'resolved', null],
    [
      '[Shop [eu]] [🔴 Down] Keyword [🔴 Down] is not\nin the page',
      'firing',
      'Keyword [🔴 Down] is not\nin the page',
    ],
  ])('%s is %s in plain mode', (text, kind, errorMessage) => {
    expect(
      says(plain(text), 'format', 'kind', 'title', 'errorMessage', 'alertUrl', 'triggeredAt'),
    ).toStrictEqual({
      format: 'uptime-kuma',
      kind,
      title: 'Shop [eu]',
      errorMessage,
      alertUrl: null,
      triggeredAt: null,
    });
  });

  it('is known by its words, whatever the webhook is called, and is one monitor in both modes', () => {
    const message = plain('[Checkout web] [🔴 Down] timeout', 'ops');
    expect(says(message, 'format', 'fingerprint')).toStrictEqual({
      format: 'uptime-kuma',
      ...says(messageOf('uptime-kuma-up'), 'fingerprint'),
    });
  });

  it('is read from its card where the text is missing', () => {
    const keys = ['kind', 'title', 'errorMessage', 'triggeredAt', 'fingerprint'] as const;
    const message = messageOf('uptime-kuma-down');
    expect(says({ ...message, text: '' }, ...keys)).toStrictEqual(says(message, ...keys));
  });

  it.each([
    ['UTC', '2026-07-01T09:03:19Z'],
    ['America/New_York', '2026-07-01T13:03:19Z'],
    ['Asia/Kolkata', '2026-07-01T03:33:19Z'],
    ['Nowhere/Land', '2026-07-01T09:03:19Z'],
  ])('tells the time of %s', (zone, triggeredAt) => {
    const text = JSON.stringify(messageOf('uptime-kuma-down'))
      .replace('Europe/Berlin', zone)
      .replace('2026-11-18', '2026-07-01');
    expect(says(JSON.parse(text), 'triggeredAt')).toStrictEqual({ triggeredAt });
  });
});

describe('a check of healthchecks.io', () => {
  const DOWN = 'healthchecks-down';

  it('is up again, and the same check', () => {
    const message = variant(DOWN, { title: '“Nightly invoice export” is UP.', text: '' });
    expect(says(message, 'kind', 'title', 'errorMessage', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      title: 'Nightly invoice export',
      errorMessage: null,
      ...says(messageOf(DOWN), 'fingerprint'),
    });
  });

  it('is known by its link alone, and by its fields alone', () => {
    const linked = { ...variant(DOWN, { fields: [] }), username: 'x' };
    expect(says(linked, 'format', 'service', 'tags')).toStrictEqual({
      format: 'healthchecks',
      service: null,
      tags: [],
    });
    const listed = { ...variant(DOWN, { title_link: undefined, title: '"A "B"" is DOWN.' }), username: 'x' };
    expect(says(listed, 'format', 'title', 'alertUrl')).toStrictEqual({
      format: 'healthchecks',
      title: 'A "B"',
      alertUrl: null,
    });
  });

  it('is another check in another project', () => {
    const print = (Project: string) =>
      says(variant(DOWN, { title_link: '', fields: [{ title: 'Project', value: Project }] }), 'fingerprint')
        .fingerprint;
    expect(print('A')).not.toBe(print('B'));
  });
});

describe("a monitor of UptimeRobot's", () => {
  const line = (text: string) => toolMessage({ username: 'x', text });

  it.each([
    ['Monitor is DOWN: API ( <https://api.example.io/a_b?c=d&amp;e=f> )', 'firing', null],
    [
      'Monitor is DOWN: API ( <https://api.example.io> ) - Reason: HTTP 502 - Bad Gateway',
      'firing',
      'HTTP 502 - Bad Gateway',
    ],
    [
      'Monitor is UP: API ( <https://api.example.io> ). It was down for 0 minutes and 59 seconds.',
      'resolved',
      null,
    ],
    ['Monitor is UP: API ( 10.0.0.1 ). It was down for 3 hours (and 2 minutes).', 'resolved', null],
    ['Monitor is PAUSED: API ( <https://api.example.io> )', 'not_an_alert', null],
    ['Monitor is DOWN: API', 'firing', null],
  ])('%s is %s', (text, kind, errorMessage) => {
    expect(says(line(text), 'format', 'kind', 'title', 'errorMessage', 'alertUrl')).toStrictEqual({
      format: 'uptimerobot',
      kind,
      title: 'API',
      errorMessage,
      alertUrl: null,
    });
    expect(says(line(text), 'fingerprint')).toStrictEqual(
      says(line('Monitor is UP: API ( x )'), 'fingerprint'),
    );
  });

  it('has the parentheses of its name', () => {
    expect(says(line('Monitor is DOWN: API (eu) ( <https://api.example.io> )'), 'title')).toStrictEqual({
      title: 'API (eu)',
    });
  });
});

describe("a check of Pingdom's", () => {
  const DOWN = 'pingdom-down';

  it('is up again, and the same check', () => {
    const message = variant(DOWN, { title: 'Checkout (shop.example.io) is UP', text: '' });
    expect(says(message, 'kind', 'host', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      host: 'shop.example.io',
      ...says(messageOf(DOWN), 'fingerprint'),
    });
  });

  it('is known by its page, and has no host where the title names none', () => {
    const message = { ...variant(DOWN, { title: 'Checkout is DOWN' }), username: 'x' };
    expect(says(message, 'format', 'host')).toStrictEqual({ format: 'pingdom', host: null });
  });
});
