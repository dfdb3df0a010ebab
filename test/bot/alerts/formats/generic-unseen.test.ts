import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { says, toolMessage } from '../fixtures.ts';
import { noise, unseen } from './unseen.ts';
import { chatter, lines } from './unseen-lines.ts';

describe('an unknown tool', () => {
  const rows = unseen.map((one) => [one.tool, one] as const);

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
      expect(others.map((fingerprint) => fingerprint === first)).toStrictEqual([true, true, false]);
    },
  );

  it.each(rows.filter(([, { says: stated }]) => Object.keys(stated).length > 0))(
    '%s: has the expected fields',
    (_, one) => {
      const alert = parseAlert(one.firing);
      expect(alert).toMatchObject(one.says);
    },
  );

  it.each(noise.map((message) => [JSON.stringify(message).slice(84, 160), message] as const))(
    'tells of no alert: %s',
    (_, message) => {
      expect(says(message, 'kind')).toStrictEqual({ kind: 'not_an_alert' });
    },
  );

  it.each(lines)('is parsed from one line: %s', (...texts) => {
    const read = texts.map((text) => parseAlert(toolMessage({ text })));
    expect(read.map(({ kind }) => kind)).toStrictEqual(['firing', 'firing', 'resolved', 'firing']);
    const [first, ...others] = read.map(({ fingerprint }) => fingerprint);
    expect(others.map((fingerprint) => fingerprint === first)).toStrictEqual([true, true, false]);
  });

  it.each(chatter)('is not an alert in: %s', (text) => {
    expect(says(toolMessage({ text }), 'kind')).toStrictEqual({ kind: 'not_an_alert' });
  });
});
