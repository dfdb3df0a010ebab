import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const WEB = 'https://mon.example.io/icingaweb2/monitoring';
const line = (state: string, more = '', host = 'web-1', service = 'http') =>
  toolMessage({
    username: 'icinga2',
    text: `:bomb: HOST: <${WEB}/host/services?host=${host}|${host}>   SERVICE: <${WEB}/service/show?host=${host}&amp;service=${service}|${service}>  STATE: ${state}${more}`,
  });

describe("a notification of Icinga's", () => {
  it.each([
    ['CRITICAL', 'firing', 'high'],
    ['WARNING', 'firing', 'medium'],
    ['UNKNOWN', 'firing', null],
    ['OK', 'resolved', null],
  ])('with the state %s is %s', (state, kind, severity) => {
    expect(says(line(state), 'kind', 'severity', 'title')).toStrictEqual({
      kind,
      severity,
      title: 'http on web-1',
    });
    expect(says(line(state), 'fingerprint')).toStrictEqual(says(line('OK'), 'fingerprint'));
  });

  it('is a different alert for another host or check', () => {
    const prints = [line('OK'), line('OK', '', 'web-2'), line('OK', '', 'web-1', 'ssh')].map(
      (message) => says(message, 'fingerprint').fingerprint,
    );
    expect(new Set(prints).size).toBe(3);
  });

  it('of a host says its state, and what the plugin said', () => {
    const text = `:bomb: HOST: <${WEB}/host/services?host=db-1|db-1>  STATE: DOWN\n\n Additional Info: CRITICAL - Host unreachable`;
    expect(
      says(
        toolMessage({ username: 'icinga2', text }),
        'kind',
        'title',
        'severity',
        'service',
        'alertUrl',
        'errorMessage',
      ),
    ).toStrictEqual({
      kind: 'firing',
      title: 'db-1 DOWN',
      severity: 'high',
      service: null,
      alertUrl: `${WEB}/host/services?host=db-1`,
      errorMessage: 'CRITICAL - Host unreachable',
    });
  });

  it('reads the words behind the state, and never takes them for one', () => {
    const message = line('WARNING', '  Additional Info:: DISK OK - RECOVERY expected');
    expect(says(message, 'kind', 'errorMessage')).toStrictEqual({
      kind: 'firing',
      errorMessage: 'DISK OK - RECOVERY expected',
    });
  });

  it.each(['ACKNOWLEDGEMENT', 'DOWNTIMESTART', 'DOWNTIMEEND'])(
    '%s keeps the bad state, and is no alert',
    (type) => {
      const fields = [
        {
          title: 'Info',
          value: `<${WEB}/service/show?host=web-1&amp;service=http|HTTP CRITICAL: 503>`,
          short: false,
        },
        { title: 'Host', value: 'web-1', short: true },
        { title: 'Service', value: 'http', short: true },
        { title: 'State', value: 'CRITICAL', short: true },
      ];
      const card = (pretext: string) =>
        toolMessage({ attachments: [{ pretext, fallback: pretext, fields }] });
      const keys = [
        'format',
        'title',
        'host',
        'severity',
        'alertUrl',
        'errorMessage',
        'fingerprint',
      ] as const;
      expect(says(card(`${type} for http`), 'kind')).toStrictEqual({ kind: 'not_an_alert' });
      expect(says(card('PROBLEM for http'), 'kind')).toStrictEqual({ kind: 'firing' });
      expect(says(card(`${type} for http`), ...keys)).toStrictEqual({
        format: 'icinga',
        title: 'http on web-1',
        host: 'web-1',
        severity: 'high',
        alertUrl: `${WEB}/service/show?host=web-1&service=http`,
        errorMessage: 'HTTP CRITICAL: 503',
        ...says(line('OK'), 'fingerprint'),
      });
    },
  );

  it('is recognised by its link, under any webhook name', () => {
    expect(says({ ...messageOf('icinga-service-ok'), username: 'ops' }, 'format', 'kind')).toStrictEqual({
      format: 'icinga',
      kind: 'resolved',
    });
  });
});
