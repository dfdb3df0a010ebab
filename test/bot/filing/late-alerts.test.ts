import { describe, expect, it, onTestFinished } from 'vitest';
import { dismissHeld, fileHeld } from '../../../src/bot/filing/release.ts';
import { deciding } from '../../support/deciding.ts';
import { theIssue, uuidOf } from '../../support/issues.ts';

/** A channel in which an alert was filed, whose issue the service has. */
async function filed(settings: Parameters<Awaited<ReturnType<typeof deciding>>['settings']>[0] = {}) {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  await d.settings(settings);
  const { issueId, ts } = await d.alert();
  if (issueId === null) throw new Error('it is filed');
  await d.store.issues.rewrite(issueId, {
    state: 'created',
    uuid: uuidOf(1),
    number: 1,
    status: 'ready_to_fix',
  });
  /** A person sets the status, so many seconds after the first alert. */
  const person = async (what: string, seconds: number, status: string) => {
    const act = {
      subject: `issue:${uuidOf(1)}`,
      ts: (Number(ts) + seconds).toFixed(6),
      receivedAt: 1,
      who: 'U1',
      what,
    };
    await d.store.acts.take(act, d.clock.now());
    const closed = status === 'resolved' ? { isOpen: false } : {};
    await d.store.issues.rewrite(issueId, { status, statusSince: d.clock.now(), ...closed });
  };
  return { ...d, issueId, person, at: (seconds: number) => (Number(ts) + seconds).toFixed(6) };
}

describe('what a person did to an issue', () => {
  it.each([
    ['posted before it is only noted', 10, null],
    ['posted after it resolves the issue', 30, 'resolved'],
  ])('a recovery that was %s', async (_, seconds, wanted) => {
    const d = await filed({ onRecovery: 'resolve' });
    await d.person('reopened it', 20, 'ready_to_fix');
    await d.alert({ kind: 'resolved' }, { ts: d.at(seconds) });
    const issue = await theIssue(d.store, d.issueId);
    expect(issue.wantedStatus).toBe(wanted);
    expect(issue.recoveredAt).not.toBeNull();
  });
});

describe('an alert that comes after a person has resolved its issue, and was posted before that', () => {
  it.each([
    ['takes back a recovery that was posted before it', 5, false],
    ['leaves a recovery that was posted after it', 15, true],
  ])('%s', async (_, seconds, isRecovered) => {
    const d = await filed();
    await d.alert({ kind: 'resolved' }, { ts: d.at(seconds) });
    await d.person('resolved it', 20, 'resolved');
    await d.alert({}, { ts: d.at(10) });
    const { status, repeats, recoveredAt } = await theIssue(d.store, d.issueId);
    expect({ status, repeats, isRecovered: recoveredAt !== null }).toEqual({
      status: 'resolved',
      repeats: 1,
      isRecovered,
    });
  });
});

describe('a press under alerts that are held', () => {
  it.each(['dismiss', 'file'] as const)('%s: takes nothing that was posted after it', async (press) => {
    const d = await deciding();
    onTestFinished(() => d[Symbol.asyncDispose]());
    await d.settings({ budget: { issues: 1, minutes: 10 } });
    await d.alert({ fingerprint: 'a' });
    const before = await d.alert({ fingerprint: 'b' });
    const after = await d.alert({ fingerprint: 'c' });
    const hold = before.holdId === undefined ? null : await d.store.holds.get(before.holdId ?? '');
    if (hold === null) throw new Error('it is held');
    const options = { ...d.options, store: d.store, permalink: () => 'https://acme.slack.com/' };
    const pressedTs = (Number(before.ts) + 0.5).toFixed(6);
    if (press === 'dismiss') expect(await dismissHeld(hold, 'U1', options, pressedTs)).toBe(1);
    else expect(await fileHeld(hold, 'all', 'U1', options, pressedTs)).toEqual({ filed: 1, joined: 0 });
    expect((await d.store.alerts.find('C1', before.ts))?.outcome).not.toBeNull();
    expect(await d.store.alerts.find('C1', after.ts)).toMatchObject({ outcome: null, holdId: hold.id });
    expect(await d.store.alerts.waitsInHold(hold.id)).toBe(true);
  });
});
