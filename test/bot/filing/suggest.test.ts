import { describe, expect, it, onTestFinished } from 'vitest';
import { fileOnRequest } from '../../../src/bot/filing/on-request.ts';
import { seenOfRow } from '../../../src/bot/filing/stored-alert.ts';
import { deciding } from '../../support/deciding.ts';
import { issueOf } from '../../support/requested.ts';

const MINUTE = 60_000;
const resolved = { kind: 'resolved' } as const;

async function suggesting() {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  await d.settings({ mode: 'suggest' });
  const rowOf = async (ts: string) => {
    const row = await d.store.alerts.find('C1', ts);
    if (row === null) throw new Error('it was decided on above');
    return row;
  };
  return {
    ...d,
    rowOf,
    suggestion: (ts: string) => d.store.outbox.get(`suggestion:C1:${ts}`),
    file: async (ts: string) =>
      issueOf(await fileOnRequest(seenOfRow(await rowOf(ts), null), 'U1', { store: d.store, ...d.options })),
  };
}

describe('a channel that only suggests', () => {
  it('files nothing: one button is posted under an alert that keeps firing', async () => {
    const s = await suggesting();
    const first = await s.alert();
    expect(first).toMatchObject({
      decision: 'ignored',
      reason: 'the channel is in suggest mode: the alert has a File it button',
    });
    expect(await s.suggestion(first.ts)).toMatchObject({
      kind: 'suggestion',
      threadTs: first.ts,
      wanted: 1,
    });
    const again = await s.alert();
    expect(again.reason).toBe(
      'the channel is in suggest mode, and the same alert already has a File it button',
    );
    expect(await s.suggestion(again.ts)).toBeNull();
    expect(await s.suggestion((await s.alert({ fingerprint: 'disk' })).ts)).not.toBeNull();
    expect(await s.store.issues.pending(s.clock.now(), 9)).toEqual([]);
  });

  it('holds the rest of a storm under one message, instead of a button under each', async () => {
    const s = await suggesting();
    const decided = [];
    for (let n = 0; n < 12; n += 1) decided.push(await s.alert({ fingerprint: `problem-${n}` }));
    expect(decided.map(({ decision }) => decision)).toEqual([
      ...Array.from({ length: 10 }, () => 'ignored'),
      'held',
      'held',
    ]);
    expect(decided[11]?.reason).toBe('held: 10 or more alerts fired within a minute');
    expect(await s.suggestion(decided[11]?.ts ?? '')).toBeNull();
    expect(await s.store.outbox.get(`held:${decided[11]?.holdId}`)).toMatchObject({ kind: 'held' });
    await s.clock.sleep(2 * MINUTE);
    expect(await s.alert({ fingerprint: 'later' })).toMatchObject({ decision: 'ignored' });
  });

  it('suggests again after the cool-down', async () => {
    const s = await suggesting();
    await s.alert();
    await s.clock.sleep(31 * MINUTE);
    expect(await s.suggestion((await s.alert()).ts)).not.toBeNull();
  });

  it('says who had it filed, once, also when it was not by the button', async () => {
    const s = await suggesting();
    const { ts } = await s.alert();
    const issueId = await s.file(ts);
    expect(await s.suggestion(ts)).toMatchObject({
      issueId: issueId,
      payload: JSON.stringify({ alert: { channel: 'C1', ts }, by: 'U1', counted: false }),
      wanted: 2,
    });
    expect(await s.file(ts)).toEqual(issueId);
    expect(await s.suggestion(ts)).toMatchObject({ wanted: 2 });
    expect(await s.alert()).toMatchObject({ decision: 'repeat', issueId });
  });

  it('takes the button away when the alert recovers, and brings it back when it fires again', async () => {
    const s = await suggesting();
    const { ts } = await s.alert();
    expect(await s.alert(resolved)).toMatchObject({
      decision: 'recovered',
      reason: 'the alert recovered before anybody filed it',
    });
    expect(await s.rowOf(ts)).toMatchObject({ decision: 'ignored', outcome: 'recovered' });
    expect(await s.suggestion(ts)).toMatchObject({ wanted: 2 });
    expect(await s.alert(resolved)).toMatchObject({ decision: 'ignored' });
    await s.alert();
    expect(await s.rowOf(ts)).toMatchObject({ outcome: null });
    expect(await s.suggestion(ts)).toMatchObject({ wanted: 3 });
  });

  it('files what has recovered as recovered: the button was pressed while it was taken away', async () => {
    const s = await suggesting();
    await s.settings({ mode: 'suggest', onRecovery: 'resolve' });
    const { ts } = await s.alert();
    await s.alert(resolved);
    const issueId = await s.file(ts);
    expect(await s.store.issues.get(issueId)).toMatchObject({
      recoveredAt: s.clock.now(),
      isOpen: true,
      wantedStatus: null,
    });
    expect(await s.alert()).toMatchObject({ decision: 'repeat', issueId });
    expect(await s.store.issues.get(issueId)).toMatchObject({ recoveredAt: null });
  });

  it('files what fires again since it recovered as firing', async () => {
    const s = await suggesting();
    const { ts } = await s.alert();
    await s.alert(resolved);
    await s.alert();
    expect(await s.store.issues.get(await s.file(ts))).toMatchObject({ recoveredAt: null });
  });

  it('tells the same in every channel that suggested the alert', async () => {
    const s = await suggesting();
    await s.settings({ mode: 'suggest' }, 'C2');
    const here = await s.alert();
    const there = await s.alert({}, { channel: 'C2' });
    await s.alert(resolved);
    expect(await s.suggestion(here.ts)).toMatchObject({ wanted: 2 });
    expect(await s.store.outbox.get(`suggestion:C2:${there.ts}`)).toMatchObject({ wanted: 2 });
  });

  it('says so too where a later message of the alert was filed', async () => {
    const s = await suggesting();
    const first = await s.alert();
    const second = await s.alert();
    const issueId = await s.file(second.ts);
    expect(await s.suggestion(first.ts)).toMatchObject({ issueId: issueId, wanted: 2 });
    expect(await s.rowOf(first.ts)).toMatchObject({ decision: 'ignored', outcome: 'joined' });
  });

  it('takes the button away when the alert, filed from another channel, recovers', async () => {
    const s = await suggesting();
    const here = await s.alert();
    await s.settings({}, 'C2');
    expect(await s.alert({}, { channel: 'C2' })).toMatchObject({ decision: 'filed' });
    expect(await s.alert(resolved, { channel: 'C2' })).toMatchObject({ decision: 'recovered' });
    expect(await s.rowOf(here.ts)).toMatchObject({ outcome: 'recovered' });
  });
});
