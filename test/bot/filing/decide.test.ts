import { describe, expect, it } from 'vitest';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import type { DecisionResult, Occurrence } from '../../../src/bot/filing/occurrence.ts';
import { issueIdOf } from '../../../src/bot/filing/reference.ts';
import { anAlert } from '../../support/an-alert.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';

const TS = '1773748800.000100';
const ID = issueIdOf('C1', TS);

function consider({ store, clock }: TestStore, overrides: Partial<Occurrence> = {}): Promise<DecisionResult> {
  const seen: Occurrence = {
    channel: 'C1',
    ts: TS,
    threadTs: null,
    permalink: null,
    alert: anAlert(),
    sender: 'Alertmanager',
    byPerson: false,
    edited: false,
    note: null,
  };
  const limits = {
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
  };
  return considerMessage({ ...seen, ...overrides }, { store, clock, ...limits });
}

/** The card is in Slack; a refresh would make it due again. */
async function cardDelivered({ store }: TestStore, id = ID): Promise<void> {
  await store.outbox.delivered(`card:${id}`, 1);
}

const decisionOn = ({ store }: TestStore, ts = TS) => store.alerts.find('C1', ts);

describe('a message in a watched channel', () => {
  it('that fires becomes an issue to be created, with its card and 👀, and the reason is kept', async () => {
    await using opened = await openTestStore();
    expect(await consider(opened)).toEqual({ decision: 'filed', reason: 'new_alert', issueId: ID });
    expect(await theIssue(opened.store, ID)).toMatchObject({
      identity: 'cpu@production',
      state: 'pending',
      isOpen: true,
      status: 'investigating',
      channel: 'C1',
      threadTs: TS,
      source: 'alertmanager',
      requestedBy: null,
    });
    const eyes = { key: `reaction:C1:${TS}:eyes`, kind: 'reaction', payload: `{"name":"eyes","ts":"${TS}"}` };
    const card = { key: `card:${ID}`, kind: 'card', channel: 'C1', threadTs: TS };
    const due = (ms: number) => opened.store.outbox.due(opened.clock.now() + ms, 9);
    // The card waits for its number, but not for long.
    expect(await due(2_499)).toEqual([expect.objectContaining(eyes)]);
    expect(await due(2_500)).toEqual([expect.objectContaining(eyes), expect.objectContaining(card)]);
    expect(await decisionOn(opened)).toMatchObject({
      decision: 'filed',
      reason: 'new_alert',
      issueId: ID,
      kind: 'firing',
      fingerprint: 'cpu',
      identity: 'cpu@production',
      sender: 'Alertmanager',
      holdId: null,
    });
  });

  it('whose title another open issue has is titled with what tells it apart', async () => {
    await using opened = await openTestStore();
    const alert = (job: string) =>
      anAlert({
        fingerprint: job,
        basis: { source: 'generic', of: [], by: [{ key: 'job', text: job }], left: [] },
      });
    await consider(opened, { alert: alert('night-1') });
    const second = await consider(opened, { ts: '1773748801.000100', alert: alert('night-2') });
    const { title } = await theIssue(opened.store, second.issueId ?? '');
    expect(title).toBe(`${anAlert().title} (night-2)`);
  });

  it('that names no object says so on its card, and how to mend it', async () => {
    await using opened = await openTestStore();
    await consider(opened, { alert: anAlert({ isNameless: true }) });
    expect((await theIssue(opened.store, ID)).note).toMatch(/does not say what it is about.*Add the labels/u);
  });

  it('that contradicts itself says so on its card', async () => {
    await using opened = await openTestStore();
    await consider(opened, { alert: anAlert({ isContradicted: true }) });
    expect((await theIssue(opened.store, ID)).note).toMatch(/contradicts itself.*I read it as firing/u);
  });

  it('that is delivered twice is decided once', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await cardDelivered(opened);
    expect(await consider(opened)).toEqual({
      decision: 'ignored',
      reason: 'decided_before',
      issueId: ID,
    });
    expect(await theIssue(opened.store, ID)).toMatchObject({ repeats: 0 });
    expect(await intent(opened.store, `card:${ID}`)).toBe('idle');
    expect(await decisionOn(opened)).toMatchObject({ decision: 'filed' });
  });

  it('that repeats an open issue is counted on its card, and files nothing', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await cardDelivered(opened);
    await opened.clock.sleep(60_000);
    const again = await consider(opened, {
      ts: '1773748860.000100',
      alert: anAlert({ environment: 'prod' }),
    });
    expect(again).toEqual({
      decision: 'repeat',
      reason: 'already_open',
      issueId: ID,
    });
    expect(await theIssue(opened.store, ID)).toMatchObject({
      repeats: 1,
      lastRepeatAt: opened.clock.now(),
    });
    expect(await intent(opened.store, `card:${ID}`)).toBe('due');
    expect(await opened.store.issues.pending(opened.clock.now(), 9)).toHaveLength(1);
  });

  it('that fires in another environment is another issue', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    const other = await consider(opened, {
      ts: '1773748860.000100',
      alert: anAlert({ environment: 'staging' }),
    });
    expect(other.decision).toBe('filed');
    expect(other.issueId).not.toBe(ID);
  });

  it('that fires again after its issue was resolved is a new issue', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await opened.store.issues.rewrite(ID, { isOpen: false, status: 'resolved' });
    expect((await consider(opened, { ts: '1773748860.000100' })).decision).toBe('filed');
  });

  it('that recovers is noted on the open issue’s card', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await cardDelivered(opened);
    const recovery = { ts: '1773748860.000100', alert: anAlert({ kind: 'resolved' }) };
    expect(await consider(opened, recovery)).toEqual({
      decision: 'recovered',
      reason: 'recovered_noted',
      issueId: ID,
    });
    expect(await theIssue(opened.store, ID)).toMatchObject({ recoveredAt: opened.clock.now(), isOpen: true });
    expect(await intent(opened.store, `card:${ID}`)).toBe('due');
  });

  it('that recovers while nothing is open is ignored, and says why', async () => {
    await using opened = await openTestStore();
    expect(await consider(opened, { alert: anAlert({ kind: 'resolved' }) })).toEqual({
      decision: 'ignored',
      reason: 'no_open_issue',
      issueId: null,
    });
    expect(await opened.store.outbox.countDue()).toBe(0);
  });

  it('that a person wrote is not filed automatically', async () => {
    await using opened = await openTestStore();
    expect(await consider(opened, { byPerson: true })).toEqual({
      decision: 'ignored',
      reason: 'person_author',
      issueId: null,
      offerToAuthor: true,
    });
    expect(await opened.store.outbox.countDue()).toBe(0);
  });

  it.each([
    ['is no alert', anAlert({ kind: 'not_an_alert', fingerprint: null })],
    ['only acknowledges one', anAlert({ kind: 'not_an_alert' })],
    ['has no identity', anAlert({ fingerprint: null })],
  ])('that %s is left alone, and that is kept', async (_what, alert) => {
    await using opened = await openTestStore();
    await consider(opened, { alert });
    expect(await decisionOn(opened)).toMatchObject({ decision: 'not_an_alert', issueId: null });
    expect(await opened.store.outbox.countDue()).toBe(0);
  });

  it('at the same moment as others of its alert makes one issue with them', async () => {
    await using opened = await openTestStore();
    const decided = await Promise.all(['1.0', '2.0', '3.0', '3.0'].map((ts) => consider(opened, { ts })));
    expect(decided.map((d) => d.decision)).toEqual(['filed', 'repeat', 'repeat', 'ignored']);
    expect(await opened.store.issues.pending(opened.clock.now(), 9)).toHaveLength(1);
    expect(await theIssue(opened.store, issueIdOf('C1', '1.0'))).toMatchObject({ repeats: 2 });
  });
});

