import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { identityOf } from '../../../../src/bot/alerts/identity.ts';
import { readingOf } from './fixtures.ts';

/** Payloads, below what they are of and where their shape was read. */
const Variant = z.strictObject({
  source: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  payload: z.unknown(),
  /** What the first alert says, or what else the reading is. */
  expected: z.record(z.string(), z.unknown()),
  /** Which problem it is: below one heading, one name is one identity, and another name another. */
  alert: z.string().optional(),
});
const rows = Object.entries(
  z
    .record(z.string(), z.array(Variant))
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'variants.json'), 'utf8'))),
).flatMap(([of, variants]) =>
  variants.map((variant) => {
    const reading = readingOf(variant.source, variant.payload, variant.headers);
    const found = reading.kind === 'alerts' ? reading.alerts[0]?.alert : undefined;
    return { ...variant, of, said: { reading: reading.kind, ...found }, found };
  }),
);

describe('a payload', () => {
  it.each(rows.map((row, at) => [`${row.of} (${at + 1})`, row] as const))('%s', (_, { said, expected }) => {
    expect(Object.fromEntries(Object.entries(said).filter(([key]) => key in expected))).toStrictEqual(
      expected,
    );
  });

  it.each([...Map.groupBy(rows, ({ of }) => of)])(
    '%s: each is of the problem that it is said to be',
    (_, of) => {
      const named = of.flatMap(({ alert, found }) =>
        alert === undefined
          ? []
          : [[alert, identityOf(found?.fingerprint ?? '', found?.environment ?? '')] as const],
      );
      const identities = new Map(named);
      expect(named).toStrictEqual(named.map(([alert]) => [alert, identities.get(alert)]));
      expect(new Set(identities.values()).size).toBe(identities.size);
    },
  );
});
