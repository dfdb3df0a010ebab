import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attach, splitIssue } from '../../../src/bot/filing/split-attach.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, newIssue, theIssue } from '../../support/issues.ts';
import { runs } from '../../support/property-runs.ts';
import { creating } from './support.ts';

const WEB1 = { title: 'Errors on web-1' };
const WEB2 = { title: 'Errors on web-2' };

/** An issue of web-1 to which an alert of web-2 was counted. */
async function mixedUp(d: Deciding) {
  const first = await d.alert(WEB1);
  const other = await d.alert(WEB2);
  expect(other).toMatchObject({ decision: 'repeat', issueId: first.issueId });
  return { issueId: first.issueId ?? '', other };
}

async function apart(d: Deciding, issueId: string, ts: string, cause = 'V1', channel = 'C1') {
  const wish = { issueId, channel, ts, permalink: null, by: 'U1', cause };
  const filed = await splitIssue(wish, { store: d.store, ...d.options });
  return typeof filed === 'string' ? filed : '';
}

describe('a repeat that is not the same', () => {
  it('gets its own issue in its thread, and the first no longer counts it', async () => {
    await using d = await deciding();
    const { issueId, other } = await mixedUp(d);
    const own = await apart(d, issueId, other.ts);
    expect(await theIssue(d.store, own)).toMatchObject({
      title: 'Errors on web-2',
      state: 'pending',
      isOpen: true,
      threadTs: other.ts,
      requestedBy: 'U1',
      apartFrom: issueId,
      repeats: 0,
    });
    expect(await theIssue(d.store, issueId)).toMatchObject({ repeats: 0, lastRepeatAt: null });
    expect(await d.store.alerts.find('C1', other.ts)).toMatchObject({ decision: 'filed', issueId: own });
    expect(await intent(d.store, `card:${own}`)).toBe('due');
    expect(await intent(d.store, `reaction:C1:${other.ts}:eyes`)).toBe('due');
    expect(await d.store.audit.of(own)).toEqual([{ at: d.clock.now(), who: 'U1', what: 'split it off' }]);
  });

  it('takes what reads like it from then on: repeats, recoveries, and what fires again after it', async () => {
    await using d = await deciding();
    const { issueId, other } = await mixedUp(d);
    const own = await apart(d, issueId, other.ts);
    expect(await d.alert({ title: 'Errors on web-2' })).toMatchObject({ decision: 'repeat', issueId: own });
    expect(await d.alert(WEB1)).toMatchObject({ decision: 'repeat', issueId });
    expect(await d.alert({ ...WEB2, kind: 'resolved' })).toMatchObject({
      decision: 'recovered',
      issueId: own,
    });
    expect(await theIssue(d.store, issueId)).toMatchObject({ recoveredAt: null });

    const status = {
      isOpen: false,
      status: 'resolved',
      state: 'created',
      statusSince: d.clock.now(),
    } as const;
    await d.store.issues.rewrite(own, status);
    expect(await d.alert(WEB2)).toMatchObject({ decision: 'repeat', issueId: own });
    await d.store.issues.rewrite(own, status);
    await d.clock.sleep(31 * 60_000);
    const anew = await d.alert(WEB2);
    expect(anew.decision).toBe('filed');
    expect([issueId, own]).not.toContain(anew.issueId);
    expect(await d.alert(WEB1)).toMatchObject({ issueId });
  });

  it('that reads the same takes the further ones, and both are kept', async () => {
    await using d = await deciding();
    const first = await d.alert(WEB1);
    const other = await d.alert(WEB1);
    const own = await apart(d, first.issueId ?? '', other.ts);
    expect(await d.alert(WEB1)).toMatchObject({ decision: 'repeat', issueId: own });
    expect(await theIssue(d.store, first.issueId ?? '')).toMatchObject({ isOpen: true, repeats: 0 });
  });

  it('is known by its own message and thread, whatever these say now', async () => {
    await using d = await deciding();
    const { issueId, other } = await mixedUp(d);
    const own = await apart(d, issueId, other.ts);
    const over = { kind: 'resolved', title: 'All is well' } as const;
    expect(await d.alert(over, { threadTs: other.ts })).toMatchObject({ issueId: own });
    await d.store.issues.rewrite(own, { recoveredAt: null });
    expect(await d.alert(over, { ts: other.ts, edited: true })).toMatchObject({ issueId: own });
    expect(await theIssue(d.store, issueId)).toMatchObject({ recoveredAt: null });
  });

  it('is split off once, however often that is requested', async () => {
    await using d = await deciding();
    const { issueId, other } = await mixedUp(d);
    const wishes = await Promise.all([1, 2, 3].map(() => apart(d, issueId, other.ts)));
    expect(wishes.filter((id) => id !== '')).toHaveLength(1);
    expect(await apart(d, issueId, other.ts, 'V2')).toBe('');
    expect(await theIssue(d.store, issueId)).toMatchObject({ repeats: 0 });
  });

  it('is none where the message is what the issue was filed for, or of another issue', async () => {
    await using d = await deciding();
    const first = await d.alert(WEB1);
    expect(await apart(d, first.issueId ?? '', first.ts)).toBe('');
    const { ts } = await d.alert({ fingerprint: 'disk' });
    expect(await apart(d, first.issueId ?? '', ts)).toBe('');
    expect(await apart(d, 'unknown', ts)).toBe('');
  });

  it('takes with it the severity that it raised, and what the mute hid of it', async () => {
    await using d = await deciding();
    const first = await d.alert({ ...WEB1, severity: 'low' });
    const issueId = first.issueId ?? '';
    await d.store.issues.rewrite(issueId, { status: 'muted', statusSince: d.clock.now(), state: 'created' });
    const medium = await d.alert({ ...WEB1, severity: 'medium' });
    const other = await d.alert({ ...WEB2, severity: 'high' });
    expect(await theIssue(d.store, issueId)).toMatchObject({
      raisedSeverity: 'high',
      hidden: 2,
      repeats: 2,
    });
    await apart(d, issueId, other.ts);
    const row = await d.store.alerts.find('C1', medium.ts);
    expect(await theIssue(d.store, issueId)).toMatchObject({
      raisedSeverity: 'medium',
      hidden: 1,
      repeats: 1,
      lastRepeatAt: row?.decidedAt,
    });
  });

  it('has its number on the card of the first as soon as it has one', async () => {
    await using c = await creating();
    const { store } = c.opened;
    await c.file('first');
    await c.file('second');
    await store.issues.rewrite('first', { state: 'created', uuid: 'uuid-first', number: 9 });
    await store.issues.rewrite('second', { apartFrom: 'first' });
    c.creator.start();
    await c.until('it has a number', async () => (await theIssue(store, 'second')).number);
    expect(await intent(store, 'card:first')).toBe('due');
    const { apart } = await store.cards.of(await theIssue(store, 'first'), 'C1');
    expect(apart.map(({ number }) => number)).toEqual([1]);
  });

  it('in a second channel hands the short card on to the next message there', async () => {
    await using d = await deciding();
    const first = await d.alert(WEB1);
    const issueId = first.issueId ?? '';
    const other = await d.alert(WEB2, { channel: 'C2' });
    const again = await d.alert(WEB1, { channel: 'C2' });
    expect(await intent(d.store, `short:${issueId}:C2:${other.ts}`)).toBe('due');
    const own = await apart(d, issueId, other.ts, 'V1', 'C2');
    expect(await theIssue(d.store, own)).toMatchObject({ channel: 'C2', threadTs: other.ts });
    expect(await intent(d.store, `short:${issueId}:C2:${again.ts}`)).toBe('due');
    await d.alert(WEB1, { channel: 'C2' });
    expect(await d.store.outbox.shortCards(issueId)).toHaveLength(2);
  });
});

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
      nextAt: 0,
      repeats: 0,
      lastAction: JSON.stringify({ userId: 'U1', what: 'attached it to #1', at: now }),
    });
    expect(await theIssue(d.store, cpu.id)).toMatchObject({ repeats: 2, raisedSeverity: 'high' });
    expect(await d.store.alerts.find('C1', disk.ts)).toMatchObject({
      decision: 'repeat',
      issueId: cpu.id,
      reason: '{"code":"attached","issue":"#2","to":"#1"}',
    });
    expect(await d.alert(DISK)).toMatchObject({ decision: 'repeat', issueId: cpu.id });
    expect(await d.alert({ ...DISK, kind: 'resolved' })).toMatchObject({ issueId: cpu.id });
    const facts = await d.store.cards.of(await theIssue(d.store, cpu.id), 'C1');
    expect(facts.attached.map(({ number }) => number)).toEqual([2]);
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

