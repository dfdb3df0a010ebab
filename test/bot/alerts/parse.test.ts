import { describe, expect, it } from 'vitest';
import { parseAlert, statusNote } from '../../../src/bot/alerts/parse.ts';
import { changed, messageOf, personsMessage, says, toolMessage, variant } from './fixtures.ts';

const NOTHING = {
  kind: 'not_an_alert',
  format: 'generic',
  title: null,
  description: null,
  severity: null,
  environment: null,
  service: null,
  triggeredAt: null,
  alertUrl: null,
  host: null,
  region: null,
  version: null,
  traceId: null,
  spanId: null,
  errorType: null,
  errorMessage: null,
  tags: [],
  fingerprint: null,
};
const FIRING = 'alertmanager-default-firing';

describe('parseAlert', () => {
  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['a list', [{ text: 'DOWN' }]],
    ['an empty object', {}],
    [
      'parts of other types',
      { text: 3, attachments: 'x', blocks: { type: 'section' }, bot_profile: [], subtype: 9 },
    ],
    ['an edit without a message', { type: 'message', subtype: 'message_changed' }],
    ['a deletion without a message', { type: 'message', subtype: 'message_deleted', previous_message: 'x' }],
    ['a join', { subtype: 'channel_join', user: 'U1', text: 'prod is down' }],
  ])('finds nothing in %s', (_, event) => {
    expect(parseAlert(event)).toStrictEqual(NOTHING);
  });

  it('keeps what it can read beside a bad part', () => {
    const { attachments } = variant(FIRING, {
      fields: 'x',
      ts: {},
      blocks: [1, null, { type: 'section', text: 4 }],
    });
    const message = {
      ...messageOf(FIRING),
      attachments: [null, 7, ...(Array.isArray(attachments) ? attachments : [])],
    };
    expect(says(message, 'kind', 'title')).toStrictEqual(says(messageOf(FIRING), 'kind', 'title'));
  });

  it('leaves out an unfurled alert: those are words of another message', () => {
    const message = variant(FIRING, {
      from_url: 'https://acme.slack.com/archives/C1/p1',
      is_msg_unfurl: true,
    });
    expect(parseAlert(message)).toStrictEqual(NOTHING);
  });

  it('drops control characters and lone surrogates', () => {
    const message = variant(FIRING, { title: '[FIRING:1] A\u0000B \ud800 C', fallback: undefined });
    expect(says(message, 'title')).toStrictEqual({ title: 'AB � C' });
  });

  it('shortens a title to the service’s limit', () => {
    const { title } = says(variant(FIRING, { title: `[FIRING:1] ${'long '.repeat(500)}` }), 'title');
    expect(title).toMatch(/^long .{480,493}…$/);
  });
});

describe('an edit', () => {
  const edit = (previous: unknown, message: unknown) => ({
    type: 'message',
    subtype: 'message_changed',
    message,
    previous_message: previous,
  });
  const resolved = messageOf('alertmanager-default-resolved');

  it('by which a tool ends its alert is a recovery', () => {
    expect(parseAlert(edit(messageOf(FIRING), resolved))).toStrictEqual(parseAlert(resolved));
  });

  it('that changes no state says only which alert it is about', () => {
    const recounted = variant(FIRING, {
      title: '[FIRING:2] HighErrorRate checkout-api (prod payments eu-west-1 critical)',
    });
    const { title, fingerprint } = parseAlert(messageOf(FIRING));
    expect(parseAlert(edit(messageOf(FIRING), recounted))).toStrictEqual({
      ...NOTHING,
      format: 'alertmanager',
      title,
      fingerprint,
    });
  });

  it('that raises the severity is a repeat', () => {
    const page = messageOf('datadog-oncall-page-triggered');
    const low = JSON.parse(JSON.stringify(page).replace('*Urgency:*\\nHigh', '*Urgency:*\\nLow'));
    expect(says(edit(low, page), 'kind', 'severity')).toStrictEqual({ kind: 'firing', severity: 'high' });
  });

  it('of a person files nothing', () => {
    const event = edit(personsMessage('hello'), personsMessage('prod checkout is down'));
    expect(says(event, 'kind')).toStrictEqual({ kind: 'not_an_alert' });
  });
});

