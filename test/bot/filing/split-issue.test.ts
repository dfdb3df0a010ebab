import { describe, expect, it } from 'vitest';
import { splitIssue } from '../../../src/bot/filing/split-issue.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';
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
    expect(await store.issues.numbersOf('apartFrom', 'first')).toEqual([1]);
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
