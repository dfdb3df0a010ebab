import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookReading } from '../../../../src/bot/alerts/format.ts';
import { webhookFormats } from '../../../../src/bot/alerts/formats/index.ts';
import { isJsonObject } from '../../../../src/lib/json.ts';
import { runs } from '../../../support/property-runs.ts';
import { readingOf, webhookFixture, webhookFixtures } from './fixtures.ts';

const all = [...webhookFixtures.values()];

const HOSTILE = [
  '<!channel> <https://evil.example|click> *bold* `code`',
  '\u0000\u001b[31m\u0085\u2028',
  '\ud800 half a pair \udc00',
  'a'.repeat(100_000),
  '__proto__',
  'constructor',
  '-1e400',
  '$ALERT_SCOPE',
  '',
];

/** A payload with some of its values replaced, taken away, or repeated, as the numbers say. */
function mutated(value: unknown, pick: () => number): unknown {
  const roll = pick() % 24;
  if (roll === 0) return HOSTILE[pick() % HOSTILE.length];
  if (roll === 1) return null;
  if (roll === 2) return pick();
  if (roll === 3) return [value];
  if (roll === 4) return { text: value };
  if (Array.isArray(value))
    return value.slice(0, pick() % 4 === 0 ? 0 : undefined).map((one) => mutated(one, pick));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(() => pick() % 12 !== 0);
  const more: [string, unknown][] =
    pick() % 8 === 0
      ? [
          ['__proto__', { a: 1 }],
          ['constructor', 'x'],
        ]
      : [];
  return Object.fromEntries([...entries, ...more].map(([name, one]) => [name, mutated(one, pick)]));
}

/** The numbers, over and over. */
function cycle(numbers: readonly number[]): () => number {
  let at = 0;
  return () => {
    at += 1;
    return numbers[at % numbers.length] ?? 0;
  };
}

function holds(reading: WebhookReading): void {
  const written = JSON.stringify(reading);
  expect(written.isWellFormed()).toBe(true);
  expect(written).not.toMatch(/\\u00(?:0[0-8bcef]|1)/u);
  if (reading.kind === 'refused' || reading.kind === 'nothing')
    expect(reading.reason).toMatch(/^[A-Z].*\.$/u);
  if (reading.kind !== 'alerts') return;
  expect(reading.alerts.length).toBeGreaterThan(0);
  for (const { alert, note, labels, links, aliases } of reading.alerts) {
    expect(['firing', 'resolved', 'not_an_alert']).toContain(alert.kind);
    expect(alert.title).toMatch(/^[^\n]{1,500}$/u);
    expect(alert.fingerprint).toMatch(/^[\da-f]{16}$/u);
    expect(alert.tags.length).toBeLessThanOrEqual(50);
    expect(alert.description?.length ?? 0).toBeLessThanOrEqual(60_000);
    expect(alert.errorMessage?.length ?? 0).toBeLessThanOrEqual(2_000);
    if (alert.kind === 'not_an_alert') expect(note).toMatch(/^.{1,150}$/u);
    expect(Object.keys(labels).length).toBeLessThanOrEqual(100);
    for (const value of Object.values(labels)) expect(value.length).toBeLessThanOrEqual(1_000);
    for (const { url } of [...links, ...(alert.alertUrl === null ? [] : [{ url: alert.alertUrl }])])
      expect(url).toMatch(/^https?:\/\//iu);
    for (const { fingerprint } of aliases) expect(fingerprint).toMatch(/^[\da-f]{16}$/u);
  }
}

describe('reading any payload', () => {
  const numbers = fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 400 });

  it.each(webhookFormats.map(({ name }) => [name]))('%s reads or refuses what is mutated', (format) => {
    const own = all.filter((fixture) => fixture.format === format);
    const property = fc.property(fc.constantFrom(...own), numbers, ({ payload, headers }, picks) => {
      const body = mutated(payload, cycle(picks));
      holds(readingOf(format, body, headers));
      expect(readingOf(format, structuredClone(body), headers)).toStrictEqual(
        readingOf(format, body, headers),
      );
    });
    fc.assert(property, { numRuns: runs(200) });
  });

  it.each(webhookFormats.map(({ name }) => [name]))(
    '%s reads or refuses any JSON, and any text',
    (format) => {
      const body = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string());
      fc.assert(
        fc.property(body, (value) => holds(readingOf(format, value))),
        { numRuns: runs(150) },
      );
    },
  );

  it('reads each payload as any other source’s without failing', () => {
    for (const { payload, headers } of all)
      for (const { name } of webhookFormats) holds(readingOf(name, payload, headers));
  });

  it('does not lose the alert where a part beside it is hostile', () => {
    for (const { name, format, payload, headers, expected } of all) {
      if (expected.kind !== 'alerts' || !isJsonObject(payload)) continue;
      const body = { ...payload, unheardOf: HOSTILE, extra: { deep: deep(5_000) } };
      const reading = readingOf(format, body, headers);
      expect({ name, kind: reading.kind }).toStrictEqual({ name, kind: 'alerts' });
    }
  });

  it.each([
    [
      'sentry-issue-archived',
      { action: '\u0000\u001b[31m\nmerged' },
      { note: '[31m merged by Dana Reyes until it escalates' },
    ],
    ['cloudwatch-text', { TopicArn: 'a'.repeat(9_000) }, { labels: { topic: 'a'.repeat(1_000) } }],
  ])('keeps what a sender may write at will within bounds: %s', (name, part, expected) => {
    const { format, payload, headers } = webhookFixture(name);
    const reading = readingOf(format, { ...(isJsonObject(payload) ? payload : {}), ...part }, headers);
    holds(reading);
    const [alert] = reading.kind === 'alerts' ? reading.alerts : [];
    expect(alert).toMatchObject(expected);
  });

  it('keeps the topic of an SNS message, which routes match on, however many labels the message has', () => {
    const labels = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`label${at}`, 'x']));
    const { payload } = webhookFixture('cloudwatch-text');
    const body = { title: 'Disk full', labels: { ...labels, topic: 'another' } };
    const reading = readingOf('cloudwatch', {
      ...(isJsonObject(payload) ? payload : {}),
      TopicArn: 'arn:aws:sns:eu-west-1:1:alerts',
      Message: JSON.stringify(body),
    });
    const [alert] = reading.kind === 'alerts' ? reading.alerts : [];
    expect(alert?.labels).toMatchObject({ topic: 'arn:aws:sns:eu-west-1:1:alerts', label0: 'x' });
  });

  it('is not misled by deep nesting', () => {
    for (const { name } of webhookFormats)
      for (const body of [
        deep(10_000),
        { alerts: deep(10_000) },
        { data: deep(10_000), event: deep(10_000) },
      ])
        holds(readingOf(name, body));
  });
});

/** Objects within objects. */
function deep(levels: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level += 1) value = { data: value };
  return value;
}
