import { describe, expect, it, onTestFinished } from 'vitest';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { openTestStore } from '../../support/open-test-store.ts';

async function channels() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened.store.channels;
}

const plain = ChannelSettings.parse({});

describe('a channel that is watched from the start', () => {
  it('is watched from then on, private until Slack says otherwise', async () => {
    const store = await channels();
    await store.watchFromStart('C1', '5.0');
    expect(await store.watched()).toEqual([
      {
        channel: 'C1',
        watched: true,
        settings: plain,
        isPrivate: true,
        seenTs: '5.0',
        gapFrom: null,
      },
    ]);
  });

  it('stays as somebody has decided: watched with other settings, or not at all', async () => {
    const store = await channels();
    await store.watch('C1', { ...plain, people: true }, '5.0');
    await store.watch('C2', plain, '5.0');
    await store.unwatch('C2');
    await store.watchFromStart('C1', '9.0');
    await store.watchFromStart('C2', '9.0');
    expect(await store.watched()).toMatchObject([
      { channel: 'C1', settings: { people: true }, seenTs: '5.0' },
    ]);
  });

  it('is watched also where it was only asked about before', async () => {
    const store = await channels();
    await store.learn('C1', false);
    await store.watchFromStart('C1', '9.0');
    expect(await store.watched()).toMatchObject([{ isPrivate: false, seenTs: '9.0' }]);
    expect(await store.get('C1')).toMatchObject({ watched: true, isPrivate: false });
  });
});

describe('a channel that is watched again', () => {
  it('starts from then: what came between stays unread', async () => {
    const store = await channels();
    await store.watch('C1', plain, '5.0');
    await store.unwatch('C1');
    await store.watch('C1', plain, '9.0');
    expect((await store.position('C1')).seenTs).toBe('9.0');
  });

  it('while it still is goes on where it stands', async () => {
    const store = await channels();
    await store.watch('C1', plain, '5.0');
    await store.watch('C1', { ...plain, people: true }, '9.0');
    expect(await store.watched()).toMatchObject([{ seenTs: '5.0', settings: { people: true } }]);
    expect(await store.get('C1')).toMatchObject({ settings: { people: true } });
  });
});
