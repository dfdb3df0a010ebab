import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { says } from '../fixtures.ts';
import type { Told } from './generic-messages.ts';
import { alertsA, noiseA } from './generic-set-a.ts';
import { alertsB, noiseB } from './generic-set-b.ts';
import { alertsC, noiseC } from './generic-set-c.ts';
import { alertsD, noiseD } from './generic-set-d.ts';
import { alertsE, noiseE } from './generic-set-e.ts';
import { alertsF, noiseF } from './generic-set-f.ts';

/** Each set was written before its reading was looked at; what it then taught is in the tables. */
const sets: readonly (readonly [string, readonly Told[], readonly Record<string, unknown>[]])[] = [
  ['A', alertsA, noiseA],
  ['B', alertsB, noiseB],
  ['C', alertsC, noiseC],
  ['D', alertsD, noiseD],
  ['E', alertsE, noiseE],
  ['F', alertsF, noiseF],
];

describe.each(sets)('unknown tools, set %s', (_set, alerts, noise) => {
  const rows = alerts.map((one) => [one.tool, one] as const);

  it.each(rows)(
    '%s: an alert, its repeat and its recovery share a fingerprint; another alert has its own',
    (_, one) => {
      const read = [one.firing, one.repeat, one.resolved, one.other].map(parseAlert);
      expect(read.map(({ format, kind }) => `${format} ${kind}`)).toStrictEqual([
        'generic firing',
        'generic firing',
        'generic resolved',
        'generic firing',
      ]);
      const [first, ...others] = read.map(({ fingerprint }) => fingerprint);
      expect(first).toMatch(/^[\da-f]{16}$/);
      expect(others.map((fingerprint) => fingerprint === first)).toStrictEqual([true, true, false]);
    },
  );

  const stating = rows.filter(([, { says: stated }]) => Object.keys(stated ?? {}).length > 0);
  it.each(stating)('%s: has the expected fields', (_, one) => {
    expect(parseAlert(one.firing)).toMatchObject(one.says ?? {});
  });

  it.each(noise.map((message) => [JSON.stringify(message).slice(84, 170), message] as const))(
    'no alert: %s',
    (_, message) => {
      expect(says(message, 'kind')).toStrictEqual({ kind: 'not_an_alert' });
    },
  );
});
