import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { ReceivedAlert, WebhookReading } from '../../../../src/bot/alerts/format.ts';
import { webhookFormatNamed } from '../../../../src/bot/alerts/formats/index.ts';

const ROOT = join(import.meta.dirname, 'fixtures');

const Fixture = z.strictObject({
  /** Where the payload's shape was read. */
  source: z.looseObject({ verified: z.boolean() }),
  headers: z.record(z.string(), z.string()),
  payload: z.unknown(),
  /** What the local workspace replaces when it plays the payload, and what people call the tool. */
  playable: z.record(z.string(), z.string()).optional(),
  playedAs: z.string().optional(),
  expected: z.looseObject({
    kind: z.enum(['alerts', 'nothing', 'confirm', 'refused']),
    /** For each alert the fields that count. */
    alerts: z
      .array(z.looseObject({ fingerprintSameAs: z.string().optional(), aliasOf: z.string().optional() }))
      .optional(),
  }),
});

/** A recorded payload and what it says. */
export interface WebhookFixture extends z.output<typeof Fixture> {
  format: string;
  name: string;
  path: string;
}

/** Every fixture, by its name without `.json`. */
export const webhookFixtures: ReadonlyMap<string, WebhookFixture> = new Map(
  readdirSync(ROOT).flatMap((format) =>
    readdirSync(join(ROOT, format)).map((file) => {
      const path = join(ROOT, format, file);
      const name = basename(file, '.json');
      return [
        name,
        { format, name, path, ...Fixture.parse(JSON.parse(readFileSync(path, 'utf8'))) },
      ] as const;
    }),
  ),
);

/** A fixture by its name. */
export function webhookFixture(name: string): WebhookFixture {
  const found = webhookFixtures.get(name);
  if (found === undefined) throw new Error(`no webhook fixture is called ${name}`);
  return found;
}

/** What a format reads in a payload. */
export function readingOf(
  format: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): WebhookReading {
  const found = webhookFormatNamed(format);
  if (found === null) throw new Error(`no webhook format is called ${format}`);
  return found.read(payload, headers);
}

/** The alerts in a payload; none where it is about no alert. */
export function alertsOf(
  format: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReceivedAlert[] {
  const reading = readingOf(format, payload, headers);
  return reading.kind === 'alerts' ? reading.alerts : [];
}
