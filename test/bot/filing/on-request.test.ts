import { describe, expect, it, onTestFinished } from 'vitest';
import { type Occurrence, seenOfRow } from '../../../src/bot/filing/occurrence.ts';
import {
  fileForPerson,
  fileOnRequest,
  type IssueEdit,
  issueOfMessage,
} from '../../../src/bot/filing/on-request.ts';
import { issueIdOf } from '../../../src/bot/filing/reference.ts';
import { splitIssue } from '../../../src/bot/filing/split-attach.ts';
import { anAlert } from '../../support/an-alert.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';

const TS = '1773748800.000100';
const ID = issueIdOf('C1', TS);
const LINK = 'https://acme.slack.com/archives/C1/p1773748800000100';

async function requesting() {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  const seenAs = (overrides: Partial<Occurrence> = {}): Occurrence => ({
    channel: 'C1',
    ts: TS,
    threadTs: null,
    permalink: LINK,
    alert: anAlert(),
    sender: 'Alertmanager',
    byPerson: false,
    edited: false,
    note: null,
    ...overrides,
  });
  const file = (overrides: Partial<Occurrence> = {}, by = 'U1', changed: IssueEdit | null = null) =>
    fileOnRequest(seenAs(overrides), by, { store: d.store, ...d.options }, changed);
  const known = (overrides: Partial<Occurrence> = {}) =>
    issueOfMessage(seenAs(overrides), { store: d.store, defaultEnvironment: 'production' });
  return { ...d, file, known };
}

const edit: IssueEdit = {
  title: 'Checkout is down',
  description: 'Nobody can pay.',
  severity: 'high',
  environment: 'stg',
  service: 'checkout',
  alertUrl: null,
  host: null,
  errorMessage: 'boom',
};

describe('a request to file a message', () => {
  it('files it with the person’s name, 👀 and a line in the audit', async () => {
    const r = await requesting();
    expect(await r.file()).toEqual({ issueId: ID, became: 'filed' });
    expect(await theIssue(r.store, ID)).toMatchObject({ requestedBy: 'U1', identity: 'cpu@production' });
    expect(await intent(r.store, `reaction:C1:${TS}:eyes`)).toBe('due');
    expect(await r.store.audit.of(ID)).toEqual([{ at: r.clock.now(), who: 'U1', what: 'filed it' }]);
    expect(await r.store.alerts.find('C1', TS)).toMatchObject({
      decision: 'filed',
      reason: 'requested',
    });
  });

  it('by two people at one moment is one issue, and the second is told', async () => {
    const r = await requesting();
    const both = await Promise.all([r.file({}, 'U1'), r.file({}, 'U2')]);
    expect(both.map(({ became }) => became).sort()).toEqual(['already', 'filed']);
    expect(await r.store.issues.pending(r.clock.now(), 10)).toHaveLength(1);
    expect(await r.store.audit.of(ID)).toHaveLength(1);
  });

  it('whose alert has an open issue is counted there, once', async () => {
    const r = await requesting();
    const { issueId } = await r.alert();
    expect(await r.file()).toEqual({ issueId, became: 'counted' });
    expect(await r.file()).toEqual({ issueId, became: 'already' });
    expect(await theIssue(r.store, issueId ?? '')).toMatchObject({ repeats: 1 });
  });

  it('for a recovery names the open issue, and counts no firing', async () => {
    const r = await requesting();
    const { issueId } = await r.alert();
    expect(await r.file({ alert: anAlert({ kind: 'resolved' }) })).toEqual({ issueId, became: 'already' });
    expect(await theIssue(r.store, issueId ?? '')).toMatchObject({ repeats: 0 });
  });

  it('overrides the channel’s rules and a pause', async () => {
    const r = await requesting();
    await r.settings({ exclude: ['CPU'], mode: 'suggest' });
    await r.store.flags.pause({ by: 'U2', at: 0 });
    expect(await r.file()).toMatchObject({ became: 'filed' });
  });

  it('for a message whose issue was deleted at the service files a new one', async () => {
    const r = await requesting();
    await r.file();
    await r.store.issues.rewrite(ID, { state: 'gone', isOpen: false });
    const again = await r.file();
    expect(again).toEqual({ issueId: expect.not.stringMatching(ID), became: 'filed' });
    expect(await r.file()).toEqual({ ...again, became: 'already' });
  });
});

describe('a request with what a person changed', () => {
  it('sends the changed fields, and stays the same problem as the alert', async () => {
    const r = await requesting();
    const alert = anAlert({ environment: 'production', host: 'web-1', version: '1.2', title: 'CPU is high' });
    await r.file({ alert }, 'U1', edit);
    const issue = await theIssue(r.store, ID);
    expect(issue).toMatchObject({ identity: 'cpu@production', environment: 'staging', severity: 'high' });
    expect(JSON.parse(issue.request)).toEqual({
      title: 'Checkout is down',
      description: expect.stringMatching(/^Nobody can pay\.\n/),
      environment: 'staging',
      severity: 'high',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      context: {
        service: 'checkout',
        errorMessage: 'boom',
        version: '1.2',
        metadata: { source: 'alertmanager', fingerprint: 'cpu', channel: 'C1', slackTs: TS },
      },
    });
  });

  it('files again what is resolved; without a change that is left to the card’s Reopen', async () => {
    const r = await requesting();
    await r.file();
    await r.store.issues.rewrite(ID, { state: 'created', isOpen: false, status: 'resolved' });
    expect(await r.known()).toMatchObject({ id: ID, isOpen: false });
    expect(await r.file()).toEqual({ issueId: ID, became: 'already' });
    const anew = await r.file({}, 'U1', edit);
    expect(anew).toEqual({ issueId: expect.not.stringMatching(ID), became: 'filed' });
    expect(await r.file({}, 'U1', edit)).toEqual({ ...anew, became: 'already' });
  });
});

