import { describe, expect, it } from 'vitest';
import { issueIdOf } from '../../../src/bot/filing/reference.ts';
import { fileHeld } from '../../../src/bot/filing/release.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';

const EARLY = '1773748800.000100';
const LATER = '1773748900.000100';
const LATEST = '1773749000.000100';

/** How one alert is told of: what was written, and in which order that comes. */
const fires = (d: Deciding, ts: string, seen: object = {}) => d.alert({}, { ts, ...seen });
const recovers = (d: Deciding, ts: string, seen: object = {}) =>
  d.alert({ kind: 'resolved' }, { ts, ...seen });
const row = (d: Deciding, ts: string) => d.store.alerts.find('C1', ts);

/** Holds back whatever is new. */
async function holding(reason: 'budget' | 'paused'): Promise<Deciding> {
  const d = await deciding();
  await d.settings({ budget: { issues: 1, minutes: 60 } });
  if (reason === 'paused') await d.store.flags.pause({ by: 'U1', at: d.clock.now() });
  else await d.alert({ fingerprint: 'another' });
  return d;
}

async function fileAll(d: Deciding, ts: string) {
  const hold = await d.store.holds.get((await row(d, ts))?.holdId ?? '');
  if (hold === null) throw new Error('it is in no hold');
  return fileHeld(hold, 'all', 'U1', { ...d.options, store: d.store, permalink: () => 'https://slack.test' });
}

describe.each(['budget', 'paused'] as const)('an alert that is held (%s)', (reason) => {
  it('does not wait where its recovery came before it: File all leaves it out', async () => {
    await using d = await holding(reason);
    await recovers(d, LATER);
    expect(await fires(d, EARLY)).toMatchObject({
      decision: 'held',
      reason: expect.stringMatching(/^held: .*; it had already recovered when it arrived$/),
    });
    expect(await row(d, EARLY)).toMatchObject({ decision: 'held', outcome: 'recovered' });
    expect(await fileAll(d, EARLY)).toEqual({ filed: 0, joined: 0 });
  });

  it('waits where it has fired again since, in whatever order that comes', async () => {
    await using d = await holding(reason);
    await fires(d, EARLY);
    await fires(d, LATEST);
    expect(await recovers(d, LATER)).toMatchObject({ decision: 'recovered' });
    expect(await row(d, EARLY)).toMatchObject({ outcome: 'recovered' });
    expect(await row(d, LATEST)).toMatchObject({ outcome: null });
    expect(await fileAll(d, EARLY)).toEqual({ filed: 1, joined: 0 });
  });

  it('still waits after a recovery that is older than it', async () => {
    await using d = await holding(reason);
    await fires(d, LATER);
    expect(await recovers(d, EARLY)).toMatchObject({
      decision: 'ignored',
      reason: 'a late recovery: the alert has fired again since',
    });
    expect(await row(d, LATER)).toMatchObject({ outcome: null });
  });

  it('no longer waits after an edit that shows its recovery, also where that came before it', async () => {
    await using d = await holding(reason);
    await recovers(d, EARLY, { edited: true });
    await fires(d, EARLY);
    expect(await row(d, EARLY)).toMatchObject({ kind: 'firing', decision: 'held', outcome: 'recovered' });
  });
});

describe('an alert that is only suggested', () => {
  async function suggesting(): Promise<Deciding> {
    const d = await deciding();
    await d.settings({ mode: 'suggest' });
    return d;
  }
  const button = (d: Deciding, ts: string) => intent(d.store, `suggestion:C1:${ts}`);

  it('has no button where its recovery came before it, and one when it fires again', async () => {
    await using d = await suggesting();
    await recovers(d, LATER);
    expect(await fires(d, EARLY)).toMatchObject({
      decision: 'ignored',
      reason: 'the channel is in suggest mode, and it had already recovered when it arrived',
    });
    expect(await button(d, EARLY)).toBeNull();
    await fires(d, LATEST);
    expect(await button(d, LATEST)).toBe('due');
  });

  it('keeps its button where it has fired again since the recovery was written', async () => {
    await using d = await suggesting();
    await fires(d, EARLY);
    await fires(d, LATEST);
    expect(await recovers(d, LATER)).toMatchObject({
      decision: 'ignored',
      reason: 'a late recovery: the alert has fired again since',
    });
    expect(await row(d, EARLY)).toMatchObject({ outcome: null });
  });

  it('loses it by a recovery that comes in order, in another channel too', async () => {
    await using d = await suggesting();
    await fires(d, EARLY);
    expect(await recovers(d, LATER, { channel: 'C2' })).toMatchObject({ decision: 'recovered' });
    expect(await row(d, EARLY)).toMatchObject({ outcome: 'recovered' });
  });
});

