import { describe, expect, it } from 'vitest';
import { anIntent } from '../../support/intents.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const archived = { name: 'channel:C1', reason: 'is_archived', since: 10, detail: '{}' };

describe('a problem', () => {
  it('begins once, until it is mended', async () => {
    await using opened = await openTestStore();
    const { problems } = opened.store;
    expect(await problems.begin(archived)).toBe(true);
    expect(await problems.begin({ ...archived, since: 20 })).toBe(false);
    expect(await problems.open()).toEqual([archived]);
    expect(await problems.end('channel:C1')).toEqual(archived);
    expect(await problems.end('channel:C1')).toBeNull();
    expect(await problems.begin({ ...archived, since: 30 })).toBe(true);
  });

  it('that becomes another one begins anew', async () => {
    await using opened = await openTestStore();
    const { problems } = opened.store;
    await problems.begin(archived);
    const removed = { ...archived, reason: 'not_in_channel', since: 20 };
    expect(await problems.begin(removed)).toBe(true);
    expect(await problems.get('channel:C1')).toEqual(removed);
  });
});

describe('messages of a channel in trouble', () => {
  it('are parked, whatever is wanted of them meanwhile, and due once it is mended', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    const intent = anIntent({ key: 'card:k', threadTs: null, at: 1 });
    await outbox.want(intent);
    await outbox.park('card:k', 'is_archived');
    await outbox.want(intent);
    await outbox.again('card:k');
    expect(await outbox.due(99, 9)).toEqual([]);
    expect(await outbox.get('card:k')).toMatchObject({ state: 'parked', wanted: 3, error: 'is_archived' });
    expect(await outbox.unpark('C2')).toBe(0);
    expect(await outbox.unpark('C1')).toBe(1);
    expect(await outbox.due(50, 9)).toEqual([
      expect.objectContaining({ key: 'card:k', nextAt: 0, error: null }),
    ]);
  });
});