describe('an edit of a message', () => {
  it('that shows the recovery recovers its issue', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    const edit = await consider(opened, { edited: true, alert: anAlert({ kind: 'resolved' }) });
    expect(edit).toMatchObject({ decision: 'recovered', issueId: ID });
  });

  it('that shows the alert firing again after that ends the recovery', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await consider(opened, { edited: true, alert: anAlert({ kind: 'resolved' }) });
    const again = await consider(opened, { edited: true });
    expect(again).toMatchObject({ decision: 'repeat', issueId: ID });
    expect(await theIssue(opened.store, ID)).toMatchObject({ repeats: 1, recoveredAt: null });
  });

  it('such as a link’s preview changes nothing, not even the record of why it was filed', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await cardDelivered(opened);
    for (const alert of [anAlert(), anAlert({ kind: 'not_an_alert' })]) {
      expect(await consider(opened, { edited: true, alert })).toMatchObject({ decision: 'ignored' });
    }
    expect(await decisionOn(opened)).toMatchObject({ decision: 'filed', kind: 'firing', issueId: ID });
    expect(await theIssue(opened.store, ID)).toMatchObject({ repeats: 0, recoveredAt: null });
    expect(await intent(opened.store, `card:${ID}`)).toBe('idle');
  });

  it('that overtakes its message and reports nothing does not lose the alert', async () => {
    await using opened = await openTestStore();
    await consider(opened, { edited: true, alert: anAlert({ kind: 'not_an_alert' }) });
    expect(await consider(opened)).toMatchObject({ decision: 'filed', issueId: ID });
  });

  it('that makes another alert of it files that, beside the first', async () => {
    await using opened = await openTestStore();
    await consider(opened);
    await opened.clock.sleep(1_000);
    const other = await consider(opened, { edited: true, alert: anAlert({ fingerprint: 'disk' }) });
    expect(other.decision).toBe('filed');
    expect((await opened.store.issues.pending(opened.clock.now(), 9)).map((issue) => issue.id)).toEqual([
      ID,
      other.issueId,
    ]);
  });
});

