import { describe, expect, it } from 'vitest';
import { generic } from '../../../src/alerts/formats/generic/index.ts';
import { formats } from '../../../src/alerts/formats/index.ts';
import { parseAlert } from '../../../src/alerts/parse.ts';
import { readMessage } from '../../../src/alerts/reading.ts';
import { SlackMessage } from '../../../src/alerts/schema.ts';
import type { Alert } from '../../../src/alerts/types.ts';
import { type Fixture, fixtures, messageOf } from '../fixtures.ts';

/** Hints for people, and what follows from other keys. */
const NOT_FIELDS = new Set(['kind', 'notes', 'environmentHint', 'alertCount', 'fingerprintSameAs']);
/** Replies of people say nothing of the alert above them: only the thread does. */
const BY_THREAD = new Set(['human-thread-reply-rca', 'human-thread-reply-resolved-word']);

const all = [...fixtures.values()];
const kindOf = (fixture: Fixture) => (fixture.expected.kind === 'repeat' ? 'firing' : fixture.expected.kind);

function stated(fixture: Fixture): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fixture.expected).filter(([key]) => !NOT_FIELDS.has(key)));
}

function read(fixture: Fixture, alert: Alert | null = parseAlert(fixture.message)): Record<string, unknown> {
  return Object.fromEntries(Object.entries(alert ?? {}).filter(([key]) => key in stated(fixture)));
}

describe('the recorded messages', () => {
  it.each(all.map((fixture) => [fixture.name, fixture] as const))('%s is of the kind it is', (_, fixture) => {
    expect(parseAlert(fixture.message).kind).toBe(kindOf(fixture));
  });

  it.each(all.map((fixture) => [fixture.name, fixture] as const))('%s says what it states', (_, fixture) => {
    expect(read(fixture)).toStrictEqual(stated(fixture));
  });

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

  it('are read by their formats, and well enough by what tools have in common', () => {
    const tools = all.filter(({ vendor }) => formats.some(({ name }) => name === vendor));
    const rows = tools.map((fixture) => {
      const keys = Object.keys(stated(fixture));
      const wrongIn = (alert: Alert | null) =>
        keys.filter(
          (key) => JSON.stringify(stated(fixture)[key]) !== JSON.stringify(read(fixture, alert)[key]),
        );
      const common = wrongIn(generic.extract(readMessage(SlackMessage.parse(fixture.message))));
      return {
        name: fixture.name,
        of: keys.length,
        right: keys.length - wrongIn(parseAlert(fixture.message)).length,
        'by generic': keys.length - common.length,
        'which does not know': common.join(' '),
      };
    });
    console.table(rows);
    const sum = (key: 'of' | 'by generic') => rows.reduce((total, row) => total + row[key], 0);
    expect(sum('by generic') / sum('of')).toBeGreaterThan(0.8);
  });
});