describe('the issue of a message', () => {
  it('is its own, or the open one of the same alert, or none', async () => {
    const r = await requesting();
    expect(await r.known()).toBeNull();
    const { issueId } = await r.alert();
    expect(await r.known()).toMatchObject({ id: issueId });
    expect(await r.known({ alert: anAlert({ fingerprint: 'other' }) })).toBeNull();
    expect(await r.known({ alert: anAlert({ fingerprint: null }) })).toBeNull();
  });
});

const MINUTE_MS = 60_000;
const REQUEST = { title: 'Checkout is slow', description: 'Nobody can pay.', environment: 'production' };

function byHand(d: Deciding, id: string, by = 'U1') {
  const wish = { id, channel: 'C1', by, request: REQUEST, now: d.clock.now() };
  return fileForPerson(wish, { store: d.store, ...d.options });
}

async function fileMany(d: Deciding, from: number, to: number, by = 'U1'): Promise<void> {
  for (let n = from; n < to; n += 1) expect(await byHand(d, `i${n}`, by)).toBeNull();
}

function waitOf(refused: Awaited<ReturnType<typeof byHand>>): number {
  return refused !== null && 'waitMs' in refused ? refused.waitMs : 0;
}

describe('what people file', () => {
  it('uses up nothing of what alerts may: neither the day’s limit, nor the channel’s budget, nor is it a storm', async () => {
    await using d = await deciding({ maxIssuesPerDay: 1 });
    await d.settings({ budget: { issues: 1, minutes: 10 } });
    await fileMany(d, 0, 25);
    for (let n = 0; n < 12; n += 1) {
      const { ts } = await d.alert({ kind: 'not_an_alert', title: `t${n}`, fingerprint: `p${n}` });
      const row = await d.store.alerts.find('C1', ts);
      if (!row) throw new Error('it is on record');
      const seen = seenOfRow(row, null);
      const fired = { ...seen, alert: { ...seen.alert, kind: 'firing' as const } };
      const { became } = await fileOnRequest(fired, `U${n}`, { store: d.store, ...d.options });
      expect(became).toBe('filed');
    }
    expect((await d.alert({ title: 'Disk is full', fingerprint: 'disk' })).decision).toBe('filed');
    const held = await d.alert({ title: 'CPU is high', fingerprint: 'cpu' });
    expect(held.reason).toMatchObject({ code: 'held', by: 'budget', limit: 1 });
  });
});

describe('a person’s limit', () => {
  it('holds over every way of filing, each person’s for themselves, until their first issue is an hour old', async () => {
    await using d = await deciding({ filePerUserHour: 3 });
    const began = d.clock.now();
    await fileMany(d, 0, 2);
    const first = await d.alert({ title: 'Errors on web-1' });
    const other = await d.alert({ title: 'Errors on web-2' });
    const wish = { issueId: first.issueId ?? '', channel: 'C1', ts: other.ts, permalink: null, by: 'U1' };
    const own = await splitIssue({ ...wish, cause: 'V1' }, { store: d.store, ...d.options });
    expect(own).toEqual(expect.any(String));
    const third = await d.alert({ title: 'Errors on web-3' });
    const waitMs = 60 * MINUTE_MS - (d.clock.now() - began);
    const limit = { perHour: 3, waitMs: expect.any(Number) };

    const refused = await byHand(d, 'i9');
    expect(refused).toEqual(limit);
    expect(Math.abs(waitOf(refused) - waitMs)).toBeLessThanOrEqual(2_000);
    expect(
      await splitIssue({ ...wish, ts: third.ts, cause: 'V2' }, { store: d.store, ...d.options }),
    ).toEqual(limit);
    const { ts } = await d.alert({ kind: 'not_an_alert', title: 'hm', fingerprint: 'p' });
    const row = await d.store.alerts.find('C1', ts);
    if (!row) throw new Error('it is on record');
    const options = { store: d.store, ...d.options };
    expect(await fileOnRequest(seenOfRow(row, null), 'U1', options)).toEqual({ became: 'refused', limit });
    expect(await byHand(d, 'i10', 'U2')).toBeNull();
    expect(await d.store.issues.get('i9')).toBeNull();

    await d.clock.sleep(waitOf(refused));
    expect(await byHand(d, 'i9')).toBeNull();
  });

  it('is not in the way of a command that is taken up again, nor of what only joins an open issue', async () => {
    await using d = await deciding({ filePerUserHour: 1 });
    await fileMany(d, 0, 1);
    expect(await byHand(d, 'i0')).toBeNull();
    await d.alert({ title: 'Disk is full', fingerprint: 'disk' });
    const repeat = await d.alert({ title: 'Disk is full', fingerprint: 'disk' });
    const row = await d.store.alerts.find('C1', repeat.ts);
    if (!row) throw new Error('it is on record');
    const requested = await fileOnRequest(seenOfRow(row, null), 'U1', { store: d.store, ...d.options });
    expect(requested.became).toBe('already');
  });
});
