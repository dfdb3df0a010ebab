import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { generic } from '../../../../src/bot/alerts/formats/generic/index.ts';
import { formats } from '../../../../src/bot/alerts/formats/index.ts';
import { contentOf, SlackMessage } from '../../../../src/bot/alerts/message.ts';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../../src/bot/alerts/types.ts';
import { type Fixture, fixtures, messageOf } from '../fixtures.ts';

/** Hints for people, and what follows from other keys. */
const NOT_FIELDS = new Set(['kind', 'notes', 'environmentHint', 'alertCount', 'fingerprintSameAs']);
/** Replies of people say nothing of the alert above them: only the thread does. */
const BY_THREAD = new Set(['human-thread-reply-rca', 'human-thread-reply-resolved-word']);

const all = [...fixtures.values()];
const isTool = (vendor: string) => formats.some(({ name }) => name === vendor);
const kindOf = (fixture: Fixture) => (fixture.expected.kind === 'repeat' ? 'firing' : fixture.expected.kind);

function stated(fixture: Fixture): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fixture.expected).filter(([key]) => !NOT_FIELDS.has(key)));
}

function read(fixture: Fixture, alert: Alert | null = parseAlert(fixture.message)): Record<string, unknown> {
  return Object.fromEntries(Object.entries(alert ?? {}).filter(([key]) => key in stated(fixture)));
}

/** Where a message comes from. `verified`: its shape was read in a public source; `null` for people's and Slack's own. */
const Source = z.strictObject({
  repo: z.string().min(1).nullable(),
  path: z.string().nullable(),
  note: z.string().min(1),
  verified: z.boolean().nullable(),
});

describe('the fixtures', () => {
  it.each(all.map((fixture) => [fixture.name, fixture] as const))(
    '%s has the expected kind and fields',
    (_, fixture) => {
      const { kind } = parseAlert(fixture.message);
      expect({ kind, ...read(fixture) }).toStrictEqual({ kind: kindOf(fixture), ...stated(fixture) });
    },
  );

  const related = all.filter(({ name, expected }) => expected.fingerprintSameAs && !BY_THREAD.has(name));
  it.each(
    related.map((fixture) => [fixture.name, fixture.expected.fingerprintSameAs ?? '', fixture] as const),
  )('%s is the same alert as %s', (_, same, fixture) => {
    const { fingerprint } = parseAlert(fixture.message);
    expect(fingerprint).toMatch(/^[\da-f]{16}$/);
    expect(fingerprint).toBe(parseAlert(messageOf(same)).fingerprint);
  });

  const recoveries = related.filter(({ vendor, expected }) => isTool(vendor) && expected.kind === 'resolved');
  it.each(
    recoveries.map((fixture) => [fixture.expected.fingerprintSameAs ?? '', fixture.name, fixture] as const),
  )('%s, edited to %s, is over', (before, _, { message }) => {
    const edit = { subtype: 'message_changed', message, previous_message: messageOf(before) };
    const { kind, fingerprint } = parseAlert(edit);
    expect([kind, fingerprint]).toStrictEqual(['resolved', parseAlert(messageOf(before)).fingerprint]);
  });

  it('of different alerts have different fingerprints', () => {
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

  it('are parsed well enough by the generic format alone', () => {
    const tools = all.filter(({ vendor }) => !['human', 'noise', 'report'].includes(vendor));
    const right = tools.flatMap((fixture) => {
      const common = read(fixture, generic.extract(contentOf(SlackMessage.parse(fixture.message))));
      return Object.entries(stated(fixture)).map(([key, value]) => isDeepStrictEqual(common[key], value));
    });
    expect(right.filter(Boolean).length / right.length).toBeGreaterThan(0.8);
  });

  it.each(all.map((fixture) => [fixture.name, fixture] as const))(
    '%s names its source, and a verified one says where it was read',
    (_, { source }) => {
      const { repo, path, note, verified } = Source.parse(source);
      expect(verified === true && !(repo && path)).toBe(false);
      expect(verified !== false && note.startsWith('UNVERIFIED')).toBe(false);
    },
  );
});
