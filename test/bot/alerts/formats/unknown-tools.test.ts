import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { says, toolMessage } from '../fixtures.ts';

const Parts = z.union([z.string(), z.record(z.string(), z.unknown())]);

/**
 * Messages of tools that have no format, each written before its reading was looked at. An alert is four of them: it fires,
 * fires again with other readings, and ends; and another alert of that tool. They are `texts`, or a `message` and the `words`
 * of each, which go where it has `{0}`, `{1}` … `says` is what the first of them says.
 */
const { alerts, kinds } = z
  .strictObject({
    alerts: z.array(
      z.strictObject({
        tool: z.string(),
        texts: z.array(z.string()).length(4).optional(),
        message: Parts.optional(),
        words: z.array(z.array(z.unknown())).length(4).optional(),
        says: z.record(z.string(), z.unknown()).default({}),
      }),
    ),
    kinds: z.record(z.string(), z.array(Parts)),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'unknown-tools.json'), 'utf8')));

/** What monitors say in each language, without a color, a sign or a number to tell it from. */
const languages = z
  .record(
    z.string(),
    z.object({
      firing: z.array(z.string()),
      resolved: z.array(z.string()),
      none: z.array(z.string()).default([]),
      labels: z.array(z.string()),
    }),
  )
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'languages.json'), 'utf8')));

/** A template with these words in it. */
function filled(template: unknown, words: readonly unknown[]): unknown {
  if (Array.isArray(template)) return template.map((one) => filled(one, words));
  if (typeof template === 'object' && template !== null)
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, words)]));
  if (typeof template !== 'string') return template;
  const whole = /^\{(\d)\}$/u.exec(template);
  if (whole) return words[Number(whole[1])];
  return template.replaceAll(/\{(\d)\}/gu, (_, at: string) => String(words[Number(at)]));
}

function messageWith(parts: unknown): Record<string, unknown> {
  const { text = '', ...others } = Parts.transform((one) =>
    typeof one === 'string' ? { text: one } : one,
  ).parse(parts);
  return toolMessage({ text, ...others });
}

describe('an unknown tool', () => {
  it.each(alerts.map((alert, at) => [`${alert.tool} (${at + 1})`, alert] as const))(
    '%s: an alert, its repeat and its recovery share a fingerprint; another alert has its own',
    (_, { texts, message, words = [], says: stated }) => {
      const read = (texts ?? words.map((one) => filled(message, one))).map((parts) =>
        parseAlert(messageWith(parts)),
      );
      expect(read.map(({ format, kind }) => `${format} ${kind}`)).toStrictEqual([
        'generic firing',
        'generic firing',
        'generic resolved',
        'generic firing',
      ]);
      const [first, ...others] = read.map(({ fingerprint }) => fingerprint);
      expect(first).toMatch(/^[\da-f]{16}$/);
      expect(others.map((fingerprint) => fingerprint === first)).toStrictEqual([true, true, false]);
      expect(read[0]).toMatchObject(stated);
    },
  );

  const spoken = Object.entries(languages).flatMap(([language, kinds]) =>
    (['firing', 'resolved', 'none'] as const).flatMap((kind) =>
      kinds[kind].map((text) => [language, kind === 'none' ? 'not_an_alert' : kind, text] as const),
    ),
  );
  it.each(spoken)('in %s, %s: %s', (_, kind, text) => {
    expect(says(toolMessage({ text }), 'kind')).toStrictEqual({ kind });
  });

  const rows = Object.entries(kinds).flatMap(([kind, messages]) =>
    messages.map((parts) => [kind, JSON.stringify(parts).slice(0, 90), parts] as const),
  );
  it.each(rows)('%s: %s', (kind, _, parts) => {
    expect(says(messageWith(parts), 'kind')).toStrictEqual({ kind });
  });
});
