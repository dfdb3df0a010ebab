import { describe, expect, it } from 'vitest';
import { webhookFormats } from '../../../../src/bot/alerts/formats/index.ts';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { messageOf } from '../fixtures.ts';
import { alertsOf, readingOf, webhookFixture, webhookFixtures } from './fixtures.ts';

const all = [...webhookFixtures.values()];

describe('payloads', () => {
  it('has fixtures of each source, and of no other', () => {
    expect([...new Set(all.map(({ format }) => format))].sort()).toStrictEqual(
      webhookFormats.map(({ name }) => name).sort(),
    );
    for (const { format, name } of all) expect(name.startsWith(`${format}-`)).toBe(true);
  });

  it.each(all)('$name is read as expected', ({ format, payload, headers, expected }) => {
    const reading = readingOf(format, payload, headers);
    const { alerts: wanted, ...rest } = expected;
    expect(reading).toMatchObject(rest);
    const alerts = reading.kind === 'alerts' ? reading.alerts : [];
    expect(alerts).toHaveLength(wanted?.length ?? 0);
    for (const [at, one] of (wanted ?? []).entries()) {
      const { fingerprintSameAs: same, aliasOf: message, note, labels, groupResolved, ...fields } = one;
      const got = alerts[at];
      expect(got?.alert).toMatchObject(fields);
      if (note !== undefined) expect(got?.note).toBe(note);
      if (labels !== undefined) expect(got?.labels).toMatchObject(Object(labels));
      if (groupResolved !== undefined) expect(got?.groupResolved).toBe(groupResolved);
      if (same !== undefined) expect(got?.alert.fingerprint).toBe(first(same));
      if (message !== undefined) {
        const { fingerprint, environment } = parseAlert(messageOf(message));
        const identities = [{ ...got?.alert }, ...(got?.aliases ?? [])];
        expect(identities).toContainEqual(expect.objectContaining({ fingerprint, environment }));
      }
    }
  });
});

describe('the title of an alert', () => {
  const titleOf = (alertname: string, summary: string) => {
    const entry = { labels: { alertname }, annotations: { summary } };
    return alertsOf('alertmanager', { alerts: [entry] })[0]?.alert.title;
  };

  it('is the rule and its summary, and the rule once where the summary begins with it', () => {
    expect(titleOf('HighErrorRate', 'checkout-api fails')).toBe('HighErrorRate: checkout-api fails');
    expect(titleOf('Disk full', 'Disk full on db-1')).toBe('Disk full on db-1');
    expect(titleOf('Disk full', '')).toBe('Disk full');
  });
});

it('an alert with no labels but those of its group has the group’s message alone', () => {
  const labels = { alertname: 'Down', job: 'web' };
  const read = alertsOf('alertmanager', {
    alerts: [{ labels }, { labels: { ...labels, instance: 'web-1' } }].map((one) => ({
      ...one,
      status: 'firing',
    })),
    status: 'firing',
    externalURL: 'http://alertmanager.example.io',
    groupLabels: { alertname: 'Down' },
    commonLabels: labels,
  });
  expect(read.map(({ aliases }) => aliases.map(({ alone = false }) => alone))).toEqual([
    [false],
    [true, false],
  ]);
});

/** The fingerprint of a fixture's first alert. */
function first(name: string): string | null | undefined {
  const { format, payload, headers } = webhookFixture(name);
  return alertsOf(format, payload, headers)[0]?.alert.fingerprint;
}
