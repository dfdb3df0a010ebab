import { describe, expect, it } from 'vitest';
import type { StoredResults } from '../../../src/bot/watching/sync-issue.ts';
import { rejected } from '../../support/fake-service.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { watching } from './support.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RESULT = 'result:issue-1:1 {"version":1,"notice":"result"}';

describe('an investigation', () => {
  it('that goes on is nothing to talk about', async () => {
    await using test = await watching();
    await test.investigation();
    await test.poller.tick();
    expect(await test.said()).toEqual([]);
    expect(await intent(test.store, 'card:issue-1')).toBe('idle');
    expect(await theIssue(test.store)).toMatchObject({
      checkedAt: test.opened.clock.now(),
      endedVersion: 0,
    });
  });

  it('that ended has its results kept and told, and its card says so', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(test.service.calls).toEqual(['get 1', 'results 1 v1']);
    expect(await test.said()).toEqual([RESULT]);
    expect(await test.store.outbox.get('result:issue-1:1')).toMatchObject({
      channel: 'C1',
      threadTs: '1.0',
    });
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
    expect(await test.store.results.latest('issue-1')).toEqual({
      version: 1,
      results: { rootCause: { rootCauseSummary: 'The pool is full.' } },
    });
    expect(await theIssue(test.store)).toMatchObject({
      status: 'ready_to_fix',
      endedVersion: 1,
      isOpen: true,
    });
  });

  it('is told once', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    await test.store.outbox.delivered('result:issue-1:1', 1);
    await test.opened.clock.sleep(6 * MINUTE);
    await test.poller.tick();
    expect(await test.said()).toEqual([]);
  });

  it('keeps all of its end or nothing: where the telling cannot be stored, the results are not either', async () => {
    await using test = await watching({
      around: (store) => ({
        ...store,
        transaction: (work) =>
          store.transaction((tx) =>
            work({ ...tx, outbox: { ...tx.outbox, want: () => Promise.reject(new Error('disk full')) } }),
          ),
      }),
    });
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await test.store.results.latest('issue-1')).toBeNull();
    expect(await theIssue(test.store)).toMatchObject({ status: 'investigating', endedVersion: 0 });
  });

  it('has what comes beside its results asked for in the same transaction', async () => {
    const stored: StoredResults[] = [];
    let fails = true;
    await using test = await watching({
      onResults: async (_tx, results) => {
        if (fails) throw new Error('disk full');
        stored.push(results);
      },
    });
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect([await test.store.results.latest('issue-1'), await test.said()]).toEqual([null, []]);
    fails = false;
    await test.opened.clock.sleep(MINUTE);
    await test.poller.tick();
    const results = { rootCause: { rootCauseSummary: 'The pool is full.' } };
    const at = test.opened.clock.now();
    expect(stored).toEqual([{ issueId: 'issue-1', version: 1, results, at, isFolded: false }]);
    expect(await test.said()).toEqual([RESULT]);
  });

  it('whose end was seen by a process that died then is told by the next', async () => {
    let dies = true;
    await using test = await watching({
      checkpoint: (name) => {
        if (dies && name === 'watch: results fetched') throw new Error('killed');
      },
    });
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await test.said()).toEqual([]);
    dies = false;
    await test.opened.clock.sleep(MINUTE);
    await test.poller.tick();
    expect(await test.said()).toEqual([RESULT]);
  });

  it('whose newest version failed is told as failed, without results', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, {
      versions: [{ version: 1, status: 'FAILED', description: 'Not investigated: no source answers.' }],
    });
    await test.poller.tick();
    expect(await test.said()).toEqual([
      'notice:ended:issue-1:1 {"version":1,"notice":"failed","reason":"Not investigated: no source answers."}',
    ]);
    expect(test.service.calls).toEqual(['get 1']);
    await test.opened.clock.sleep(MINUTE);
    await test.poller.tick();
    expect(await test.said()).toHaveLength(1);
  });

  it('without results found nothing', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    test.service.results.clear();
    await test.poller.tick();
    expect(await test.said()).toEqual(['notice:ended:issue-1:1 {"version":1,"notice":"nothing"}']);
  });

  it('with results but without a root cause has these told: what was ruled out counts too', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    test.service.results.set(uuidOf(1), { rootCause: { irrelevantEvidence: [{ title: 'Disk' }] } });
    await test.poller.tick();
    expect(await test.said()).toEqual([RESULT]);
  });

  it('is not over where only a proxy says that there are no results', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    test.service.fail('results', { error: rejected(404, 'no such page', null) });
    await test.poller.tick();
    expect(await test.said()).toEqual([]);
    await test.opened.clock.sleep(MINUTE);
    await test.poller.tick();
    expect(await test.said()).toEqual([RESULT]);
  });

  it('with a status that the contract does not name has ended', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'triaged' });
    await test.poller.tick();
    expect(await test.said()).toEqual([RESULT]);
  });

  it('that somebody resolved before anything was found ends in silence; what was found is told', async () => {
    await using test = await watching();
    await test.investigation(1);
    await test.investigation(2);
    test.elsewhere(1, { status: 'resolved' });
    test.elsewhere(2, { status: 'resolved' });
    test.service.results.set(uuidOf(1), {});
    await test.poller.tick();
    expect(await test.said()).toEqual(['result:issue-2:1 {"version":1,"notice":"result"}']);
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', isOpen: false, endedVersion: 1 });
  });

  it('of a new version is a new investigation, with results of its own', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    await test.opened.clock.sleep(6 * MINUTE);
    test.elsewhere(1, { status: 'investigating', latestVersion: 2 });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({
      status: 'investigating',
      version: 2,
      investigatingSince: test.opened.clock.now(),
    });
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await test.said()).toEqual([
      RESULT,
      'result:issue-1:2 {"version":2,"notice":"result","isSaid":true,"isAsBefore":true}',
    ]);
    expect(test.service.calls.at(-1)).toBe('results 1 v2');
  });
});