type Act =
  | { act: 'fires' | 'recovers'; fingerprint: string; title: string; channel: string }
  | { act: 'apart' | 'attach' | 'resolve'; one: number; other: number };

const index = fc.nat({ max: 30 });
const alert = {
  fingerprint: fc.constantFrom('cpu', 'disk'),
  title: fc.constantFrom('on web-1', 'on web-2', 'on web-3'),
  channel: fc.constantFrom('C1', 'C2'),
};
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('fires' as const), ...alert }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('recovers' as const), ...alert }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('apart' as const, 'attach' as const, 'resolve' as const),
      one: index,
      other: index,
    }),
  },
);

/** What people and tools did, and the messages that fired. */
class World {
  readonly d: Deciding;
  readonly fired: { channel: string; ts: string }[] = [];
  readonly issues: string[] = [];

  constructor(d: Deciding) {
    this.d = d;
  }

  /** The service knows every issue, under its place in the list. */
  private async know(id: string | null): Promise<void> {
    if (id === null || id === '' || this.issues.includes(id)) return;
    this.issues.push(id);
    const number = this.issues.length;
    await this.d.store.issues.rewrite(id, { state: 'created', number, uuid: `uuid-${number}` });
  }

  async do(act: Act): Promise<void> {
    const { d } = this;
    // Never so many in a minute, or in ten, that they are held.
    await d.clock.sleep(70_000);
    if ('fingerprint' in act) {
      const { fingerprint, title, channel } = act;
      const kind = act.act === 'fires' ? 'firing' : 'resolved';
      const { ts, issueId } = await d.alert({ fingerprint, title, kind }, { channel });
      if (kind === 'firing') this.fired.push({ channel, ts });
      return this.know(issueId);
    }
    const issueId = this.issues[act.one % this.issues.length];
    if (issueId === undefined) return;
    if (act.act === 'attach') {
      await attach(
        { issueId, number: act.other % (this.issues.length + 1), by: 'U1' },
        { store: d.store, clock: d.clock },
      );
    } else if (act.act === 'resolve') {
      await d.store.issues.rewrite(issueId, {
        status: 'resolved',
        isOpen: false,
        statusSince: d.clock.now(),
      });
    } else {
      const rows = await d.store.alerts.ofIssue(issueId, 100);
      const row = rows[act.other % Math.max(1, rows.length)];
      const place = { channel: row?.channel ?? 'C1', ts: row?.ts ?? '0' };
      const wish = { issueId, ...place, permalink: null, by: 'U1', cause: `V${d.clock.now()}-${act.one}` };
      const filed = await splitIssue(wish, { store: d.store, ...d.options, filePerUserHour: 1_000 });
      await this.know(typeof filed === 'string' ? filed : null);
    }
  }
}

