import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { fixtures, messageOf, personsMessage, replaced, toolMessage } from '../fixtures.ts';

const FOLDER = join(import.meta.dirname, 'variants');
const Message = z.record(z.string(), z.unknown());
type Message = z.output<typeof Message>;

/** A message and what it says. Each file of `variants` is a format's, and lists variants below the promise that they hold. */
const Variant = z
  .strictObject({
    /** A fixture, or `above`: the first message below the same promise. */
    of: z.string(),
    /** Or a message of a tool or a person, with nothing but these parts. */
    message: Message,
    person: Message,
    /** By path (`attachments.0.title`); `null` takes a part away. */
    change: z.record(z.string(), z.unknown()),
    /** Words of its JSON, wherever they stand. */
    replace: z.record(z.string(), z.string()),
    expected: z.record(z.string(), z.unknown()),
    /** Which alert it is: within a file one name is one fingerprint, and another name another. A fixture's name is its own. */
    alert: z.string(),
  })
  .partial();
type Variant = z.output<typeof Variant>;

/** Changes a part of a message in place. */
function change(message: unknown, [key = '', ...below]: readonly string[], value: unknown): void {
  if (Array.isArray(message)) {
    if (below.length === 0) message[Number(key)] = value;
    else change(message[Number(key)], below, value);
    return;
  }
  if (typeof message !== 'object' || message === null) throw new Error(`nothing has a part ${key}`);
  if (below.length > 0) change(Reflect.get(message, key), below, value);
  else if (value === null) Reflect.deleteProperty(message, key);
  else Reflect.set(message, key, value);
}

function messageFor(variant: Variant, first: Variant | undefined): Message {
  let message = variant.person ? personsMessage('', variant.person) : toolMessage(variant.message ?? {});
  if (variant.of === 'above' && first) message = messageFor(first, undefined);
  else if (variant.of) message = messageOf(variant.of);
  for (const [path, value] of Object.entries(variant.change ?? {})) change(message, path.split('.'), value);
  return replaced(message, Object.entries(variant.replace ?? {}));
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
const File = z.record(z.string(), z.array(Variant).min(1));

describe.each(readdirSync(FOLDER).map((file) => basename(file, '.json')))('variants of %s', (format) => {
  const variants = Object.entries(File.parse(read(`${format}.json`))).flatMap(([promise, rows]) =>
    rows.map((row) => ({ ...row, promise, alertRead: parseAlert(messageFor(row, rows[0])) })),
  );
  const named = variants.flatMap((row) => (row.alert === undefined ? [] : [{ ...row, alert: row.alert }]));

  it.each(
    variants
      .filter(({ expected }) => expected)
      .map((row, at) => [`${row.promise} (${at + 1})`, row] as const),
  )('%s', (_, { alertRead, expected = {} }) => {
    const said = Object.entries(alertRead).filter(([key]) => key in expected);
    expect(Object.fromEntries(said)).toStrictEqual(expected);
  });

  it('are the alerts that they are said to be', () => {
    const prints = new Map<string, string | null>();
    for (const { alert, alertRead } of named) {
      const fixture = fixtures.get(alert);
      if (!prints.has(alert))
        prints.set(alert, fixture ? parseAlert(fixture.message).fingerprint : alertRead.fingerprint);
    }
    expect(
      named.map(({ promise, alert, alertRead }) => [promise, alert, alertRead.fingerprint]),
    ).toStrictEqual(named.map(({ promise, alert }) => [promise, alert, prints.get(alert)]));
    const others = [...prints].filter(([name]) => !fixtures.get(name)?.expected.fingerprintSameAs);
    expect(new Set(others.map(([, print]) => print)).size).toBe(others.length);
    expect([...prints.values()]).not.toContain(null);
  });
});