describe('an alert that comes after its recovery', () => {
  const recovered = { isOpen: true, repeats: 0, recoveredAt: expect.any(Number) };

  it('is counted on its issue, which stays recovered as it was', async () => {
    await using d = await deciding();
    const { issueId } = await fires(d, EARLY);
    await recovers(d, LATEST);
    const at = (await theIssue(d.store, issueId ?? '')).recoveredAt;
    expect(await fires(d, LATER)).toMatchObject({ decision: 'repeat', issueId });
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ repeats: 1, recoveredAt: at });
  });

  it('leaves its issue resolved where the recovery has resolved that', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' });
    const { issueId } = await fires(d, EARLY);
    await recovers(d, LATEST);
    const id = issueId ?? '';
    const resolved = { isOpen: false, status: 'resolved', wantedStatus: null, state: 'created' } as const;
    await d.store.issues.rewrite(id, { ...resolved, statusSince: d.clock.now() });
    expect(await fires(d, LATER)).toMatchObject({
      decision: 'repeat',
      reason: 'arrived late: the alert has recovered since, which resolved its issue',
      issueId: id,
    });
    expect(await theIssue(d.store, id)).toMatchObject({
      ...resolved,
      repeats: 1,
      recoveredAt: expect.any(Number),
    });
  });

  it('still wants its issue resolved where the service was not told yet', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' });
    const { issueId } = await fires(d, EARLY);
    await d.store.issues.rewrite(issueId ?? '', { state: 'created' });
    await recovers(d, LATEST);
    await fires(d, LATER);
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ wantedStatus: 'resolved', repeats: 1 });
  });

  it('brings back an issue that a person resolved, which has recovered then', async () => {
    await using d = await deciding();
    const { issueId } = await fires(d, EARLY);
    const id = issueId ?? '';
    const now = d.clock.now();
    await d.store.issues.rewrite(id, {
      isOpen: false,
      status: 'resolved',
      state: 'created',
      statusSince: now,
    });
    await recovers(d, LATEST);
    expect(await fires(d, LATER)).toMatchObject({ decision: 'repeat', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({ isOpen: true, recoveredAt: expect.any(Number) });
  });

  it('more than an hour later fires: that was another time', async () => {
    await using d = await deciding();
    await recovers(d, LATER);
    await d.clock.sleep(61 * 60_000);
    const { issueId } = await fires(d, EARLY);
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ recoveredAt: null });
  });

  it('has recovered where its tool said so in its thread, in other words than its own', async () => {
    await using d = await deciding();
    const status = { kind: 'resolved', fingerprint: 'a line of status' } as const;
    await d.alert(status, { ts: LATER, threadTs: EARLY });
    const { issueId } = await fires(d, EARLY);
    expect(issueId).toBe(issueIdOf('C1', EARLY));
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject(recovered);
  });

  it('fires where another tool said something in its thread', async () => {
    await using d = await deciding();
    const status = { kind: 'resolved', fingerprint: 'another', format: 'datadog' } as const;
    await d.alert(status, { ts: LATER, threadTs: EARLY });
    const { issueId } = await fires(d, EARLY);
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ recoveredAt: null });
  });
});

describe('an alert that comes after its own edit', () => {
  it('is filed where that only told something of it', async () => {
    await using d = await deciding();
    await d.alert({ kind: 'not_an_alert' }, { ts: EARLY, edited: true, note: 'Acknowledged by Bob' });
    const { issueId } = await fires(d, EARLY);
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ repeats: 0, recoveredAt: null });
    expect(await fires(d, EARLY)).toMatchObject({ decision: 'ignored', issueId });
  });

  it('is decided once: a twin of it changes nothing', async () => {
    await using d = await deciding();
    await recovers(d, EARLY, { edited: true });
    const { issueId } = await fires(d, EARLY);
    expect(await fires(d, EARLY)).toMatchObject({ decision: 'ignored', issueId });
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({
      repeats: 0,
      recoveredAt: expect.any(Number),
    });
  });

  it('fires where another message of it came meanwhile', async () => {
    await using d = await deciding();
    await recovers(d, EARLY, { edited: true });
    const { issueId } = await fires(d, LATER);
    expect(await fires(d, EARLY)).toMatchObject({ decision: 'repeat', issueId });
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ repeats: 1, recoveredAt: null });
  });
});
