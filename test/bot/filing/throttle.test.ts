import { describe, expect, it, onTestFinished } from 'vitest';
import { dismissHeld, fileHeld, heldAlertGroups } from '../../../src/bot/filing/held.ts';
import { seenOfRow } from '../../../src/bot/filing/occurrence.ts';
import { fileOnRequest } from '../../../src/bot/filing/on-request.ts';
import { dayFreesAt } from '../../../src/bot/filing/throttle.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent } from '../../support/issues.ts';
import { issueOf } from '../../support/requested.ts';

const MINUTE_MS = 60_000;
/** So much that it never is why an alert is held. */
const PLENTY = { budget: { issues: 1_000, minutes: 10 } };
const FEW = { budget: { issues: 2, minutes: 10 } };

const kind = (n: number | string) => ({ fingerprint: `kind-${n}`, title: `Kind ${n} fails` });

/** So many problems, a second apart. */
async function fire(d: Deciding, many: number, from = 0): Promise<string[]> {
  const decisions: string[] = [];
  for (let n = from; n < from + many; n += 1) decisions.push((await d.alert(kind(n))).decision);
  return decisions;
}

async function holdsOf(d: Deciding, ...alerts: { holdId?: string }[]): Promise<(string | undefined)[]> {
  const ids = [...new Set(alerts.map(({ holdId }) => holdId))];
  return Promise.all(ids.map(async (id) => (id === undefined ? id : (await d.store.holds.get(id))?.state)));
}

describe('a storm', () => {
  it('is ten problems within a minute: the next is held, and the channel has one message of it', async () => {
    await using d = await deciding();
    await d.settings(PLENTY);
    expect(await fire(d, 10)).toEqual(Array(10).fill('filed'));
    const next = await d.alert(kind(10));
    expect(next).toMatchObject({
      decision: 'held',
      reason: { code: 'held', by: 'storm', limit: 10 },
      issueId: null,
    });
    const another = await d.alert(kind(11));
    expect(another.holdId).toBe(next.holdId);
    expect(await d.store.outbox.get(`held:${next.holdId}`)).toMatchObject({
      channel: 'C1',
      threadTs: null,
      wanted: 2,
    });
  });

  it('goes on while as many problems come, although none of them is filed', async () => {
    await using d = await deciding();
    await d.settings(PLENTY);
    await fire(d, 200);
    expect((await d.alert(kind('last'))).decision).toBe('held');
    await d.clock.sleep(MINUTE_MS);
    expect((await d.alert(kind('later'))).decision).toBe('filed');
  });

  it('is not one alert that fires ever again', async () => {
    await using d = await deciding();
    await d.settings(FEW);
    await fire(d, 2);
    for (let n = 0; n < 30; n += 1) await d.alert(kind('flaps'));
    await d.settings(PLENTY);
    expect((await d.alert(kind('other'))).decision).toBe('filed');
  });

  it('holds no repeat of an open issue, and counts no message twice', async () => {
    await using d = await deciding();
    await d.settings(PLENTY);
    await fire(d, 10);
    const held = await d.alert(kind(10));
    expect(await d.alert(kind(3))).toMatchObject({ decision: 'repeat' });
    expect(await d.alert(kind(10), { ts: held.ts })).toMatchObject({
      decision: 'ignored',
      reason: 'decided_before',
    });
    expect(await heldAlertGroups(d.store, held.holdId ?? '')).toMatchObject([
      { messages: 1, state: 'waiting' },
    ]);
  });

  it('in one channel holds nothing in another', async () => {
    await using d = await deciding();
    await d.settings(PLENTY);
    await d.settings(PLENTY, 'C2');
    await fire(d, 11);
    expect((await d.alert(kind('elsewhere'), { channel: 'C2' })).decision).toBe('filed');
  });
});

describe('a channel’s budget', () => {
  it('leaves out the 👀 on what is filed while others are held', async () => {
    await using d = await deciding();
    await d.settings({ budget: { issues: 2, minutes: 1 } });
    const eyes = ({ ts }: { ts: string }) => intent(d.store, `reaction:C1:${ts}:eyes`);
    const first = await d.alert(kind(0));
    await d.alert(kind(1));
    expect((await d.alert(kind(2))).decision).toBe('held');
    await d.clock.sleep(MINUTE_MS - 3_000);
    const meanwhile = await d.alert(kind(3));
    expect(meanwhile.decision).toBe('filed');
    expect([await eyes(first), await eyes(meanwhile)]).toEqual(['due', null]);
    await d.clock.sleep(2 * MINUTE_MS);
    expect(await eyes(await d.alert(kind(4)))).toBe('due');
  });

  it('holds what is too much, until its window frees', async () => {
    await using d = await deciding();
    await d.settings(FEW);
    expect(await fire(d, 3)).toEqual(['filed', 'filed', 'held']);
    expect((await d.alert(kind(9))).reason).toEqual({
      code: 'held',
      by: 'budget',
      isOver: false,
      limit: 2,
      minutes: 10,
    });
    await d.clock.sleep(10 * MINUTE_MS);
    expect((await d.alert(kind(10))).decision).toBe('filed');
  });

  it('is not used up by what a person files from a hold', async () => {
    await using d = await deciding();
    await d.settings({ budget: { issues: 2, minutes: 1 } });
    await fire(d, 4);
    const held = await d.alert(kind(4));
    const hold = await d.store.holds.get(held.holdId ?? '');
    await d.clock.sleep(56_000);
    if (hold) await fileHeld(hold, 'all', 'U1', { ...d.options, store: d.store, permalink: () => '' });
    expect(await fire(d, 2, 5)).toEqual(['filed', 'filed']);
  });
});

