import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { isStop } from '../../../src/bot/asking/reply.ts';
import { alertIdentity } from '../../../src/bot/filing/identity.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { anAlert } from '../../support/an-alert.ts';
import { cpuMs, growth } from '../../support/cpu-time.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { personsMessage, toolMessage } from './fixtures.ts';
import { readingOf } from './webhooks/fixtures.ts';

/** What the formats look for, and what makes a careless expression try everything: each again and again. */
const PIECES = [
  ...[
    '<',
    '<a|',
    ' ',
    '\n',
    '*',
    '`',
    '_a ',
    ':a',
    ': ',
    ' = ',
    '- a = b\n',
    '&amp;',
    '(',
    '🔥',
    'a ',
    '1 ',
    '%',
    '\t',
  ],
  ...[
    '[FIRING:1] ',
    '<https://a.b/c|d> ',
    '*a:* b\n',
    '\n**Firing**\nLabels:\n',
    '] [x ',
    ' ( a )',
    ' - #1 ',
    'a4-',
  ],
  ...[
    '“',
    '"a b',
    'a=b ',
    'a="b c" ',
    'HOST: ',
    ' has recovered',
    'connection ',
    'from a to b ',
    'status: ',
    'no ',
  ],
  ...[
    'alert ',
    '[a] b - New Error: #1 A::B: ',
    'Incident for a: ',
    ' is down: ',
    'in a from b ',
    'a 1, ',
    'today ',
    'report\n',
    'A::',
    '18 Nov 2026 at 9:03 ',
    'https://a.b/c?d=e&',
    '1.1.1.1 ',
    'a.b.',
    'a-',
    '\u{a0}',
    '> ',
    '• ',
    '{a} ',
    'daily ',
    '```',
    'in 1 s ',
  ],
];

/** The places where a message has text, one message each. */
function messagesOf(text: string): unknown[] {
  const section = { type: 'section', text: { type: 'mrkdwn', text } };
  const card = { title: text, text, fallback: text, footer: text, fields: [{ title: 'a', value: text }] };
  const check = { title: 'Host PROBLEM notification', text: `Host: a\n${text}` };
  return [
    toolMessage({ text, username: 'Alertmanager' }),
    toolMessage({ attachments: [card] }),
    toolMessage({ blocks: [section, { ...section, fields: [{ type: 'mrkdwn', text }] }] }),
    toolMessage({ username: 'nagios', attachments: [check] }),
    ...['Rollbar', 'Bugsnag', 'Uptime Kuma', 'Sentry', 'Pingdom'].map((username) =>
      toolMessage({ text, username }),
    ),
    personsMessage(text),
  ];
}

