import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/bot/store/issues.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { theIssue } from '../../support/issues.ts';

const MINUTE = 60_000;

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
  it('within the cool-down brings its issue back as it was, counted, with nothing new to investigate', async () => {
    await using d = await deciding();
    const id = await resolved(d, 29);
    expect(await d.alert()).toMatchObject({
      decision: 'repeat',
      reason: 'fired again 29 minutes after its issue was resolved, within the cool-down of 30',
      issueId: id,
    });
    expect(await theIssue(d.store, id)).toMatchObject({
      isOpen: true,
      watched: true,
      status: 'ready_to_fix',
      wantedStatus: 'ready_to_fix',
      nextAt: d.clock.now(),
      repeats: 1,
      version: 1,
      note: JSON.stringify({ text: 'Fired again and was reopened', at: d.clock.now() }),
    });
    expect(await d.store.issues.pending(d.clock.now(), 9)).toEqual([]);
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
    ['which was muted, and the mute has ended: not muted', 5, { mutedUntil: 1 }, 'ready_to_fix'],
    [
      'resolved while it was investigated, which has ended',
      5,
      { statusBefore: 'investigating' },
      'ready_to_fix',
    ],
    [
      'resolved while it was investigated, which goes on',
      5,
      { statusBefore: 'investigating', endedVersion: 0 },
      'investigating',
    ],
    ['resolved before anybody saw its status', 5, { statusBefore: null }, 'ready_to_fix'],
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
