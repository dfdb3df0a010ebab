import { expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { observed } from '../../../src/bot/alerts/senders/history.ts';
import { keepHistory } from '../../../src/bot/filing/learned.ts';
import type { Occurrence } from '../../../src/bot/filing/occurrence.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { toolMessage } from '../alerts/fixtures.ts';

/** What a checker posts in words that no format knows. */
function posts(d: Deciding, text: string) {
  const raw = toolMessage({ text, username: 'valvonta', channel: 'C1' });
  const alert = parseAlert(raw);
  const shown = observed(raw, alert);
  return d.alert(alert, { sender: 'valvonta', ...(shown === null ? {} : { observed: shown }) });
}

const EARLIER = ['kassa-2', 'varasto-1', 'kassa-7'].flatMap((host) => [
  `Palvelin ${host} ei vastaa (3 yritystä)`,
  `Palvelin ${host} vastaa taas, katko 4 min`,
]);

it('a sender in unknown words is understood after its first outages, and its recovery ends its issue', async () => {
  await using d = await deciding();
  const decisions = [];
  for (const text of [
    ...EARLIER,
    'Palvelin kassa-9 ei vastaa (3 yritystä)',
    'Palvelin kassa-9 vastaa taas, katko 2 min',
  ])
    decisions.push((await posts(d, text)).decision);
  expect(decisions).toStrictEqual([
    ...Array.from({ length: 5 }, () => 'not_an_alert'),
    // From here on it is clear which of its messages end which.
    'ignored',
    'filed',
    'recovered',
  ]);
});

it('is understood at once where the channel’s history was read', async () => {
  await using d = await deciding();
  const past = EARLIER.map((text, at): Occurrence => {
    const raw = toolMessage({ text, username: 'valvonta', channel: 'C1' });
    const alert = parseAlert(raw);
    const shown = observed(raw, alert);
    return {
      ...{
        channel: 'C1',
        ts: `170000000${at}.000100`,
        threadTs: null,
        permalink: null,
        alert,
        sender: 'valvonta',
      },
      ...{ byPerson: false, edited: false, note: null },
      ...(shown === null ? {} : { observed: shown }),
    };
  });
  await keepHistory(d.store, past);
  expect((await posts(d, 'Palvelin kassa-9 ei vastaa (3 yritystä)')).decision).toBe('filed');
  expect((await posts(d, 'Palvelin kassa-9 vastaa taas, katko 2 min')).decision).toBe('recovered');
});

it('a success that is no news otherwise ends what failed before of the same object', async () => {
  await using d = await deciding();
  const decisions = [];
  for (const text of [
    'Nightly dump done for db1, 4 GB',
    'Nightly dump done for db2, 5 GB',
    'Nightly dump done for db3, 1 GB',
    'Nightly dump broke for db1, disk full',
    'Nightly dump done for db2, 5 GB',
    'Nightly dump done for db1, 4 GB',
    'Nightly dump done for db3, 1 GB',
    'Nightly dump broke for db3, disk full',
    'Nightly dump done for db3, 1 GB',
  ])
    decisions.push((await posts(d, text)).decision);
  const nothing = 'not_an_alert';
  expect(decisions).toStrictEqual([
    ...[nothing, nothing, nothing, 'filed', nothing, 'recovered'],
    ...[nothing, 'filed', 'recovered'],
  ]);
});

it('what was kept of a deleted issue’s messages goes with it', async () => {
  await using d = await deciding();
  for (const text of EARLIER) await posts(d, text);
  const { issueId, ts } = await posts(d, 'Palvelin kassa-9 ei vastaa (3 yritystä)');
  const issue = await d.store.issues.get(issueId ?? '');
  if (issue !== null) await d.store.erasure.ofIssue(issue);
  const left = await d.store.senders.before('C1 valvonta', '9999999999.999999', 100);
  expect(left.map((row) => row.ts)).not.toContain(ts);
  expect(left).toHaveLength(EARLIER.length);
});
