import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { generic } from '../../../../src/bot/alerts/formats/generic/index.ts';
import { formats } from '../../../../src/bot/alerts/formats/index.ts';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { readMessage } from '../../../../src/bot/alerts/reading.ts';
import { SlackMessage } from '../../../../src/bot/alerts/schema.ts';
import type { Alert } from '../../../../src/bot/alerts/types.ts';
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

/** Of tools, or of kinds of message, that the guide describes and that nobody recorded. */
const FROM_THE_GUIDE = [
  'aws-notify-slack-backup-failed',
  'aws-notify-slack-guardduty-finding',
  'aws-notify-slack-securityhub-finding',
  'botkube-pod-error',
];
const RECORDED = 126;
/** Over the names and the contents of those that were recorded. */
const DIGEST = '4ed26c5b31832b73daa071e080da670c4230d5f0f601f7ccd83c297673c948f1';

function isSameProblem({ message, expected }: Fixture): boolean {
  const { fingerprint } = parseAlert(message);
  return (
    fingerprint !== null &&
    fingerprint === parseAlert(messageOf(expected.fingerprintSameAs ?? '')).fingerprint
  );
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

  it('are understood wholly, tool by tool: kinds, fingerprints and stated fields', () => {
    const rows = [...new Set(all.map(({ vendor }) => vendor))].sort().map((vendor) => {
      const files = all.filter((fixture) => fixture.vendor === vendor);
      const same = files.filter((fixture) => related.includes(fixture));
      const fields = files.flatMap((fixture) =>
        Object.entries(stated(fixture)).map(([key, value]) => isDeepStrictEqual(read(fixture)[key], value)),
      );
      const right = (ok: (fixture: Fixture) => boolean, of: readonly Fixture[]) =>
        `${of.filter(ok).length} of ${of.length}`;
      return {
        tool: vendor,
        kinds: right((fixture) => parseAlert(fixture.message).kind === kindOf(fixture), files),
        fingerprints: right(isSameProblem, same),
        fields: `${fields.filter(Boolean).length} of ${fields.length}`,
      };
    });
    console.table(rows);
    const cells = rows.flatMap(({ kinds, fingerprints, fields }) => [kinds, fingerprints, fields]);
    expect(cells.filter((cell) => new Set(cell.split(' of ')).size > 1)).toStrictEqual([]);
    expect(cells).toHaveLength(3 * new Set(all.map(({ vendor }) => vendor)).size);
  });

  it('are well enough understood by what tools have in common', () => {
    const tools = all.filter(({ vendor }) => formats.some(({ name }) => name === vendor));
    const right = tools.flatMap((fixture) => {
      const common = read(fixture, generic.extract(readMessage(SlackMessage.parse(fixture.message))));
      return Object.entries(stated(fixture)).map(([key, value]) => isDeepStrictEqual(common[key], value));
    });
    expect(right.filter(Boolean).length / right.length).toBeGreaterThan(0.8);
  });

  it('are the recorded ones to the letter, and those built from the guide are marked so', () => {
    const recorded = all.filter(({ name }) => !FROM_THE_GUIDE.includes(name));
    const digest = createHash('sha256');
    for (const { name, path } of recorded.sort((a, b) => (a.name < b.name ? -1 : 1)))
      digest.update(`${name}\n${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))}\n`);
    expect([recorded.length, digest.digest('hex')]).toStrictEqual([RECORDED, DIGEST]);
    const Source = z.object({ source: z.object({ verified: z.literal(false), note: z.string().min(1) }) });
    const built = FROM_THE_GUIDE.map((name) => Source.safeParse(fixtures.get(name)).success);
    expect(built).toStrictEqual(FROM_THE_GUIDE.map(() => true));
  });
});
