import { expect, it } from 'vitest';
import { changeSettings, stateOf } from '../../../src/bot/settings/change-settings.ts';
import { endTrials, startTrial } from '../../../src/bot/settings/trial.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { deciding } from '../../support/deciding.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const DAY = 24 * 60 * 60_000;
const plain = ChannelSettings.parse({});

it('a channel on trial is watched without a word, asked once after two weeks, and goes on when its settings are saved', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const start = (now: number) =>
    store.transaction((tx) => startTrial(tx, { channel: 'C1', by: 'U1', seenTs: '100.0', now }));
  expect([await start(1_000), await start(2_000)]).toEqual([true, false]);
  const trial = { by: 'U1', at: 1_000 };
  expect(await store.channels.get('C1')).toMatchObject({ watched: true, settings: { ...plain, trial } });
  const { entries } = await store.audit.ofChannel('C1', 9);
  expect(entries).toEqual([{ at: 1_000, who: 'U1', what: 'started a trial in C1' }]);
  const posted = async () => (await store.outbox.due(Number.MAX_SAFE_INTEGER, 9)).map(({ key }) => key);
  await store.transaction((tx) => endTrials(tx, 1_000 + 14 * DAY - 1));
  expect(await posted()).toEqual([]);
  const over = 'announcement:trial:C1:1000';
  for (const later of [0, 1]) await store.transaction((tx) => endTrials(tx, 1_000 + 14 * DAY + later));
  expect(await posted()).toEqual([over]);
  expect(await store.outbox.get(over)).toMatchObject({ wanted: 1, channel: 'C1', threadTs: null });

  const before = await store.channels.get('C1');
  const { trial: _, ...settings } = before.settings;
  const saved = { cause: 'view', channel: 'C1', by: 'U2', settings, basedOn: stateOf(before), seenTs: '9.0' };
  await store.transaction((tx) => changeSettings(tx, { ...saved, now: 5_000 }));
  expect((await store.channels.get('C1')).settings).toEqual(plain);
  const said = await store.outbox.get('announcement:view');
  expect(JSON.parse(said?.payload ?? '')).toMatchObject({ what: 'watched', by: 'U2' });
});

it('what is put on hold there is listed in the thread of its first alert', async () => {
  await using t = await deciding();
  const budget = { issues: 1, minutes: 10 };
  await t.settings({ budget, trial: { by: 'U1', at: 0 } });
  await t.alert();
  const second = await t.alert({ fingerprint: 'second' });
  const third = await t.alert({ fingerprint: 'third' });
  expect([second.decision, third.decision]).toEqual(['held', 'held']);
  const row = await t.store.outbox.get(`held:${second.holdId}`);
  expect(row).toMatchObject({ channel: 'C1', threadTs: second.ts });
});
