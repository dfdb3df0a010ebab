import { describe, expect, it } from 'vitest';
import { says, toolMessage } from '../fixtures.ts';

const kindOf = (parts: Record<string, unknown>) => says(toolMessage(parts), 'kind').kind;
const field = (title: string, value: string) => ({ title, value, short: true });

describe("the kind of a tool's message", () => {
  it.each([
    ['[FIRING:2] Disk full', 'firing'],
    ['Alert: disk full on db-7', 'firing'],
    ['Monitor is DOWN: shop', 'firing'],
    ['Deploy of shop failed', 'firing'],
    ['OPEN problem 8421', 'firing'],
    ['Problem resolved: disk full', 'resolved'],
    ['[RESOLVED] Disk full', 'resolved'],
    ['Monitor is UP: shop. It was down for 5 minutes', 'resolved'],
    ['shop: CRITICAL -> OK', 'resolved'],
    ['shop: OK → CRITICAL', 'firing'],
    ['Incident #12 has been closed', 'resolved'],
    ['Error: not resolved after 3 attempts', 'firing'],
    ['Acknowledged by Dana', 'not_an_alert'],
    ['Build #12 passed, 0 failed', 'not_an_alert'],
    ['Deployed shop 1.2.3 to production', 'not_an_alert'],
    ['Weekly error summary: 12 failed jobs', 'not_an_alert'],
    ['Error recap · last 24h', 'not_an_alert'],
    ['On-call schedule: Dana is on until Monday, 3 alerts fired', 'not_an_alert'],
    ['Good morning, team', 'not_an_alert'],
  ])('%s: %s', (text, kind) => {
    expect(kindOf({ text })).toBe(kind);
  });

  it.each([
    ['State', 'ALARM', 'firing'],
    ['Current State', '`OK`', 'resolved'],
    ['State Change', 'ALARM → OK', 'resolved'],
    ['Status', 'Acknowledged', 'not_an_alert'],
    ['State', 'INSUFFICIENT_DATA', 'not_an_alert'],
  ])('is what its field states: %s %s', (title, value, kind) => {
    const attachment = {
      title: 'orders-dlq-depth',
      text: 'Threshold Crossed',
      fields: [field(title, value)],
    };
    expect(kindOf({ attachments: [attachment] })).toBe(kind);
  });

  it('is firing where only its severity or its colour says so', () => {
    expect(kindOf({ attachments: [{ title: 'Disk', fields: [field('Severity', 'High')] }] })).toBe('firing');
    expect(kindOf({ attachments: [{ title: 'Disk', color: '#d00000' }] })).toBe('firing');
    expect(kindOf({ attachments: [{ title: 'Disk', color: '36a64f' }] })).toBe('not_an_alert');
  });

  it('of a reply needs a state in words', () => {
    const thread_ts = '1794990000.000100';
    expect(kindOf({ thread_ts, attachments: [{ title: 'Disk', color: 'danger' }] })).toBe('not_an_alert');
    expect(kindOf({ thread_ts, text: '*Resolved: Disk*' })).toBe('resolved');
  });
});

describe("what a tool's message says", () => {
  it('is read from fields', () => {
    const fields = [
      field('Priority', 'P2'),
      field('Environment', 'staging'),
      field('Service', '<https://x.example.io/s/1|shop>'),
      field('Host', 'web-7 [10.0.0.7]'),
      field('Region', 'eu-west-1'),
      field('Version', '`1.2.3`'),
      field('Trace ID', '4bf92f3577b34da6'),
      field('span_id', '00f067aa'),
      field('Error type', 'TypeError'),
      field('Error message', 'a &lt; b'),
      field('Tags', '`team:shop`, web'),
      field('Time', 'Wed Nov 18 01:10:58 UTC 2026'),
    ];
    const title_link = 'https://tool.example.io/alerts/77';
    const message = toolMessage({
      attachments: [{ title: 'Triggered: Checkout &amp; pay', title_link, fields }],
    });
    expect(
      says(message, 'title', 'severity', 'environment', 'service', 'host', 'region', 'version'),
    ).toStrictEqual({
      title: 'Checkout & pay',
      severity: 'high',
      environment: 'staging',
      service: 'shop',
      host: 'web-7',
      region: 'eu-west-1',
      version: '1.2.3',
    });
    expect(
      says(message, 'traceId', 'spanId', 'errorType', 'errorMessage', 'tags', 'triggeredAt', 'alertUrl'),
    ).toStrictEqual({
      traceId: '4bf92f3577b34da6',
      spanId: '00f067aa',
      errorType: 'TypeError',
      errorMessage: 'a < b',
      tags: ['team:shop', 'web'],
      triggeredAt: '2026-11-18T01:10:58Z',
      alertUrl: title_link,
    });
  });

  it('is read from lines, and from words like a log', () => {
    const text =
      'ALERT: orders failing\nSeverity: critical\nservice=orders env=prod trace_id=abc123 status=500';
    expect(
      says(toolMessage({ text }), 'title', 'severity', 'environment', 'service', 'traceId'),
    ).toStrictEqual({
      title: 'orders failing',
      severity: 'high',
      environment: 'prod',
      service: 'orders',
      traceId: 'abc123',
    });
  });

  it('leads to a button that opens the alert, not to one that silences it', () => {
    const button = (label: string, url: string) => ({
      type: 'button',
      text: { type: 'plain_text', text: label },
      url,
    });
    const elements = [
      button('Silence alert', 'https://t.example.io/silence'),
      button('View alert', 'https://t.example.io/a/1'),
    ];
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Disk is failing' } },
      { type: 'actions', elements },
    ];
    expect(says(toolMessage({ blocks }), 'alertUrl')).toStrictEqual({ alertUrl: 'https://t.example.io/a/1' });
  });

  it('takes a monitored address for no page of the alert', () => {
    expect(
      says(toolMessage({ text: 'Monitor is DOWN: shop ( <https://shop.example.io/health> )' }), 'alertUrl'),
    ).toStrictEqual({
      alertUrl: null,
    });
  });

  it('takes a local time with the zone beside it', () => {
    const attachments = [
      { title: 'shop is DOWN', fields: [field('Time (Europe/Berlin)', '2026-07-18 09:03:19')] },
    ];
    expect(says(toolMessage({ attachments }), 'triggeredAt')).toStrictEqual({
      triggeredAt: '2026-07-18T07:03:19Z',
    });
  });
});

describe("the identity of a tool's alert", () => {
  const print = (parts: Record<string, unknown>) => says(toolMessage(parts), 'fingerprint').fingerprint;

  it('is the thing that its link names', () => {
    const firing = {
      attachments: [{ title: 'Triggered: Slow', title_link: 'https://t.example.io/incidents/Q39?ref=1' }],
    };
    const over = {
      attachments: [
        { title: 'Resolved: Slow (after 3 min)', title_link: 'https://t.example.io/incidents/Q39?ref=2' },
      ],
    };
    expect(print(over)).toBe(print(firing));
    expect(
      print({
        attachments: [{ title: 'Triggered: Slow', title_link: 'https://t.example.io/incidents/Q40' }],
      }),
    ).not.toBe(print(firing));
  });

  it('is else its name without state and numbers, and its host', () => {
    expect(print({ text: 'RESOLVED: disk of db-7 is 41.5%' })).toBe(
      print({ text: 'FIRING: disk of db-7 is 97%' }),
    );
    expect(print({ text: 'FIRING: disk of db-8 is 97%' })).not.toBe(
      print({ text: 'FIRING: disk of db-7 is 97%' }),
    );
  });
});