describe('a message that a tool keeps for a group', () => {
  const alertUrl = 'http://am.example/#/alerts?receiver=slack';
  const group = (fingerprint: string, kind: 'firing' | 'resolved' = 'firing') =>
    anAlert({ fingerprint, kind, alertUrl });

  it('is one issue while the group grows, shrinks, is over and fires again by edits', async () => {
    await using opened = await openTestStore();
    await consider(opened, { alert: group('one') });
    const decisions = [];
    for (const alert of [group('two'), group('three'), group('one', 'resolved'), group('two')]) {
      decisions.push((await consider(opened, { edited: true, alert })).issueId);
    }
    expect(decisions).toEqual([ID, ID, ID, ID]);
    expect(await theIssue(opened.store, ID)).toMatchObject({ repeats: 1, recoveredAt: null });
    expect(await opened.store.issues.pending(opened.clock.now(), 9)).toHaveLength(1);
  });

  it('ends by a reply below it, though the group has other labels by then', async () => {
    await using opened = await openTestStore();
    await consider(opened, { alert: group('one') });
    const reply = { threadTs: TS, ts: '1773748860.000100' };
    expect(await consider(opened, { ...reply, alert: group('two') })).toMatchObject({ issueId: ID });
    const over = { ...reply, ts: '1773748870.000100', alert: group('three', 'resolved') };
    expect(await consider(opened, over)).toMatchObject({ decision: 'recovered', issueId: ID });
  });
});

async function filed(d: Deciding): Promise<{ ts: string; id: string }> {
  const { ts, issueId } = await d.alert();
  if (issueId === null) throw new Error('the alert was not filed');
  await d.store.outbox.delivered(`card:${issueId}`, 1);
  return { ts, id: issueId };
}

