import { describe, expect, it } from 'vitest';
import { fileForPerson } from '../../../src/bot/filing/file-for-person.ts';
import { fileOnRequest } from '../../../src/bot/filing/on-request.ts';
import { splitIssue } from '../../../src/bot/filing/split-issue.ts';
import { seenOfRow } from '../../../src/bot/filing/stored-alert.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';

const MINUTE_MS = 60_000;
const REQUEST = { title: 'Checkout is slow', description: 'Nobody can pay.', environment: 'production' };

function waitOf(refused: Awaited<ReturnType<typeof byHand>>): number {
  return refused !== null && 'waitMs' in refused ? refused.waitMs : 0;
}

function byHand(d: Deciding, id: string, by = 'U1') {
  const wish = { id, channel: 'C1', by, request: REQUEST, now: d.clock.now() };
  return fileForPerson(wish, { store: d.store, ...d.options });
}

async function fileMany(d: Deciding, from: number, to: number, by = 'U1'): Promise<void> {
  for (let n = from; n < to; n += 1) expect(await byHand(d, `i${n}`, by)).toBeNull();
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
    expect(held.reason).toMatch(/over the channel's budget of 1 new issue/);
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
