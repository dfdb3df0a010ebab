import { describe, expect, it } from 'vitest';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import { dismissHeld, fileHeld, heldAlertGroups } from '../../../src/bot/filing/held.ts';
import type { Occurrence } from '../../../src/bot/filing/occurrence.ts';
import { issueIdOf } from '../../../src/bot/filing/reference.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import type { Hold } from '../../../src/bot/store/holds.ts';
import { anAlert } from '../../support/an-alert.ts';
import { auditOf } from '../../support/audit.ts';
import { addCreated, intent, theIssue } from '../../support/issues.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';

const T0 = 1773748800;

const optionsOf = ({ store, clock }: TestStore) => ({
  store,
  clock,
  defaultEnvironment: 'production',
  maxIssuesPerDay: 500,
  needsConsent: async () => false,
  permalink: (channel: string, ts: string) => `https://acme.slack.com/archives/${channel}/p${ts}`,
});

function fire(opened: TestStore, name: string, second: number, more: Partial<Occurrence> = {}) {
  const seen: Occurrence = {
    channel: 'C1',
    ts: `${T0 + second}.000100`,
    threadTs: null,
    permalink: null,
    alert: anAlert({ title: `${name} fails`, fingerprint: name }),
    sender: 'Alertmanager',
    byPerson: false,
    edited: false,
    note: null,
    ...more,
  };
  return considerMessage(seen, optionsOf(opened));
}

const recovers = (name: string) => ({ alert: anAlert({ kind: 'resolved', fingerprint: name }) });
const ts = (second: number) => `${T0 + second}.000100`;

/** A channel whose budget is one issue, which is used up: `disk` twice and `cpu` are held. */
async function held(opened: TestStore): Promise<Hold> {
  const settings = ChannelSettings.parse({ budget: { issues: 1, minutes: 10 } });
  await opened.store.channels.watch('C1', settings, '0');
  await fire(opened, 'first', 0);
  await fire(opened, 'disk', 1);
  await fire(opened, 'cpu', 2);
  await fire(opened, 'disk', 3);
  return theHold(opened);
}

async function theHold({ store }: TestStore): Promise<Hold> {
  const hold = await store.holds.current('C1', false, 0);
  if (hold === null) throw new Error('nothing is held');
  return hold;
}

async function reactionOn({ store }: TestStore, at: string): Promise<unknown> {
  return JSON.parse((await store.outbox.get(`reaction:C1:${at}:eyes`))?.payload ?? 'null');
}

async function rowsOf({ store }: TestStore, hold: Hold) {
  const rows = await store.alerts.inHold(hold.id);
  return rows.map((row) => [row.ts, row.decision, row.outcome, row.issueId]);
}

async function statesOf({ store }: TestStore, hold: Hold) {
  const problems = await heldAlertGroups(store, hold.id);
  return problems.map(({ alert, state, messages }) => [alert.fingerprint, state, messages]);
}

const DISK = issueIdOf('C1', ts(1));
const CPU = issueIdOf('C1', ts(2));

describe('File all', () => {
  it('files each problem once, in the thread of its oldest message, and counts the others', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    await opened.store.outbox.delivered(`held:${hold.id}`, 3);
    expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 2, joined: 0 });
    expect(await rowsOf(opened, hold)).toEqual([
      [ts(1), 'filed', 'filed', DISK],
      [ts(2), 'filed', 'filed', CPU],
      [ts(3), 'repeat', 'joined', DISK],
    ]);
    expect(await theIssue(opened.store, DISK)).toMatchObject({
      state: 'pending',
      identity: 'disk@production',
      threadTs: ts(1),
      repeats: 1,
      lastAction: expect.stringContaining('"userId":"U1"'),
    });
    expect(await theIssue(opened.store, CPU)).toMatchObject({ threadTs: ts(2), repeats: 0 });
    expect(await intent(opened.store, `card:${DISK}`)).toBe('due');
    // What was on hold says so until it is filed.
    expect(await reactionOn(opened, ts(1))).toEqual({ name: 'eyes', ts: ts(1) });
    expect(await reactionOn(opened, ts(3))).toEqual({ name: 'double_vertical_bar', ts: ts(3) });
    expect(await intent(opened.store, `sign:C1:${ts(3)}`)).toBe('due');
    expect(await opened.store.holds.get(hold.id)).toMatchObject({ state: 'closed' });
    expect(await intent(opened.store, `held:${hold.id}`)).toBe('due');
    expect(await opened.store.audit.of(CPU)).toEqual([
      { at: opened.clock.now(), who: 'U1', what: 'filed it from the held alerts' },
    ]);
  });

  it('pressed by two people at once files nothing twice', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    const both = await Promise.all(['U1', 'U2'].map((by) => fileHeld(hold, 'all', by, optionsOf(opened))));
    expect(both).toEqual([
      { filed: 2, joined: 0 },
      { filed: 0, joined: 0 },
    ]);
    expect(await theIssue(opened.store, DISK)).toMatchObject({ repeats: 1 });
    expect(await opened.store.issues.pending(opened.clock.now(), 9)).toHaveLength(3);
  });

  it('counts on the issue that was opened meanwhile, and leaves what that says of its recovery', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    await addCreated(opened.store, opened.clock.now(), {
      id: 'other',
      identity: 'disk@production',
      channel: 'C2',
      number: 7,
    });
    await opened.store.issues.rewrite('other', { recoveredAt: 5 });
    expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 1, joined: 1 });
    expect(await theIssue(opened.store, 'other')).toMatchObject({ repeats: 2, recoveredAt: 5 });
    expect(await intent(opened.store, `short:other:C1:${ts(1)}`)).toBe('due');
    expect(await statesOf(opened, hold)).toEqual([
      ['disk', 'joined', 2],
      ['cpu', 'filed', 1],
    ]);
  });

  it('raises the severity where a later message was more severe', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    const severe = anAlert({ title: 'cpu fails', fingerprint: 'cpu', severity: 'high' });
    await fire(opened, 'cpu', 4, { alert: severe });
    await fileHeld(hold, 'all', 'U1', optionsOf(opened));
    expect(await theIssue(opened.store, CPU)).toMatchObject({ severity: 'medium', raisedSeverity: 'high' });
  });

  it('leaves what recovered by itself', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    await fire(opened, 'disk', 4, recovers('disk'));
    expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 1, joined: 0 });
    expect(await statesOf(opened, hold)).toEqual([
      ['disk', 'recovered', 2],
      ['cpu', 'filed', 1],
    ]);
  });

  it('tells apart what people told apart after it was held', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    const other = anAlert({ title: 'disk fails on host B', fingerprint: 'disk', host: 'b' });
    await fire(opened, 'disk', 4, { alert: other });
    const [row] = (await opened.store.alerts.inHold(hold.id)).slice(-1);
    await opened.store.identityOverrides.apart('disk@production', row?.detail ?? '', 'apart@production');
    expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 3, joined: 0 });
    expect(await theIssue(opened.store, issueIdOf('C1', ts(4)))).toMatchObject({
      identity: 'apart@production',
      repeats: 0,
    });
  });

  it('files under another id what the message had been filed as before it was edited', async () => {
    await using opened = await openTestStore();
    const settings = ChannelSettings.parse({ budget: { issues: 1, minutes: 10 }, coolDownMinutes: 0 });
    await opened.store.channels.watch('C1', settings, '0');
    await fire(opened, 'first', 0);
    await opened.store.issues.rewrite(issueIdOf('C1', ts(0)), { isOpen: false, status: 'resolved' });
    await opened.clock.sleep(60_000);
    await fire(opened, 'first', 0, { ...recovers('first'), edited: true });
    await fire(opened, 'second', 1);
    await fire(opened, 'first', 0, { edited: true });
    const hold = await theHold(opened);
    expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 1, joined: 0 });
    const [row] = await opened.store.alerts.inHold(hold.id);
    expect(row?.issueId).not.toBe(issueIdOf('C1', ts(0)));
    expect(await theIssue(opened.store, row?.issueId ?? '')).toMatchObject({
      state: 'pending',
      isOpen: true,
    });
  });
});