it('whatever people tell apart and attach, every alert counts for one issue, and the next finds one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), async (acts) => {
      await using d = await deciding();
      const world = new World(d);
      for (const act of acts) await world.do(act);

      const counted = new Map<string, number>();
      for (const { channel, ts } of world.fired) {
        const row = await d.store.alerts.find(channel, ts);
        expect(['filed', 'repeat']).toContain(row?.decision);
        const issue = await theIssue(d.store, row?.issueId ?? '');
        expect(issue.joinedInto).toBe(null);
        if (row?.decision === 'repeat') counted.set(issue.id, (counted.get(issue.id) ?? 0) + 1);
      }
      for (const id of world.issues) {
        const issue = await theIssue(d.store, id);
        expect({ id, repeats: issue.repeats }).toEqual({ id, repeats: counted.get(id) ?? 0 });
      }
      for (const title of ['on web-1', 'on web-2', 'on web-3']) {
        const next = await d.alert({ fingerprint: 'cpu', title });
        expect(['filed', 'repeat']).toContain(next.decision);
        expect(await theIssue(d.store, next.issueId ?? '')).toMatchObject({ isOpen: true, joinedInto: null });
        expect(await d.alert({ fingerprint: 'cpu', title })).toMatchObject({
          decision: 'repeat',
          issueId: next.issueId,
        });
      }
    }),
    { numRuns: runs(25) },
  );
});
