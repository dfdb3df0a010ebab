import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRegion } from '../../../../src/bot/alerts/details.ts';
import { formats } from '../../../../src/bot/alerts/formats/index.ts';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../../src/bot/alerts/types.ts';
import { runs } from '../../../support/property-runs.ts';
import { type Fixture, fixtures, messageOf } from '../fixtures.ts';

const recorded = [...fixtures.values()].filter(({ vendor }) =>
  formats.some(({ name }) => name === vendor && name !== 'generic'),
);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with a word replaced in every text of it, but not in keys. */
function withWord(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (Array.isArray(value)) return value.map((one) => withWord(one, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withWord(one, from, to)]));
}

/** Words that mean something to a format: states, severities, phrases of its own. */
const KEPT = new Set(
  (
    'critical warning production staging check-in crash-looping kube-state-metrics failed failing failure resolved ' +
    'firing problem alert notification recovered normal error errors service monitor missed deployed created passed still completed successfully Prometheus Watchdog Crashed Backup Health Event deployments'
  ).split(' '),
);

/** What tells one alert of a tool from another: names that the message gives, and that mean nothing to the format. */
function namesIn({ message }: Fixture): string[] {
  const { service, host, tags, title, errorMessage } = parseAlert(message);
  const values = [service, host, ...tags.map((tag) => tag.slice(tag.indexOf(':') + 1))];
  const whole = values.filter((value) => value !== null && /^[a-z][a-z\d-]{3,30}$/u.test(value));
  const said = `${service ?? ''} ${title ?? ''} ${errorMessage ?? ''}`;
  const compound = said.match(/\b[a-z]{2,20}-[a-z][a-z\d-]{1,20}\b/gu) ?? [];
  const long = (title ?? '').match(/\b[A-Za-z][a-z]{4,15}\b/gu) ?? [];
  return [...new Set([...whole, ...compound, ...long])].flatMap((name) =>
    name === null || isRegion(name) || KEPT.has(name) || KEPT.has(name.toLowerCase()) ? [] : [name],
  );
}

function without(alert: Alert, ...keys: (keyof Alert)[]): Partial<Alert> {
  return Object.fromEntries(Object.entries(alert).filter(([key]) => !keys.some((one) => one === key)));
}

const named = recorded.filter((fixture) => namesIn(fixture).length > 0);
const other = fc.stringMatching(/^[b-df-hj-np-tv-z]{3,6}-[b-df-hj-np-tv-z]{3,6}$/u);

describe('a fixture with other values', () => {
  it.each(named.map((fixture) => [fixture.name, fixture] as const))('%s says these', (name, fixture) => {
    const names = namesIn(fixture);
    const read = parseAlert(fixture.message);
    fc.assert(
      fc.property(fc.constantFrom(...names), other, (from, to) => {
        const followed = withWord(without(read, 'fingerprint'), from, to);
        expect(without(parseAlert(withWord(messageOf(name), from, to)), 'fingerprint')).toStrictEqual(
          followed,
        );
      }),
      { numRuns: runs(15) },
    );
  });
});

/** Every list of fields below a value, of blocks and of attachments. */
function fieldLists(value: unknown, within = ''): { list: unknown[]; within: string }[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldLists(one, within));
  if (!isObject(value)) return [];
  const below = Object.entries(value).flatMap(([key, one]) =>
    fieldLists(one, key === 'fields' ? within : key),
  );
  return Array.isArray(value.fields) ? [{ list: value.fields, within }, ...below] : below;
}

const label = fc.stringMatching(/^zz_[a-z]{3,10}$/u);
const fielded = recorded.filter(({ message }) => fieldLists(message).some(({ list }) => list.length > 1));

describe('a fixture with more labels', () => {
  it.each(fielded.map((fixture) => [fixture.name, fixture] as const))('%s says the same', (name, fixture) => {
    const read = without(parseAlert(fixture.message), 'description', 'tags');
    fc.assert(
      fc.property(label, other, fc.nat(), (title, value, place) => {
        const message = messageOf(name);
        for (const { list, within } of fieldLists(message)) {
          const extra =
            within === 'blocks'
              ? { type: 'mrkdwn', text: `*${title}:*\n${value}` }
              : { title, value, short: true };
          if (list.length > 1) list.splice(place % (list.length + 1), 0, extra);
        }
        expect(without(parseAlert(message), 'description', 'tags')).toStrictEqual(read);
      }),
      { numRuns: runs(15) },
    );
  });
});
