import { personsMessage, toolMessage } from '../bot/alerts/fixtures.ts';

/** What the formats look for, and what makes a careless expression try everything: each again and again. */
export const PIECES = [
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
export function messagesOf(text: string): unknown[] {
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
