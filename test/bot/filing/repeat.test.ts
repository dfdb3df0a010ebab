import { describe, expect, it } from 'vitest';
import { deciding } from '../../support/deciding.ts';
import { intent } from '../../support/issues.ts';

describe('a repeat in a second channel', () => {
  it('of what was investigated already gets the short card and the verdict at once, both once', async () => {
    await using d = await deciding();
    const id = (await d.alert()).issueId ?? '';
    await d.store.issues.rewrite(id, {
      state: 'created',
      number: 1,
      status: 'ready_to_fix',
      endedVersion: 2,
      version: 2,
    });
    const first = await d.alert({}, { channel: 'C2' });
    await d.alert({}, { channel: 'C2' });
    const cards = await d.store.outbox.shortCards(id);
    expect(cards.map(({ key, threadTs }) => [key, threadTs])).toEqual([
      [`short:${id}:C2:${first.ts}`, first.ts],
    ]);
    expect(await intent(d.store, `verdict:short:${id}:C2:${first.ts}:2`)).toBe('due');
  });

  it('of what is still investigated gets the short card alone', async () => {
    await using d = await deciding();
    const id = (await d.alert()).issueId ?? '';
    const { ts } = await d.alert({}, { channel: 'C2' });
    expect(await d.store.outbox.shortCards(id)).toHaveLength(1);
    expect(await intent(d.store, `verdict:short:${id}:C2:${ts}:0`)).toBeNull();
  });
});
