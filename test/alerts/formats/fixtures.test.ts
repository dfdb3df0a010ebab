import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/alerts/parse.ts';
import type { Alert } from '../../../src/alerts/types.ts';
import { type Fixture, fixtures, messageOf } from '../fixtures.ts';

/** Whose formats exist: every stated field has to be exact. */
const EXACT = [
  'alertmanager',
  'grafana',
  'datadog',
  'human',
  'zabbix',
  'nagios',
  'checkmk',
  'icinga',
  'netdata',
  'uptime-kuma',
  'healthchecks',
  'uptimerobot',
  'pingdom',
  'noise',
  'report',
  'own',
  'sentry',
  'aws',
  'amazonq',
];
/** Hints for people, and what follows from other keys. */
const NOT_FIELDS = new Set(['kind', 'notes', 'environmentHint', 'alertCount', 'fingerprintSameAs']);
/** Replies of people say nothing of the alert above them: only the thread does. */
const BY_THREAD = new Set(['human-thread-reply-rca', 'human-thread-reply-resolved-word']);

const all = [...fixtures.values()];
const exact = all.filter(({ vendor }) => EXACT.includes(vendor));
const others = all.filter(({ vendor }) => !EXACT.includes(vendor));
const kindOf = (fixture: Fixture) => (fixture.expected.kind === 'repeat' ? 'firing' : fixture.expected.kind);

function stated(fixture: Fixture): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fixture.expected).filter(([key]) => !NOT_FIELDS.has(key)));
}

function read(fixture: Fixture): Record<string, unknown> {
  const alert: Alert = parseAlert(fixture.message);
  return Object.fromEntries(Object.entries(alert).filter(([key]) => key in stated(fixture)));
}

describe('the recorded messages', () => {
  it.each(all.map((fixture) => [fixture.name, fixture] as const))('%s is of the kind it is', (_, fixture) => {
    expect(parseAlert(fixture.message).kind).toBe(kindOf(fixture));
  });

  it.each(exact.map((fixture) => [fixture.name, fixture] as const))(
    '%s says what it states',
    (_, fixture) => {
      expect(read(fixture)).toStrictEqual(stated(fixture));
    },
  );

  const related = all.filter(({ name, expected }) => expected.fingerprintSameAs && !BY_THREAD.has(name));
  it.each(
    related.map((fixture) => [fixture.name, fixture.expected.fingerprintSameAs ?? '', fixture] as const),
  )('%s is the same problem as %s', (_, same, fixture) => {
    const { fingerprint } = parseAlert(fixture.message);
    expect(fingerprint).toMatch(/^[\da-f]{16}$/);
    expect(fingerprint).toBe(parseAlert(messageOf(same)).fingerprint);
  });

  it('of different problems have different fingerprints', () => {
    const problems = all.filter(
      ({ expected }) => !expected.fingerprintSameAs && expected.kind !== 'not_an_alert',
    );
    const prints = new Map<string | null, string[]>();
    for (const { name, message } of problems) {
      const { fingerprint } = parseAlert(message);
      prints.set(fingerprint, [...(prints.get(fingerprint) ?? []), name]);
    }
    expect([...prints].filter(([print, names]) => print === null || names.length > 1)).toStrictEqual([]);
  });

  it('of tools without a format of their own are read by what they have in common', () => {
    const rows = others.map((fixture) => {
      const wanted = Object.entries(stated(fixture));
      const got = read(fixture);
      const wrong = wanted
        .filter(([key, value]) => JSON.stringify(got[key]) !== JSON.stringify(value))
        .map(([key]) => key);
      return {
        name: fixture.name,
        right: wanted.length - wrong.length,
        of: wanted.length,
        wrong: wrong.join(' '),
      };
    });
    console.table(rows);
    const right = rows.reduce((sum, row) => sum + row.right, 0) / rows.reduce((sum, row) => sum + row.of, 0);
    expect(right).toBeGreaterThan(0.85);
  });
});
