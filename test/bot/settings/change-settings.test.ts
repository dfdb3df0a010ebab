import { describe, expect, it, onTestFinished } from 'vitest';
import {
  changeSettings,
  type SettingsChange,
  stateOf,
  unwatch,
} from '../../../src/bot/settings/change-settings.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { auditOf } from '../../support/audit.ts';
import { openTestStore } from '../../support/open-test-store.ts';

async function opened() {
  const test = await openTestStore();
  onTestFinished(() => test[Symbol.asyncDispose]());
  return test;
}

const plain = ChannelSettings.parse({});

/** Changes what is set now, as a person does who has just opened the window. */
async function change(store: Store, settings: Partial<ChannelSettings>, more: Partial<SettingsChange> = {}) {
  const before = await store.channels.get('C1');
  return store.transaction((tx) =>
    changeSettings(tx, {
      cause: 'view-1',
      channel: 'C1',
      by: 'U1',
      settings: { ...before.settings, ...settings },
      basedOn: stateOf(before),
      seenTs: '100.000000',
      now: 100_000,
      ...more,
    }),
  );
}

async function said(store: Store, cause = 'view-1') {
  const row = await store.outbox.get(`announcement:${cause}`);
  return row && { channel: row.channel, wanted: row.wanted, ...JSON.parse(row.payload) };
}

describe('settings that are saved', () => {
  it('hold from then on, watch the channel from now, are said there and audited', async () => {
    const { store, file } = await opened();
    expect(await change(store, { mode: 'suggest', environment: 'staging' })).toBe('saved');
    expect(await store.channels.watched()).toEqual([
      {
        channel: 'C1',
        watched: true,
        settings: { ...plain, mode: 'suggest', environment: 'staging' },
        isPrivate: true,
        seenTs: '100.000000',
        gapFrom: null,
      },
    ]);
    const changes = ['new alerts: suggest (was automatic)', 'environment: staging (was the default)'];
    expect(await said(store)).toEqual({
      channel: 'C1',
      wanted: 1,
      what: 'watched',
      by: 'U1',
      suggests: true,
      changes,
    });
    expect(auditOf(file)).toEqual([`U1 started watching C1: ${changes.join('; ')}`]);
  });

  it('of a channel that is watched already name each change, old and new, and leave alone where it stands', async () => {
    const { store } = await opened();
    await store.channels.watch('C1', plain, '50.000000');
    await change(store, { budget: { issues: 1, minutes: 60 }, include: ['checkout', '/5\\d\\d/'] });
    expect((await store.channels.position('C1')).seenTs).toBe('50.000000');
    expect(await said(store)).toMatchObject({
      what: 'changed',
      changes: [
        'include: “checkout”, “/5\\d\\d/” (was everything)',
        'budget: 1 new issue in 60 minutes (was 10 new issues in 10 minutes)',
      ],
    });
  });

  it('as they were change nothing and say nothing', async () => {
    const { store, file } = await opened();
    await store.channels.watch('C1', plain, '50.000000');
    expect(await change(store, {})).toBe('saved');
    expect([await said(store), auditOf(file)]).toEqual([null, []]);
  });
});

describe('a channel that is watched no longer', () => {
  const stop = (store: Store, cause = 'view-9') =>
    store.transaction((tx) => unwatch(tx, { cause, channel: 'C1', by: 'U1', now: 1 }));

  it('keeps its settings, is told, and the change is audited', async () => {
    const { store, file } = await opened();
    await store.channels.watch('C1', { ...plain, people: true }, '50.000000');
    await stop(store);
    expect(await store.channels.get('C1')).toMatchObject({ watched: false, settings: { people: true } });
    expect(await said(store, 'view-9')).toEqual({ channel: 'C1', wanted: 1, what: 'unwatched', by: 'U1' });
    expect(auditOf(file)).toEqual(['U1 stopped watching C1']);
  });

  it('stays watched if the same change is repeated after somebody turned it on again', async () => {
    const { store } = await opened();
    await store.channels.watch('C1', plain, '50.000000');
    await stop(store);
    await store.channels.watch('C1', plain, '60.000000');
    await stop(store);
    expect((await store.channels.get('C1')).watched).toBe(true);
  });

  it('says nothing where it was not watched', async () => {
    const { store, file } = await opened();
    await stop(store);
    expect([await said(store, 'view-9'), auditOf(file)]).toEqual([null, []]);
  });
});