describe('the time to read a message', () => {
  it('grows in proportion to the text: ten times the text takes far less than a hundred times as long', () => {
    messagesOf('warm up '.repeat(5_000)).forEach(parseAlert);
    const slow = PIECES.find((piece) => {
      const [short, long] = [2_000, 20_000].map((size) => messagesOf(piece.repeat(size / piece.length)));
      return growthOf(short ?? [], long ?? [], 30) > 50;
    });
    expect(slow).toBeUndefined();
  });

  it.each([
    ['text', (text: string) => ({ text })],
    [
      'attachments',
      (text: string) => ({ attachments: parts(text, (part) => ({ title: part, text: part })) }),
    ],
    [
      'fields',
      (text: string) => ({ attachments: [{ fields: parts(text, (value) => ({ title: 'a', value })) }] }),
    ],
    [
      'blocks',
      (text: string) => ({ blocks: parts(text, (part) => ({ type: 'section', text: { text: part } })) }),
    ],
  ])('grows as it does from 10 kB to 1 MB of %s', (_, shape) => {
    const line = 'Status: firing on web-7 at 97.3 % since 2026-11-18T05:30:11Z <https://a.example/b|View> ';
    const [short, long] = [10_000, 1_000_000].map((size) => [
      toolMessage(shape(line.repeat(size / line.length))),
    ]);
    expect(growthOf(short ?? [], long ?? [], 150)).toBeLessThan(300);
  });

  it('is no more than seconds for a megabyte of anything', () => {
    for (const piece of PIECES) {
      const long = piece.repeat(1_000_000 / piece.length);
      const fields = [{ title: long, value: long }];
      const card = {
        title: long,
        title_link: long,
        text: long,
        footer: 'Grafana v11.3.0',
        fallback: long,
        fields,
      };
      const messages = ['Alertmanager', 'Datadog', 'Kibana', 'x'].map((username) =>
        toolMessage({ username, text: long, attachments: [card] }),
      );
      const began = cpuMs();
      [...messages, personsMessage(long)].forEach(parseAlert);
      expect({ piece, slow: cpuMs() - began > 15_000 }).toStrictEqual({ piece, slow: false });
    }
  });

  it.each(['title', 'message', 'text'])(
    'grows as the alerts of a webhook do, whatever the %s repeats',
    (name) => {
      const body = (piece: string, count: number) => ({
        alerts: Array.from({ length: count }, (_, id) => ({
          id,
          [name]: piece.repeat(25_000 / piece.length),
        })),
      });
      const slow = PIECES.filter((piece) => {
        const [few, many] = [body(piece, 1), body(piece, 40)];
        const began = cpuMs();
        readingOf('generic', many);
        const isLong = cpuMs() - began > 1_000;
        return (
          isLong ||
          growth(
            () => readingOf('generic', few),
            () => readingOf('generic', many),
            100,
          ) > 100
        );
      });
      expect(slow).toEqual([]);
    },
  );

  it('grows with the number of alerts of a webhook, which keep their identities', () => {
    const group = (count: number) => ({
      status: 'firing',
      externalURL: 'http://am.example.io',
      groupLabels: { alertname: 'Down' },
      commonLabels: { alertname: 'Down', job: 'api' },
      alerts: Array.from({ length: count }, (_, at) => ({
        status: 'firing',
        labels: { alertname: 'Down', job: 'api', instance: `10.0.0.1:${at}` },
        annotations: { summary: 'it is down' },
      })),
    });
    for (const format of ['alertmanager', 'grafana', 'generic']) {
      const reading = readingOf(format, group(5_000));
      const alerts = reading.kind === 'alerts' ? reading.alerts : [];
      expect(new Set(alerts.map(({ alert }) => alert.fingerprint)).size).toBe(5_000);
      const [few, many] = [group(1_000), group(8_000)];
      const eightfold = growth(
        () => readingOf(format, few),
        () => readingOf(format, many),
        16,
      );
      expect(eightfold).toBeLessThan(24);
    }
  });
});

describe('the time to read a text that goes on and on', () => {
  it('is short for the title of an alert, from which its identity is made', async () => {
    await using opened = await openTestStore();
    const began = cpuMs();
    for (const title of [`${'- '.repeat(500_000)}x`, 'down '.repeat(200_000)])
      await alertIdentity(opened.store, anAlert({ title }), ChannelSettings.parse({}), 'production');
    expect(cpuMs() - began).toBeLessThan(15_000);
  });

  it('is short for a reply that might be a bare "stop"', () => {
    const began = cpuMs();
    expect(isStop(`stop${' ,.!'.repeat(50_000)}?`)).toBe(false);
    expect(cpuMs() - began).toBeLessThan(15_000);
  });
});

function growthOf(short: readonly unknown[], long: readonly unknown[], enough: number): number {
  return growth(
    () => short.forEach(parseAlert),
    () => long.forEach(parseAlert),
    enough,
  );
}

/** A text in a hundred parts. */
function parts<T>(text: string, part: (text: string) => T): T[] {
  const size = Math.ceil(text.length / 100);
  return Array.from({ length: 100 }, (_, at) => part(text.slice(at * size, (at + 1) * size)));
}
