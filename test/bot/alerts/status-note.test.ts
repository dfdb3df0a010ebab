import { describe, expect, it } from 'vitest';
import { statusNote } from '../../../src/bot/alerts/status-note.ts';
import { changed, messageOf, personsMessage, toolMessage, variant } from './fixtures.ts';

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