describe('the workspace’s day', () => {
  it('holds in every channel what is over its limit, until the first issue is a day old', async () => {
    await using d = await deciding({ maxIssuesPerDay: 2 });
    const began = d.clock.now();
    expect(await dayFreesAt(d.store, 2)).toBeNull();
    await d.alert(kind(0));
    await d.alert(kind(1), { channel: 'C2' });
    const held = await d.alert(kind(2), { channel: 'C3' });
    expect(held).toMatchObject({
      decision: 'held',
      reason: { code: 'held', by: 'day', limit: 2 },
    });
    expect(await d.store.holds.get(held.holdId ?? '')).toMatchObject({ reason: 'day', channel: 'C3' });
    const frees = (await dayFreesAt(d.store, 2)) ?? 0;
    expect(frees).toBe(began + 1_000 + 24 * 60 * MINUTE_MS);
    await d.clock.sleep(frees - d.clock.now() - 1_500);
    expect((await d.alert(kind(3))).decision).toBe('held');
    expect((await d.alert(kind(4))).decision).toBe('filed');
  });
});

describe('a hold', () => {
  it('takes in what comes within half an hour of its last alert; after that there is a new message', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    const first = await d.alert(kind(0));
    await d.clock.sleep(29 * MINUTE_MS);
    const second = await d.alert(kind(1));
    await d.clock.sleep(31 * MINUTE_MS);
    const third = await d.alert(kind(2));
    expect(second.holdId).toBe(first.holdId);
    expect(third.holdId).not.toBe(first.holdId);
    expect(await intent(d.store, `held:${third.holdId}`)).toBe('due');
  });

  it('keeps an alert that fires again, however late', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    const first = await d.alert(kind(0));
    await d.clock.sleep(300 * MINUTE_MS);
    const again = await d.alert(kind(0));
    expect(again).toMatchObject({ holdId: first.holdId, reason: { code: 'held', by: 'same' } });
    expect(await heldAlertGroups(d.store, first.holdId ?? '')).toMatchObject([{ messages: 2 }]);
  });

  it('that was closed is not joined again', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    const first = await d.alert(kind(0));
    const hold = await d.store.holds.get(first.holdId ?? '');
    if (hold) await dismissHeld(hold, 'U1', d);
    const second = await d.alert(kind(1));
    const third = await d.alert(kind(0));
    expect(second.holdId).not.toBe(first.holdId);
    expect(third.holdId).toBe(second.holdId);
    expect(await holdsOf(d, first, second)).toEqual(['closed', 'rolling']);
  });

  it('is left by a message that its tool edits to show the recovery, and by one that recovers in another', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    const edited = await d.alert(kind(0));
    const other = await d.alert(kind(1));
    await d.store.outbox.delivered(`held:${edited.holdId}`, 2);
    await d.alert({ ...kind(0), kind: 'resolved' }, { ts: edited.ts, edited: true });
    expect(await intent(d.store, `held:${edited.holdId}`)).toBe('due');
    await d.alert({ ...kind(1), kind: 'resolved' });
    expect(await heldAlertGroups(d.store, other.holdId ?? '')).toMatchObject([
      { state: 'recovered', messages: 1 },
      { state: 'recovered', messages: 1 },
    ]);
  });

  it('takes an alert back that recovered and fires again', async () => {
    await using d = await deciding({ maxIssuesPerDay: 0 });
    const first = await d.alert(kind(0));
    await d.alert({ ...kind(0), kind: 'resolved' });
    const again = await d.alert(kind(0));
    expect(again.holdId).toBe(first.holdId);
    expect(await heldAlertGroups(d.store, first.holdId ?? '')).toMatchObject([
      { state: 'waiting', messages: 2 },
    ]);
  });
});

it('a hold whose record was lost is the same when its alerts are read again, so that its message is found', async () => {
  const held = async (readAfterMs: number) => {
    await using d = await deciding();
    await d.settings(FEW);
    await fire(d, 2);
    await d.clock.sleep(readAfterMs);
    const { holdId } = await d.alert(kind('held'), { ts: '900.000000' });
    return [holdId, (await d.store.outbox.get(`held:${holdId}`))?.createdAt];
  };
  const first = await held(0);
  expect(first).toEqual([expect.any(String), 900_000]);
  expect(await held(5_000)).toEqual(first);
});

it('a message that is edited after its hold was dismissed, and held again, is in another hold', async () => {
  await using d = await deciding();
  await d.settings(FEW);
  await fire(d, 2);
  const first = await d.alert(kind('held'));
  const hold = await d.store.holds.get(first.holdId ?? '');
  if (hold) await dismissHeld(hold, 'U1', { store: d.store, clock: d.clock });
  const again = await d.alert({ ...kind('held'), severity: 'low' }, { ts: first.ts, edited: true });
  expect(again.decision).toBe('held');
  expect(again.holdId).not.toBe(first.holdId);
});

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
      reason: 'suggested',
    });
    expect(await s.suggestion(first.ts)).toMatchObject({
      kind: 'suggestion',
      threadTs: first.ts,
      wanted: 1,
    });
    const again = await s.alert();
    expect(again.reason).toBe('suggested_before');
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
    expect(decided[11]?.reason).toMatchObject({ code: 'held', by: 'storm' });
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
      reason: 'recovered_while_suggested',
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
