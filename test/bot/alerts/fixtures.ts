import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';

const ROOT = join(import.meta.dirname, 'formats/fixtures');

const Fixture = z.object({
  message: z.record(z.string(), z.unknown()),
  source: z.unknown(),
  expected: z.looseObject({ kind: z.string(), fingerprintSameAs: z.string().optional() }),
  playable: z.record(z.string(), z.string()).optional(),
});

/** A recorded message and what it says; `vendor` is its folder. */
export interface Fixture extends z.output<typeof Fixture> {
  vendor: string;
  name: string;
  path: string;
}

/** Every fixture, by its name without `.json`. */
export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  readdirSync(ROOT).flatMap((vendor) =>
    readdirSync(join(ROOT, vendor)).map((file) => {
      const path = join(ROOT, vendor, file);
      const name = basename(file, '.json');
      return [
        name,
        { vendor, name, path, ...Fixture.parse(JSON.parse(readFileSync(path, 'utf8'))) },
      ] as const;
    }),
  ),
);

/** A deep copy of a fixture's message, to change. */
export function messageOf(name: string): Record<string, unknown> {
  const found = fixtures.get(name);
  if (found === undefined) throw new Error(`no fixture is called ${name}`);
  return structuredClone(found.message);
}

const Attachments = z.array(z.record(z.string(), z.unknown())).min(1);

/** A fixture's message with its first attachment changed; `undefined` takes a key away. */
export function variant(name: string, changes: Record<string, unknown>): Record<string, unknown> {
  const message = messageOf(name);
  const [first, ...others] = Attachments.parse(message.attachments);
  const changed = Object.entries({ ...first, ...changes }).filter(([, value]) => value !== undefined);
  return { ...message, attachments: [Object.fromEntries(changed), ...others] };
}

/** A copy of a message with these words of its JSON replaced, wherever they stand. */
export function replaced(
  message: Record<string, unknown>,
  words: readonly (readonly [from: string, to: string])[],
): Record<string, unknown> {
  let written = JSON.stringify(message);
  for (const [from, to] of words) {
    if (!written.includes(from)) throw new Error(`the message does not say ${from}`);
    written = written.replaceAll(from, to);
  }
  return z.record(z.string(), z.unknown()).parse(JSON.parse(written));
}

/** A fixture's message with words of it replaced. */
export function changed(
  name: string,
  ...words: readonly (readonly [from: string, to: string])[]
): Record<string, unknown> {
  return replaced(messageOf(name), words);
}

/** A tool's message with nothing but these parts. */
export function toolMessage(parts: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B1',
    username: 'tool',
    ts: '1794993262.000100',
    ...parts,
  };
}

/** A person's message in a channel. */
export function personsMessage(text: string, parts: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'message', user: 'U0AB12CD3', ts: '1794993262.000100', text, ...parts };
}

/** Only these keys of what a message says. */
export function says<K extends keyof Alert>(message: unknown, ...keys: K[]): Pick<Alert, K> {
  const alert = parseAlert(message);
  const { ...picked } = alert;
  for (const key of Object.keys(alert))
    if (!keys.some((wanted) => wanted === key)) Reflect.deleteProperty(picked, key);
  return picked;
}
