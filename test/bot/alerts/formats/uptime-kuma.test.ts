import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

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

  it('is recognised by its words, under any webhook name, and is one monitor in both modes', () => {
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

  it('states each fact once', () => {
    const { description } = says(messageOf('uptime-kuma-down'), 'description');
    expect(description?.split('timeout of 48000ms exceeded')).toHaveLength(2);
  });
});
