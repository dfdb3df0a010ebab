import { describe, expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';
import { onPostgres } from '../../support/postgres/databases.ts';

const delivery = (key: string, receivedAt = 1) => ({ key, body: `{"of":"${key}"}`, receivedAt });

describe('the inbox', () => {
  it('answers which of the deliveries were new, so that a twin is not handled twice', async () => {
    await using opened = await openTestStore();
    const { inbox } = opened.store;
    expect(await inbox.add([delivery('a'), delivery('b'), delivery('a')])).toEqual(new Set(['a', 'b']));
    expect(await inbox.add([delivery('b'), delivery('c')])).toEqual(new Set(['c']));
    expect(await inbox.countOpen()).toBe(3);
  });

  it('knows a redelivery of what was handled long ago, though the body is gone', async () => {
    await using opened = await openTestStore();
    const { inbox } = opened.store;
    await inbox.add([delivery('a')]);
    await inbox.done(['a']);
    expect(await inbox.add([delivery('a')])).toEqual(new Set());
    expect(await inbox.open(100, { most: 9 })).toEqual([]);
  });

  it('hands out what is unfinished, oldest first, and what failed only once its time has come', async () => {
    await using opened = await openTestStore();
    const { inbox } = opened.store;
    await inbox.add([delivery('late', 30), delivery('early', 10), delivery('failed', 20)]);
    await inbox.failed('failed', 'no luck', 500);
    expect((await inbox.open(499, { most: 9 })).map((d) => d.key)).toEqual(['early', 'late']);
    expect(await inbox.open(500, { most: 9 })).toEqual([
      { ...delivery('early', 10), attempts: 0 },
      { ...delivery('failed', 20), attempts: 1 },
      { ...delivery('late', 30), attempts: 0 },
    ]);
  });

  it('hands out no more than asked for, and none of those that are in hand', async () => {
    await using opened = await openTestStore();
    const { inbox } = opened.store;
    await inbox.add(['a', 'b', 'c', 'd'].map((key) => delivery(key)));
    const open = await inbox.open(1, { most: 2, besides: ['b'] });
    expect(open.map(({ key }) => key)).toEqual(['a', 'c']);
  });

  it('keeps what it is given, whatever the characters', async () => {
    await using opened = await openTestStore();
    const { inbox } = opened.store;
    const odd = {
      // No text of PostgreSQL's holds U+0000.
      key: onPostgres ? '"ab\\’\u{1f600}' : '"a\u0000b\\’\u{1f600}',
      body: JSON.stringify({ text: '\u0000\ud800"\n\u{1f600}' }),
      receivedAt: 2 ** 45,
    };
    expect(await inbox.add([odd])).toEqual(new Set([odd.key]));
    expect(await inbox.open(1, { most: 1 })).toEqual([{ ...odd, attempts: 0 }]);
    await inbox.done([odd.key]);
    expect(await inbox.countOpen()).toBe(0);
  });

  it('gives up for good where it is told so', async () => {
    await using opened = await openTestStore();
    const { inbox } = opened.store;
    await inbox.add([delivery('a')]);
    await inbox.failed('a', 'never', null);
    expect(await inbox.open(Number.MAX_SAFE_INTEGER, { most: 9 })).toEqual([]);
    expect(await inbox.countOpen()).toBe(0);
    expect(await inbox.add([delivery('a')])).toEqual(new Set());
  });
});