describe('what Slack itself posts', () => {
  it.each(['USLACK', 'USLACKBOT'])('is no alert, whatever it says (%s)', (user) => {
    const reminder = personsMessage('Reminder: prod checkout is down', { user });
    expect(says(reminder, 'kind')).toStrictEqual({ kind: 'not_an_alert' });
  });

  it('is an alert where an app posts it under that name', () => {
    const page = { ...messageOf('datadog-oncall-page-triggered'), user: 'USLACKBOT' };
    expect(says(page, 'kind')).toStrictEqual({ kind: 'firing' });
  });
});

const edit = (previous_message: unknown, message: unknown) => ({
  type: 'message',
  subtype: 'message_changed',
  message,
  previous_message,
});
const PAGE = messageOf('datadog-oncall-page-triggered');

describe('statusNote', () => {
  it.each([
    [
      'an acknowledgement in the thread',
      messageOf('pagerduty-acknowledged-thread'),
      'Acknowledged by Dana Reyes',
    ],
    [
      'an update in the thread',
      messageOf('zabbix-update-thread'),
      'Updated problem in 6m 28s: High CPU utilization (over 90% for 5m)',
    ],
    [
      'an acknowledgement by its type',
      changed('nagios-host-down', ['Host PROBLEM', 'Host ACKNOWLEDGEMENT']),
      'Acknowledged',
    ],
    ['a downtime', changed('nagios-host-down', ['Host PROBLEM', 'Host DOWNTIMESTART']), 'Downtime started'],
    [
      'the end of a downtime',
      changed('checkmk-service-problem', ['Service PROBLEM', 'Service DOWNTIMEEND']),
      'Downtime ended',
    ],
    [
      'a state that is shouted',
      changed('icinga-service-critical', ['STATE: CRITICAL', 'STATE: ACKNOWLEDGEMENT']),
      'Acknowledged',
    ],
    [
      'who it was given to',
      changed(
        'sentry-issue-resolved-thread',
        ['marked <https', 'assigned <https'],
        ['as resolved in an upcoming release', 'to Sam'],
      ),
      'Dana Reyes assigned CHECKOUT-API-4F to Sam',
    ],
    [
      'a card that was edited to say so',
      edit(PAGE, changed('datadog-oncall-page-triggered', ['Triggered', 'Acknowledged'])),
      'Acknowledged',
    ],
    [
      'a value that was edited',
      edit(messageOf('zabbix-problem'), changed('zabbix-problem', ['97.1 %', '95 %'])),
      'Updated: Opdata: Current utilization: 95 %',
    ],
    [
      'a tool of any kind',
      toolMessage({ text: ':eyes: *Acknowledged* by <@U1|ada>: disk full &amp; slow on db-7' }),
      'Acknowledged by ada: disk full & slow on db-7',
    ],
  ])('describes %s', (_, event, note) => {
    expect(statusNote(event)).toBe(note);
  });

  it.each([
    ['an alert', messageOf('nagios-host-down')],
    ['a recovery', messageOf('nagios-host-up')],
    ['a recovery by an edit', edit(PAGE, messageOf('datadog-oncall-page-resolved'))],
    ['a notice of no alert', messageOf('github-actions-passed')],
    ['a test of the connection', messageOf('grafana-unified-test-notification')],
    ['a person', personsMessage('acknowledged by me', { thread_ts: '1794990000.000100' })],
    ["a person's edit", edit(personsMessage('prod is down'), personsMessage('prod checkout is down'))],
    ['a deletion', { type: 'message', subtype: 'message_deleted', previous_message: PAGE }],
    ['an edit that changes no words', edit(PAGE, { ...PAGE, edited: { user: 'B1', ts: '1' } })],
    [
      'an unfurl',
      edit(PAGE, {
        ...PAGE,
        attachments: [...attachmentsOf(PAGE), { from_url: 'https://x.example.io', title: 'X' }],
      }),
    ],
    ['no message', 'x'],
    ['an edit of nothing', edit(PAGE, undefined)],
  ])('is null for %s', (_, event) => {
    expect(statusNote(event)).toBeNull();
  });

  it('is one line of at most 150 characters', () => {
    const long = variant('nagios-host-down', { title: `Host CUSTOM notification`, text: 'Host: a' });
    expect(statusNote(long)).toBe('Custom notification');
    const note = statusNote(toolMessage({ text: `Acknowledged by Ada: ${'very '.repeat(100)}slow` }));
    expect(note).toMatch(/^Acknowledged by Ada: (?:very ){24,26}very…$/);
    expect(note?.length).toBeLessThanOrEqual(150);
  });
});

function attachmentsOf(message: Record<string, unknown>): unknown[] {
  return Array.isArray(message.attachments) ? message.attachments : [];
}
