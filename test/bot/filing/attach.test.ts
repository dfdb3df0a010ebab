import { describe, expect, it } from 'vitest';
import { attach } from '../../../src/bot/filing/attach.ts';
import { splitIssue } from '../../../src/bot/filing/split-issue.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, newIssue, theIssue } from '../../support/issues.ts';

const CPU = { fingerprint: 'cpu', title: 'CPU is high' };
const DISK = { fingerprint: 'disk', title: 'Disk is slow' };

/** Files an alert, and has the service know it under that number. */
async function filed(d: Deciding, alert: typeof CPU, number: number, channel = 'C1') {
  const { issueId, ts } = await d.alert(alert, { channel });
  const id = issueId ?? '';
  await d.store.issues.rewrite(id, {
    state: 'created',
    number,
    uuid: `uuid-${number}`,
    status: 'ready_to_fix',
  });
  return { id, ts };
}

function attached(d: Deciding, issueId: string, number: number) {
  return attach({ issueId, number, by: 'U1' }, { store: d.store, clock: d.clock });
}

describe('an issue that is attached to another', () => {
  it('is resolved, its messages count there, and so does what comes', async () => {
    await using d = await deciding();
    const cpu = await filed(d, CPU, 1);
    const disk = await filed(d, DISK, 2);
    await d.alert({ ...DISK, severity: 'high' });
    expect(await attached(d, disk.id, 1)).toBe(null);
    const now = d.clock.now();
    expect(await theIssue(d.store, disk.id)).toMatchObject({
      isOpen: false,
      joinedInto: cpu.id,
      wantedStatus: 'resolved',
      nextAt: now,
      repeats: 0,
      lastAction: JSON.stringify({ userId: 'U1', what: 'attached it to #1', at: now }),
    });
    expect(await theIssue(d.store, cpu.id)).toMatchObject({ repeats: 2, raisedSeverity: 'high' });
    expect(await d.store.alerts.find('C1', disk.ts)).toMatchObject({
      decision: 'repeat',
      issueId: cpu.id,
      reason: 'somebody attached its issue, #2, to #1',
    });
    expect(await d.alert(DISK)).toMatchObject({ decision: 'repeat', issueId: cpu.id });
    expect(await d.alert({ ...DISK, kind: 'resolved' })).toMatchObject({ issueId: cpu.id });
    expect(await d.store.issues.numbersOf('joinedInto', cpu.id)).toEqual([2]);
    for (const id of [cpu.id, disk.id]) expect(await intent(d.store, `card:${id}`)).toBe('due');
    expect(await d.store.audit.of(cpu.id)).toEqual([{ at: now, who: 'U1', what: 'attached #2 to it' }]);
  });

  it('comes back within the cool-down as the one that it was attached to', async () => {
    await using d = await deciding();
    const cpu = await filed(d, CPU, 1);
    const disk = await filed(d, DISK, 2);
    await attached(d, disk.id, 1);
    await d.store.issues.rewrite(disk.id, { status: 'resolved', statusSince: d.clock.now() });
    await d.store.issues.rewrite(cpu.id, { status: 'resolved', isOpen: false, statusSince: d.clock.now() });
    expect(await d.alert(DISK)).toMatchObject({ decision: 'repeat', issueId: cpu.id });
  });

  it('takes along what was told apart to it, and can be what it was told apart from', async () => {
    await using d = await deciding();
    const cpu = await filed(d, CPU, 1);
    const other = { ...CPU, title: 'CPU of the cache is high' };
    const { ts } = await d.alert(other);
    const wish = { issueId: cpu.id, channel: 'C1', ts, permalink: null, by: 'U1', cause: 'V1' };
    const filedApart = await splitIssue(wish, { store: d.store, ...d.options });
    const own = typeof filedApart === 'string' ? filedApart : '';
    await d.store.issues.rewrite(own, { state: 'created', number: 2, uuid: 'uuid-2' });
    const disk = await filed(d, DISK, 3);
    expect(await attached(d, own, 3)).toBe(null);
    expect(await d.alert(other)).toMatchObject({ decision: 'repeat', issueId: disk.id });
    expect(await d.alert(CPU)).toMatchObject({ issueId: cpu.id });
    expect(await attached(d, disk.id, 1)).toBe(null);
    expect(await d.alert(other)).toMatchObject({ decision: 'repeat', issueId: cpu.id });
    expect(await d.alert(DISK)).toMatchObject({ decision: 'repeat', issueId: cpu.id });
  });

  it('can be attached to what a person asked for, which has repeats from then on', async () => {
    await using d = await deciding();
    await d.store.issues.add(newIssue({ id: 'asked', identity: null }));
    await d.store.issues.rewrite('asked', { state: 'created', number: 7, uuid: 'u7' });
    const disk = await filed(d, DISK, 2);
    expect(await attached(d, disk.id, 7)).toBe(null);
    expect(await theIssue(d.store, 'asked')).toMatchObject({ identity: 'issue:asked', repeats: 1 });
    expect(await d.alert(DISK)).toMatchObject({ decision: 'repeat', issueId: 'asked' });
  });

  it('brings the other’s short card into its own channel', async () => {
    await using d = await deciding();
    await d.store.channels.learn('C1', false);
    const cpu = await filed(d, CPU, 1);
    const disk = await filed(d, DISK, 2, 'C2');
    await attached(d, disk.id, 1);
    expect(await intent(d.store, `short:${cpu.id}:C2:${disk.ts}`)).toBe('due');
  });

  it('twice, or wished again, changes nothing', async () => {
    await using d = await deciding();
    const cpu = await filed(d, CPU, 1);
    const disk = await filed(d, DISK, 2);
    await Promise.all([attached(d, disk.id, 1), attached(d, disk.id, 1)]);
    expect(await attached(d, disk.id, 1)).toBe(null);
    expect(await theIssue(d.store, cpu.id)).toMatchObject({ repeats: 1 });
  });
});

describe('an issue cannot be attached', () => {
  it('to itself, to what nobody knows, to what is closed, or twice', async () => {
    await using d = await deciding();
    const cpu = await filed(d, CPU, 1);
    const disk = await filed(d, DISK, 2);
    await filed(d, { fingerprint: 'net', title: 'Net is down' }, 3);
    expect(await attached(d, disk.id, 2)).toBe('itself');
    expect(await attached(d, disk.id, 99)).toBe('unknown');
    expect(await attached(d, 'nobody', 1)).toBe('unknown');
    await d.store.issues.rewrite(cpu.id, { isOpen: false, status: 'resolved' });
    expect(await attached(d, disk.id, 1)).toBe('closed');
    expect(await attached(d, disk.id, 3)).toBe(null);
    await d.store.issues.rewrite(cpu.id, { isOpen: true, status: 'ready_to_fix' });
    expect(await attached(d, disk.id, 1)).toBe('attached');
  });

  it('to one of a private channel elsewhere; within the private channel it can', async () => {
    await using d = await deciding();
    await filed(d, CPU, 1, 'C2');
    const disk = await filed(d, DISK, 2);
    expect(await attached(d, disk.id, 1)).toBe('private');
    const net = await filed(d, { fingerprint: 'net', title: 'Net is down' }, 3, 'C2');
    expect(await attached(d, net.id, 1)).toBe(null);
    await d.store.channels.learn('C2', false);
    expect(await attached(d, disk.id, 1)).toBe(null);
  });
});
