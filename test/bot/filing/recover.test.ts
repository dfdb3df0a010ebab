import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dismissHeld, fileHeld } from '../../../src/bot/filing/held.ts';
import type { Issue } from '../../../src/bot/store/issues.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { runs } from '../../support/property-runs.ts';

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
      reason: 'recovered_resolved',
    });
    const now = d.clock.now();
    expect(await theIssue(d.store, id)).toMatchObject({
      recoveredAt: now,
      wantedStatus: 'resolved',
      nextAt: 0,
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

const MINUTE = 60_000;

/** An open issue that the service has investigated. */
async function investigated(d: Deciding): Promise<string> {
  const id = await filed(d);
  const ended = { state: 'created', uuid: `uuid-${id}`, number: 1, endedVersion: 1 } as const;
  await d.store.issues.rewrite(id, { ...ended, status: 'ready_to_fix' });
  return id;
}

const payload = (name: string, ts: string) => JSON.stringify({ name, ts });
const reactionOn = (d: Deciding, ts: string) => d.store.outbox.get(`reaction:C1:${ts}:eyes`);

/** An issue that the service knows, investigated, then resolved so long ago. */
async function resolved(d: Deciding, minutesAgo: number, change: Partial<Issue> = {}): Promise<string> {
  const { issueId } = await d.alert();
  const id = issueId ?? '';
  const created = { state: 'created', uuid: `uuid-${id}`, number: 1, endedVersion: 1 } as const;
  await d.store.issues.rewrite(id, {
    ...created,
    status: 'resolved',
    isOpen: false,
    watched: false,
    statusSince: d.clock.now(),
    statusBefore: 'ready_to_fix',
    ...change,
  });
  await d.clock.sleep(minutesAgo * MINUTE);
  return id;
}

describe('an alert that fires again', () => {
  it('within the cool-down brings its issue back, to be investigated anew', async () => {
    await using d = await deciding();
    const id = await resolved(d, 29);
    expect(await d.alert()).toMatchObject({
      decision: 'repeat',
      reason: { code: 'fired_anew', minutes: 29 },
      issueId: id,
    });
    expect(await theIssue(d.store, id)).toMatchObject({
      isOpen: true,
      watched: true,
      status: 'investigating',
      wantedStatus: 'investigating',
      nextAt: 0,
      repeats: 1,
      version: 1,
      note: JSON.stringify({
        text: 'Fired again after it was over, so it is being investigated again',
        at: d.clock.now(),
      }),
    });
    expect(await d.store.issues.pending(d.clock.now(), 9)).toEqual([]);
  });

  it('after a recovery that nobody resolved is investigated anew, once the recovery has held', async () => {
    await using d = await deciding();
    const id = await investigated(d);
    const end = await d.alert(over);
    expect((await reactionOn(d, end.ts))?.payload).toBe(payload('white_check_mark', end.ts));
    await d.clock.sleep(MINUTE);
    expect(await d.alert()).toMatchObject({ decision: 'repeat', reason: 'already_open', issueId: id });
    await d.alert(over);
    await d.clock.sleep(2 * MINUTE);
    const anew = await d.alert();
    expect(anew).toMatchObject({ decision: 'repeat', reason: { code: 'fired_anew', minutes: 2 } });
    expect(await theIssue(d.store, id)).toMatchObject({
      status: 'investigating',
      wantedStatus: 'investigating',
      recoveredAt: null,
      repeats: 2,
    });
    // Its message shows what becomes of the issue, and has the way to it.
    expect(await reactionOn(d, anew.ts)).toMatchObject({ issueId: id, payload: payload('eyes', anew.ts) });
    expect(await intent(d.store, `sign:C1:${anew.ts}`)).toBe('due');
  });

  it('within minutes of a recovery is investigated anew where something was changed since', async () => {
    await using d = await deciding();
    const id = await investigated(d);
    const { investigatingSince } = await theIssue(d.store, id);
    const changed = async (at: number) => {
      const timeline = [{ type: 'change', title: 'payments 2.40', timestamp: new Date(at).toISOString() }];
      await d.store.results.save(id, 1, JSON.stringify({ timeline }), d.clock.now());
      await d.alert(over);
      await d.clock.sleep(MINUTE);
      return (await d.alert()).reason;
    };
    expect(await changed(investigatingSince - 1)).toBe('already_open');
    expect(await changed(investigatingSince + 1)).toMatchObject({ code: 'fired_anew' });
  });

  it('a third time within the cool-down is flapping: counted, and not looked at', async () => {
    await using d = await deciding();
    const id = await investigated(d);
    const again = async () => {
      await d.store.issues.rewrite(id, { status: 'ready_to_fix', wantedStatus: null });
      await d.alert(over);
      await d.clock.sleep(4 * MINUTE);
      return (await d.alert()).reason;
    };
    expect(await again()).toMatchObject({ code: 'fired_anew' });
    expect(await again()).toEqual({ code: 'flapping', times: 3, minutes: 30 });
    expect(await again()).toEqual({ code: 'flapping', times: 4, minutes: 30 });
    expect(await theIssue(d.store, id)).toMatchObject({
      status: 'ready_to_fix',
      wantedStatus: null,
      repeats: 3,
    });
    // It is calm for as long as the cool-down, and then fires again.
    await d.clock.sleep(30 * MINUTE);
    expect(await again()).toMatchObject({ code: 'fired_anew' });
  });

  it('while its investigation runs, while it is muted, or before the service has it, is only counted', async () => {
    for (const change of [{ endedVersion: 0 }, { status: 'muted' }, { state: 'pending' }] as const) {
      await using d = await deciding();
      const id = await investigated(d);
      await d.alert(over);
      await d.store.issues.rewrite(id, change);
      await d.clock.sleep(5 * MINUTE);
      expect(await d.alert()).toMatchObject({ decision: 'repeat', reason: 'already_open', issueId: id });
      expect((await theIssue(d.store, id)).wantedStatus).toBeNull();
    }
  });

  it('in a message that its own recovery has overtaken is of the episode that is over', async () => {
    await using d = await deciding();
    const id = await investigated(d);
    const late = ((d.clock.now() + 500) / 1_000).toFixed(6);
    await d.alert(over);
    await d.clock.sleep(5 * MINUTE);
    expect(await d.alert({}, { ts: late })).toMatchObject({ reason: 'already_open', issueId: id });
    expect((await theIssue(d.store, id)).recoveredAt).not.toBeNull();
  });

  it('later is a new issue that names the earlier one and its root cause', async () => {
    await using d = await deciding();
    const id = await resolved(d, 0);
    const { statusSince } = await theIssue(d.store, id);
    const results = { rootCause: { rootCauseSummary: 'The pool was full.' } };
    await d.store.results.save(id, 1, JSON.stringify(results), d.clock.now());
    await d.clock.sleep(30 * MINUTE);
    const anew = await d.alert();
    expect(anew.decision).toBe('filed');
    const issue = await theIssue(d.store, anew.issueId ?? '');
    expect(JSON.parse(issue.earlier ?? 'null')).toEqual({
      number: 1,
      resolvedAt: statusSince,
      rootCause: 'The pool was full.',
    });
    expect(JSON.parse(issue.request).description).toContain('Earlier: #1, resolved');
  });

  it('does not name an earlier issue that lives in another, private channel', async () => {
    await using d = await deciding();
    await resolved(d, 31);
    const elsewhere = await d.alert({}, { channel: 'C2' });
    expect(await theIssue(d.store, elsewhere.issueId ?? '')).toMatchObject({ earlier: null });
  });

  it.each<[string, number, Partial<Issue>, string]>([
    ['which was muted, and the mute still runs: muted', 5, { mutedUntil: Number.MAX_SAFE_INTEGER }, 'muted'],
    ['which was muted, and the mute has ended: looked at anew', 5, { mutedUntil: 1 }, 'investigating'],
    [
      'resolved while it was investigated, which has ended: looked at anew',
      5,
      { statusBefore: 'investigating' },
      'investigating',
    ],
    ['that recovered just before: as it was', 5, { recoveredAt: Number.MAX_SAFE_INTEGER }, 'ready_to_fix'],
    [
      'resolved while it was investigated, which goes on',
      5,
      { statusBefore: 'investigating', endedVersion: 0 },
      'investigating',
    ],
    ['resolved before anybody saw its status', 5, { statusBefore: null }, 'investigating'],
  ])('%s', async (_what, minutes, change, status) => {
    await using d = await deciding();
    const id = await resolved(d, minutes, change);
    expect(await d.alert()).toMatchObject({ issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({ status, wantedStatus: status });
  });

  it('of an issue that was deleted, attached or could not be filed is new', async () => {
    await using d = await deciding();
    for (const change of [{ state: 'gone' }, { joinedInto: 'other' }, { state: 'failed' }] as const) {
      const id = await resolved(d, 1, change);
      const anew = await d.alert();
      expect(anew.decision).toBe('filed');
      expect(anew.issueId).not.toBe(id);
      await d.store.issues.rewrite(anew.issueId ?? '', { isOpen: false, state: 'gone' });
    }
  });

  it('comes back for as long as the channel says that the issue lives in', async () => {
    await using d = await deciding();
    await d.settings({ coolDownMinutes: 5 }, 'C1');
    await d.settings({ coolDownMinutes: 500 }, 'C2');
    const id = await resolved(d, 4);
    expect(await d.alert({}, { channel: 'C2' })).toMatchObject({ decision: 'repeat', issueId: id });
    await d.store.issues.rewrite(id, { isOpen: false, status: 'resolved', statusSince: d.clock.now() });
    await d.clock.sleep(6 * MINUTE);
    expect((await d.alert({}, { channel: 'C2' })).decision).toBe('filed');
  });
});

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
      reason: { code: 'held', by: reason, isOver: true },
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
      reason: 'late_recovery',
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
      reason: 'over_before_suggested',
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
      reason: 'late_recovery',
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
  it('is counted on its issue, which stays recovered as it was', async () => {
    await using d = await deciding();
    const { issueId } = await fires(d, EARLY);
    await recovers(d, LATEST);
    const at = (await theIssue(d.store, issueId ?? '')).recoveredAt;
    expect(await fires(d, LATER)).toMatchObject({ decision: 'repeat', issueId });
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ repeats: 1, recoveredAt: at });
  });

  it('ends its issue again where the recovery had resolved that', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' });
    const { issueId } = await fires(d, EARLY);
    await recovers(d, LATEST);
    const id = issueId ?? '';
    const resolved = { isOpen: false, status: 'resolved', wantedStatus: null, state: 'created' } as const;
    await d.store.issues.rewrite(id, { ...resolved, statusSince: d.clock.now() });
    expect(await fires(d, LATER)).toMatchObject({ decision: 'repeat', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({
      wantedStatus: 'resolved',
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

/** A channel in which an alert was filed, whose issue the service has. */
async function filedLate(settings: Parameters<Awaited<ReturnType<typeof deciding>>['settings']>[0] = {}) {
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
    const d = await filedLate({ onRecovery: 'resolve' });
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
    const d = await filedLate();
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
    expect(await d.store.alerts.hasUndecided(hold.id)).toBe(true);
  });
});

const BEGIN = 1_773_748_800;

/** What Slack tells of one alert, and when it was posted; a person may resolve the issue in between. */
interface Happening {
  at: number;
  what: 'fires' | 'recovers' | 'resolved by a person';
}

/** What there is in the end; `null` if a person resolved an issue that was not there yet. */
async function outcomeOf(events: readonly Happening[]) {
  await using d = await deciding();
  let issueId: string | null = null;
  let filed = 0;
  for (const { at, what } of events) {
    const ts = `${BEGIN + at}.000100`;
    if (what === 'resolved by a person') {
      if (issueId === null) return null;
      const act = { subject: `issue:${uuidOf(1)}`, ts, receivedAt: 1, who: 'U1', what: 'resolved it' };
      await d.store.acts.take(act, d.clock.now());
      const resolved = { status: 'resolved', statusSince: d.clock.now(), isOpen: false };
      await d.store.issues.rewrite(issueId, resolved);
      continue;
    }
    const decided = await d.alert({ kind: what === 'fires' ? 'firing' : 'resolved' }, { ts });
    if (decided.decision !== 'filed' || decided.issueId === null) continue;
    filed += 1;
    issueId = decided.issueId;
    const created = { state: 'created', uuid: uuidOf(1), number: 1, status: 'ready_to_fix' } as const;
    await d.store.issues.rewrite(issueId, created);
  }
  if (issueId === null) return null;
  const { status, wantedStatus, isOpen, repeats, recoveredAt } = await theIssue(d.store, issueId);
  return { filed, status: wantedStatus ?? status, isOpen, repeats, isRecovered: recoveredAt !== null };
}

/** Events in the order in which they were posted, and in one in which they may arrive. */
const deliveries = fc
  .array(fc.constantFrom('fires' as const, 'recovers' as const), { minLength: 2, maxLength: 4 })
  .chain((posted) =>
    fc.record({
      posted: fc.constant(posted),
      resolvedAfter: fc.option(fc.integer({ min: 1, max: posted.length }), { freq: 4 }),
      place: fc.nat(5),
      arrived: fc.shuffledSubarray([...posted.keys()], { minLength: posted.length }),
    }),
  )
  .map(({ posted, resolvedAfter, place, arrived }) => {
    const events: Happening[] = posted.map((what, n) => ({ at: n * 10, what }));
    const arriving = arrived.flatMap((n) => events[n] ?? []);
    if (resolvedAfter !== null) {
      const press: Happening = { at: resolvedAfter * 10 - 5, what: 'resolved by a person' };
      events.splice(resolvedAfter, 0, press);
      // Only what was posted before it may arrive after it.
      const newer = arriving.findIndex(({ at }) => at > press.at);
      arriving.splice(place % ((newer < 0 ? arriving.length : newer) + 1), 0, press);
    }
    return { events, arriving };
  });

it('what is told of one alert ends the same in whatever order it arrives', async () => {
  const property = fc.asyncProperty(deliveries, async ({ events, arriving }) => {
    const [inOrder, inAny] = [await outcomeOf(events), await outcomeOf(arriving)];
    if (inOrder === null || inAny === null) return;
    // Whether a recovery is noted on an issue that somebody has resolved depends on which was heard of first.
    const isEither =
      events.some(({ what }) => what === 'resolved by a person') && lastWord(events) === 'recovers';
    expect(inAny).toEqual(isEither ? { ...inOrder, isRecovered: inAny.isRecovered } : inOrder);
  });
  await fc.assert(property, { numRuns: runs(100) });
});

function lastWord(events: readonly Happening[]): string | undefined {
  return events.findLast(({ what }) => what !== 'resolved by a person')?.what;
}
