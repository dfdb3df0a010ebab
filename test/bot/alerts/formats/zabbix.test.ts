import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const PROBLEM = 'zabbix-problem';
const event = (trigger: number, id: number) =>
  `https://zbx.example.io/zabbix/tr_events.php?triggerid=${trigger}&eventid=${id}`;
const fields = (values: Record<string, string>) =>
  Object.entries(values).map(([title, value]) => ({ title, value, short: true }));

describe("an event of Zabbix's", () => {
  it.each([
    ['Problem: Disk full: /var', 'firing'],
    ['Resolved in 1d 2h 3m: Disk full: /var', 'resolved'],
    ['Updated problem in 6m 28s: Disk full: /var', 'not_an_alert'],
    ['PROBLEM: Disk full: /var', 'firing'],
    ['OK: Disk full: /var', 'resolved'],
  ])('%s is %s, and the same event', (title, kind) => {
    const message = variant(PROBLEM, { title });
    expect(says(message, 'kind', 'title')).toStrictEqual({ kind, title: 'Disk full: /var' });
    expect(says(message, 'fingerprint')).toStrictEqual(says(messageOf(PROBLEM), 'fingerprint'));
  });

  it.each([
    ['Not classified', null],
    ['Information', 'low'],
    ['Warning', 'medium'],
    ['Average', 'medium'],
    ['High', 'high'],
    ['Disaster', 'high'],
  ])('of the severity %s is %s', (value, severity) => {
    expect(says(variant(PROBLEM, { fields: fields({ Severity: value }) }), 'severity')).toStrictEqual({
      severity,
    });
  });

  it('leaves fields that it does not state empty', () => {
    const bare = variant(PROBLEM, {
      fields: fields({ Host: 'web-1', 'Event tags': 'scope: capacity\nlinux' }),
    });
    expect(
      says(bare, 'host', 'severity', 'environment', 'service', 'errorMessage', 'triggeredAt', 'tags'),
    ).toStrictEqual({
      host: 'web-1',
      severity: null,
      environment: null,
      service: null,
      errorMessage: null,
      triggeredAt: null,
      tags: ['scope:capacity', 'linux'],
    });
  });

  it('is another event of another trigger, and when it comes back', () => {
    const prints = [event(1, 2), event(1, 3), event(4, 2), 'https://zbx.example.io'].map(
      (title_link) => says(variant(PROBLEM, { title_link, actions: [] }), 'fingerprint').fingerprint,
    );
    expect(new Set(prints).size).toBe(4);
  });

  it('is recognised by its link, under any app name, and by its colour under a title of an operator', () => {
    const { bot_profile: _, ...message } = variant(PROBLEM, { title: 'Störung auf db-7', color: '009900' });
    expect(says(message, 'format', 'kind', 'title')).toStrictEqual({
      format: 'zabbix',
      kind: 'resolved',
      title: 'Störung auf db-7',
    });
  });

  it('is an edit of one message in alarm mode: problem, then resolved', () => {
    const before = messageOf(PROBLEM);
    const edit = {
      type: 'message',
      subtype: 'message_changed',
      message: messageOf('zabbix-resolved-event-mode'),
      previous_message: before,
    };
    expect(says(edit, 'kind', 'fingerprint')).toStrictEqual({
      ...says(before, 'fingerprint'),
      kind: 'resolved',
    });
  });
});
