import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

/** What the script for services sends. */
function service(type: string, state: string, output: string, more: Record<string, unknown> = {}) {
  return toolMessage({
    username: 'ops',
    text: '',
    attachments: [
      {
        title: `Service ${type} notification`,
        text: `Host:        web-1\nIP:             10.0.0.9\nService:    Disk /var\nState:        ${state}`,
      },
      {
        title: 'Additional Info :',
        text: `\n${output}`,
        footer: 'Nagios notification: Wed Nov 18 01:10:58 UTC 2026',
      },
    ],
    ...more,
  });
}

describe("a notification of Nagios'", () => {
  it.each([
    ['PROBLEM', 'CRITICAL', 'firing', 'high'],
    ['PROBLEM', 'WARNING', 'firing', 'medium'],
    ['PROBLEM', 'UNKNOWN', 'firing', null],
    ['RECOVERY', 'OK', 'resolved', null],
    ['ACKNOWLEDGEMENT', 'CRITICAL', 'not_an_alert', 'high'],
    ['DOWNTIMESTART', 'CRITICAL', 'not_an_alert', 'high'],
    ['FLAPPINGSTOP', 'WARNING', 'not_an_alert', 'medium'],
  ])('%s of a service that is %s is %s, its severity %s', (type, state, kind, severity) => {
    expect(says(service(type, state, 'DISK 9% left'), 'format', 'kind', 'severity', 'title')).toStrictEqual({
      format: 'nagios',
      kind,
      severity,
      title: 'Disk /var on web-1',
    });
  });

  it('says which check, and what the plugin said', () => {
    const output = 'DISK CRITICAL - free space: /var 1 GB (2%)\nfill rate &gt; 1%';
    expect(
      says(
        service('PROBLEM', 'CRITICAL', output),
        'host',
        'service',
        'errorMessage',
        'alertUrl',
        'triggeredAt',
      ),
    ).toStrictEqual({
      host: 'web-1',
      service: 'Disk /var',
      errorMessage: 'DISK CRITICAL - free space: /var 1 GB (2%)\nfill rate > 1%',
      alertUrl: null,
      triggeredAt: '2026-11-18T01:10:58Z',
    });
  });

  it('is one alert in every state, and the host itself is another', () => {
    const print = (message: unknown) => says(message, 'fingerprint').fingerprint;
    const one = print(service('PROBLEM', 'CRITICAL', 'a'));
    expect(print(service('RECOVERY', 'OK', 'b'))).toBe(one);
    expect(print(service('ACKNOWLEDGEMENT', 'WARNING', 'c'))).toBe(one);
    expect(print(messageOf('nagios-host-down'))).not.toBe(one);
  });

  it('reads its attachments in any order, and the footer on either', () => {
    const message = service('PROBLEM', 'CRITICAL', 'PING CRITICAL');
    const attachments = Array.isArray(message.attachments) ? [...message.attachments].reverse() : [];
    const keys = ['kind', 'host', 'service', 'errorMessage', 'triggeredAt', 'fingerprint'] as const;
    expect(says({ ...message, attachments }, ...keys)).toStrictEqual(says(message, ...keys));
  });

  it("is Nagios' without a footer where the sender says so", () => {
    const attachments = [
      { title: 'Host PROBLEM notification', text: 'Host: web-1\nState: UNREACHABLE' },
      { title: 'Additional Info :', text: 'No route' },
    ];
    expect(
      says(toolMessage({ username: 'Nagios', attachments }), 'format', 'kind', 'title', 'severity'),
    ).toStrictEqual({
      format: 'nagios',
      kind: 'firing',
      title: 'web-1 UNREACHABLE',
      severity: null,
    });
  });
});