describe('what a tool says in the thread of its alert', () => {
  it('is a repeat or a recovery of that alert’s issue, whatever its own fingerprint', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    const worse = await d.alert({ fingerprint: 'other', severity: 'high' }, { threadTs: ts });
    expect(worse).toMatchObject({ decision: 'repeat', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({ repeats: 1, raisedSeverity: 'high' });
    const over = await d.alert({ fingerprint: 'other', kind: 'resolved' }, { threadTs: ts });
    expect(over).toMatchObject({ decision: 'recovered', issueId: id });
  });

  it('is another alert where another tool says it, and lives in that thread', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    const other = await d.alert({ format: 'grafana', fingerprint: 'other' }, { threadTs: ts });
    expect(other.decision).toBe('filed');
    expect(other.issueId).not.toBe(id);
    expect(await theIssue(d.store, other.issueId ?? '')).toMatchObject({ threadTs: ts });
  });
});

describe('an acknowledgement', () => {
  const note = 'Acknowledged by Ada';

  it('is noted on the card of its alert’s open issue, and is no alert', async () => {
    await using d = await deciding();
    const { id } = await filed(d);
    expect(await d.alert({ kind: 'not_an_alert' }, { note })).toMatchObject({
      decision: 'not_an_alert',
      reason: 'noted_update',
      issueId: id,
    });
    const issue = await theIssue(d.store, id);
    expect(issue).toMatchObject({ repeats: 0, recoveredAt: null });
    expect(JSON.parse(issue.note ?? '{}')).toEqual({ text: note, at: d.clock.now(), channel: 'C1' });
    expect(await intent(d.store, `card:${id}`)).toBe('due');
  });

  it('shown by an edit leaves on record what the message was filed as', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    await d.alert({ kind: 'not_an_alert' }, { note, ts, edited: true });
    expect(await d.store.alerts.find('C1', ts)).toMatchObject({ decision: 'filed', issueId: id });
    expect(JSON.parse((await theIssue(d.store, id)).note ?? '{}')).toMatchObject({ text: note });
  });

  it('of what is not filed, or by a person, changes nothing', async () => {
    await using d = await deciding();
    expect(await d.alert({ kind: 'not_an_alert' }, { note })).toMatchObject({ issueId: null });
    const { id } = await filed(d);
    await d.alert({ kind: 'not_an_alert' }, { note, byPerson: true });
    expect(await theIssue(d.store, id)).toMatchObject({ note: null });
  });
});

describe('an escalation', () => {
  it('raises the severity that is shown, by another message or by an edit; nothing lowers it', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    await d.alert({ severity: 'low' });
    expect(await theIssue(d.store, id)).toMatchObject({
      severity: 'medium',
      raisedSeverity: null,
      repeats: 1,
    });
    const edit = await d.alert({ severity: 'high' }, { ts, edited: true });
    expect(edit).toMatchObject({ decision: 'filed', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({ raisedSeverity: 'high', repeats: 1 });
    await d.alert({ severity: 'medium' });
    expect(await theIssue(d.store, id)).toMatchObject({ raisedSeverity: 'high', repeats: 2 });
  });
});

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
    expect(cards.map(({ key, threadTs, nextAt }) => [key, threadTs, nextAt])).toEqual([
      [`short:${id}:C2:${first.ts}`, first.ts, 0],
    ]);
    expect(await intent(d.store, `verdict:short:${id}:C2:${first.ts}:2`)).toBe('due');
  });

  it('of what has no number yet gets the short card alone, which waits for it as long as the card does', async () => {
    await using d = await deciding();
    const id = (await d.alert()).issueId ?? '';
    const { ts } = await d.alert({}, { channel: 'C2' });
    const { createdAt } = await theIssue(d.store, id);
    expect(await d.store.outbox.shortCards(id)).toMatchObject([{ nextAt: createdAt + 2_500 }]);
    expect(await intent(d.store, `verdict:short:${id}:C2:${ts}:0`)).toBeNull();
  });
});