describe('patience', () => {
  it('ends after 30 minutes, which is said once', async () => {
    await using test = await watching();
    await test.investigation();
    await test.opened.clock.sleep(30 * MINUTE - 1);
    await test.poller.tick();
    expect(await test.said()).toEqual([]);
    await test.opened.clock.sleep(1);
    await test.poller.tick();
    expect(await test.said()).toEqual(['notice:slow:issue-1:1 {"version":1,"notice":"slow"}']);
    await test.store.outbox.delivered('notice:slow:issue-1:1', 1);
    await test.opened.clock.sleep(60 * MINUTE);
    await test.poller.tick();
    expect(await test.said()).toEqual([]);
  });

  it('does not keep the result from being told later', async () => {
    await using test = await watching();
    await test.investigation();
    await test.opened.clock.sleep(31 * MINUTE);
    await test.poller.tick();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await test.said()).toContain(RESULT);
  });
});

describe('a change made elsewhere', () => {
  it('to an issue whose investigation ended shows within a minute, without asking more often', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    await test.store.outbox.delivered('card:issue-1', 2);
    test.elsewhere(1, { status: 'resolved' });
    await test.opened.clock.sleep(40_000 - 1);
    await test.poller.tick();
    expect(test.service.calls).toHaveLength(2);
    await test.opened.clock.sleep(1);
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', isOpen: false });
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
  });

  it('that reopens an issue lets repeats join it again', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'resolved', isOpen: false, endedVersion: 1 });
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', isOpen: true });
  });

  it('that reopens an issue whose place a newer one took leaves repeats to the newer', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'resolved', isOpen: false, endedVersion: 1 });
    await test.investigation(2, { identity: 'cpu-1@production' });
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', isOpen: false });
    expect(await test.store.issues.openByIdentity('cpu-1@production')).toMatchObject({ id: 'issue-2' });
  });

  it('to its title, severity or environment is taken over', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { title: 'CPU of web-1', severity: 'high', environment: 'staging' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({
      title: 'CPU of web-1',
      severity: 'high',
      environment: 'staging',
    });
  });
});

describe('a change that a person makes here while we look', () => {
  it('is not undone by what we saw before it', async () => {
    const clicks: (() => Promise<void>)[] = [];
    await using test = await watching({
      checkpoint: async (name) => {
        if (name === 'watch: results fetched') await clicks.shift()?.();
      },
    });
    await test.investigation();
    clicks.push(async () => {
      await test.opened.clock.sleep(1);
      await test.store.issues.rewrite('issue-1', {
        status: 'resolved',
        statusSince: test.opened.clock.now(),
        isOpen: false,
      });
    });
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', isOpen: false });
    test.elsewhere(1, { status: 'resolved' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', endedVersion: 1 });
  });
});

describe('an issue that was deleted', () => {
  it('is gone: its card says so, repeats no longer join it, and nobody looks again', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.issues.clear();
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ state: 'gone', watched: false, isOpen: false });
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
    test.service.calls.length = 0;
    await test.opened.clock.sleep(6 * MINUTE);
    await test.poller.tick();
    expect(test.service.calls).toEqual([]);
  });

  it('is not gone where only a proxy says so', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.fail('get', { error: rejected(404, 'no such page', null) });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ state: 'created', watched: true, isOpen: true });
  });
});

describe('a resolved issue', () => {
  it('is watched for seven days, then no longer', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'resolved' });
    await test.poller.tick();
    await test.opened.clock.sleep(7 * DAY);
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ watched: true });
    await test.opened.clock.sleep(5 * MINUTE);
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ watched: false });
  });

  it('that is reopened on the last day is watched on', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'resolved' });
    await test.poller.tick();
    await test.opened.clock.sleep(8 * DAY);
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ watched: true, status: 'ready_to_fix' });
  });

  it('whose investigation goes on is watched to its end, and what it finds is told', async () => {
    await using test = await watching();
    await test.investigation();
    const version = { version: 1, status: 'RUNNING' };
    test.elsewhere(1, { status: 'resolved', versions: [version] });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', isOpen: false, endedVersion: 0 });
    expect(await test.said()).toEqual([]);
    test.elsewhere(1, { versions: [{ ...version, status: 'SUCCESS' }] });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', endedVersion: 1 });
    expect(await test.said()).toEqual(['result:issue-1:1 {"version":1,"notice":"result"}']);
  });
});
