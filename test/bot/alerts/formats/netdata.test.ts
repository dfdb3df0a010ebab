import { describe, expect, it } from 'vitest';
import { messageOf, says, variant } from '../fixtures.ts';

const WARNING = 'netdata-warning';
const saying = (words: string, changes: Record<string, unknown> = {}) => ({
  ...variant(WARNING, changes),
  text: `cache-4 ${words}, \`disk_space._var\`, *Disk / space usage*`,
});

describe("an alert of Netdata's", () => {
  it.each([
    ['needs attention', 'Disk / space usage = 91.2%', 'firing', 'medium'],
    ['is critical', 'Disk / space usage = 99%', 'firing', 'high'],
    ['recovered', 'Disk / space usage (alarm was raised for 10 minutes)', 'resolved', null],
    ['recovered', 'Disk / space usage (was warning for 1 hour and 3 minutes)', 'resolved', null],
    ['status unknown', 'Disk / space usage = nan', 'not_an_alert', null],
  ])('that %s as “%s” is %s, and the same alert', (words, title, kind, severity) => {
    expect(says(saying(words, { title }), 'kind', 'severity', 'title', 'fingerprint')).toStrictEqual({
      kind,
      severity,
      title: 'Disk / space usage',
      ...says(messageOf(WARNING), 'fingerprint'),
    });
  });

  it('is a different alert on another host or chart', () => {
    const chart = [{ title: 'disk_space._', value: 'chart', short: true }];
    const prints = [{}, { footer: 'by cache-5' }, { fields: chart }].map(
      (changes) => says(variant(WARNING, changes), 'fingerprint').fingerprint,
    );
    expect(new Set(prints).size).toBe(3);
  });

  it('keeps a parenthesis that belongs to its name', () => {
    expect(says(variant(WARNING, { title: 'Dropped packets (10 minutes) = 3' }), 'title')).toStrictEqual({
      title: 'Dropped packets (10 minutes)',
    });
  });

  it('knows its host from the name or from the text where the footer is missing', () => {
    const message = variant(WARNING, { footer: undefined });
    expect(says(message, 'host')).toStrictEqual({ host: 'cache-4' });
    expect(says({ ...message, username: 'alerts' }, 'format', 'host')).toStrictEqual({
      format: 'netdata',
      host: 'cache-4',
    });
  });

  it('without its text has the state of its colour, and no severity', () => {
    const keys = ['kind', 'severity', 'title', 'host', 'fingerprint'] as const;
    const { severity: _, ...rest } = says(messageOf(WARNING), ...keys);
    expect(says({ ...messageOf(WARNING), text: '' }, ...keys)).toStrictEqual({ ...rest, severity: null });
    const over = { ...variant(WARNING, { color: '77ca6d' }), text: '' };
    expect(says(over, 'kind')).toStrictEqual({ kind: 'resolved' });
  });
});
