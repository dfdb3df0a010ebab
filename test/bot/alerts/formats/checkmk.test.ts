import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const SERVICE = 'checkmk-service-problem';
const view = 'https://mon.example.io/main/check_mk/view.py?view_name=hoststatus&amp;host=db-1';

/** Another state of the recorded service. */
function turned(type: string, state: string): unknown {
  const text = JSON.stringify(messageOf(SERVICE))
    .replaceAll('Service PROBLEM', `Service ${type}`)
    .replace('State: CRITICAL', `State: ${state}`);
  return JSON.parse(text);
}

function host(type: string, state: string, output: string) {
  return toolMessage({
    attachments: [
      { title: `Host ${type} notification`, text: `Host: <${view}|db-1> (IP: 10.3.0.4)\nState: ${state}` },
      {
        title: 'Additional Info',
        text: `${output}\nPlease take a look: @ops, @dba`,
        footer: 'Check_MK notification: Wed Nov 18 04:04:57 UTC 2026',
      },
    ],
  });
}

describe("a notification of Checkmk's", () => {
  it.each([
    ['RECOVERY', 'OK', 'resolved', null],
    ['PROBLEM', 'WARNING', 'firing', 'medium'],
    ['ACKNOWLEDGEMENT', 'CRITICAL', 'not_an_alert', 'high'],
    ['DOWNTIMEEND', 'WARNING', 'not_an_alert', 'medium'],
  ])('%s with the state %s is %s, and the same alert', (type, state, kind, severity) => {
    expect(says(turned(type, state), 'kind', 'severity', 'title', 'fingerprint')).toStrictEqual({
      kind,
      severity,
      title: 'CPU load on app-2',
      ...says(messageOf(SERVICE), 'fingerprint'),
    });
  });

  it('of a host leads to the host', () => {
    expect(
      says(
        host('PROBLEM', 'DOWN', 'No IP packet received for 16.2 s'),
        'format',
        'kind',
        'title',
        'severity',
        'host',
        'service',
        'alertUrl',
        'errorMessage',
      ),
    ).toStrictEqual({
      format: 'checkmk',
      kind: 'firing',
      title: 'db-1 DOWN',
      severity: null,
      host: 'db-1',
      service: null,
      alertUrl: 'https://mon.example.io/main/check_mk/view.py?view_name=hoststatus&host=db-1',
      errorMessage: 'No IP packet received for 16.2 s',
    });
    expect(says(host('RECOVERY', 'UP', 'ok'), 'kind', 'title')).toStrictEqual({
      kind: 'resolved',
      title: 'db-1 UP',
    });
  });

  it.each([
    ['CET', '2026-11-18T03:04:57Z'],
    ['EDT', '2026-11-18T08:04:57Z'],
    ['XYZ', null],
  ])('tells the time of a clock in %s', (zone, triggeredAt) => {
    const message = JSON.parse(
      JSON.stringify(messageOf(SERVICE)).replace('04:04:57 UTC', `04:04:57 ${zone}`),
    );
    expect(says(message, 'triggeredAt')).toStrictEqual({ triggeredAt });
  });
});
