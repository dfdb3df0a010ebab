import { describe, expect, it } from 'vitest';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { theIssue } from '../../support/issues.ts';

const over = { kind: 'resolved' } as const;

async function filed(d: Deciding): Promise<string> {
  return (await d.alert()).issueId ?? '';
}

describe('a recovery', () => {
  it('resolves the issue where its channel says so, whichever channel heard of it', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' }, 'C1');
    const id = await filed(d);
    await d.store.issues.rewrite(id, { state: 'created', nextAt: 5 });
    expect(await d.alert(over, { channel: 'C2' })).toMatchObject({
      decision: 'recovered',
      reason: 'the alert recovered, which resolves its issue (channel setting)',
    });
    const now = d.clock.now();
    expect(await theIssue(d.store, id)).toMatchObject({
      recoveredAt: now,
      wantedStatus: 'resolved',
      nextAt: now,
      isOpen: true,
    });
  });

  it('is only noted where the issue lives in a channel that notes it', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' }, 'C2');
    const id = await filed(d);
    await d.alert(over, { channel: 'C2' });
    expect(await theIssue(d.store, id)).toMatchObject({ wantedStatus: null, recoveredAt: d.clock.now() });
  });

  it('before the service has the issue waits for it, and hurries nothing', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' });
    const id = await filed(d);
    await d.store.issues.rewrite(id, { nextAt: 5 });
    await d.alert(over);
    expect(await theIssue(d.store, id)).toMatchObject({
      wantedStatus: 'resolved',
      nextAt: 5,
      state: 'pending',
    });
  });

  it('that the alert overtakes, firing again, resolves nothing', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' });
    const id = await filed(d);
    await d.store.issues.rewrite(id, { state: 'created' });
    await d.alert(over);
    expect(await d.alert()).toMatchObject({ decision: 'repeat', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({
      wantedStatus: null,
      recoveredAt: null,
      repeats: 1,
    });
  });
});

describe('the same alert delivered at the same moment', () => {
  it('from two channels, twice each, makes one issue that counts the rest', async () => {
    await using d = await deciding();
    const deliver = (channel: string, ts: string) => d.alert({}, { channel, ts });
    const decided = await Promise.all([
      deliver('C1', '1.0'),
      deliver('C2', '1.0'),
      deliver('C1', '1.0'),
      deliver('C2', '1.0'),
      deliver('C1', '2.0'),
    ]);
    const decisions = decided.map(({ decision }) => decision).sort();
    expect(decisions).toEqual(['filed', 'ignored', 'ignored', 'repeat', 'repeat']);
    expect(new Set(decided.map(({ issueId }) => issueId)).size).toBe(1);
    expect(await d.store.issues.pending(d.clock.now(), 9)).toHaveLength(1);
    expect(await theIssue(d.store, decided[0]?.issueId ?? '')).toMatchObject({ repeats: 2 });
  });
});