describe('what is chosen', () => {
  it('is filed, whichever of its messages names it; the rest stays on hold', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    expect(await fileHeld(hold, [ts(3)], 'U1', optionsOf(opened))).toEqual({ filed: 1, joined: 0 });
    expect(await statesOf(opened, hold)).toEqual([
      ['disk', 'filed', 2],
      ['cpu', 'waiting', 1],
    ]);
    expect(await opened.store.holds.get(hold.id)).toMatchObject({ state: 'rolling' });
  });

  it('is filed although it recovered, and the issue says so', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    await fire(opened, 'disk', 4, recovers('disk'));
    expect(await fileHeld(hold, [ts(1)], 'U1', optionsOf(opened))).toEqual({ filed: 1, joined: 0 });
    expect(await theIssue(opened.store, DISK)).toMatchObject({
      repeats: 1,
      recoveredAt: opened.clock.now(),
    });
  });

  it('of another hold, or of none, files nothing', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    expect(await fileHeld(hold, [ts(0), '1.0'], 'U1', optionsOf(opened))).toEqual({ filed: 0, joined: 0 });
  });
});

describe('Dismiss', () => {
  it('files nothing, keeps who did it, and leaves what was decided before', async () => {
    await using opened = await openTestStore();
    const hold = await held(opened);
    await fileHeld(hold, [ts(2)], 'U1', optionsOf(opened));
    expect(await dismissHeld(hold, 'U2', opened)).toBe(2);
    expect(await dismissHeld(hold, 'U3', opened)).toBe(0);
    expect(await statesOf(opened, hold)).toEqual([
      ['disk', 'dismissed', 2],
      ['cpu', 'filed', 1],
    ]);
    expect(await opened.store.holds.get(hold.id)).toMatchObject({ state: 'closed', dismissedBy: 'U2' });
    expect(auditOf(opened.file).at(-1)).toBe('U2 dismissed 2 held messages in C1');
    expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 0, joined: 0 });
  });

  it('of an alert that fires again later does not hold it back for ever', async () => {
    await using opened = await openTestStore();
    await dismissHeld(await held(opened), 'U2', opened);
    await opened.clock.sleep(11 * 60_000);
    expect((await fire(opened, 'disk', 700)).decision).toBe('filed');
  });
});

it('a held alert whose stored text is damaged does not hold up the others, and is filed with the other columns of its row', async () => {
  await using opened = await openTestStore();
  const hold = await held(opened);
  const row = await opened.store.alerts.find('C1', ts(2));
  if (row === null) throw new Error('cpu is held');
  await opened.store.alerts.record({ ...row, decision: 'held', alert: '{"kind":"fir' });
  expect(await statesOf(opened, hold)).toEqual([
    ['disk', 'waiting', 2],
    ['cpu', 'waiting', 1],
  ]);
  expect(await fileHeld(hold, 'all', 'U1', optionsOf(opened))).toEqual({ filed: 2, joined: 0 });
  expect(await theIssue(opened.store, issueIdOf('C1', ts(2)))).toMatchObject({
    title: 'Alert with damaged stored text',
    identity: 'cpu@production',
  });
});
