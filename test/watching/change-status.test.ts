import { describe, expect, it } from 'vitest';
import { changeStatus, type StatusChange } from '../../src/watching/change-status.ts';
import { rejected } from '../support/fake-service.ts';
import { addCreated, intent, theIssue, uuidOf } from '../support/issues.ts';
import { type Watching, watching } from './support.ts';

async function change(test: Watching, what: StatusChange): Promise<void> {
  const issue = await theIssue(test.store);
  const options = { store: test.store, service: test.service.client, clock: test.opened.clock };
  await changeStatus({ ...issue, uuid: uuidOf(1) }, what, 'U1', options);
}

describe('a person changes an issue’s status', () => {
  it.each([
    ['resolve', 'resolved', 0, 'resolved it'],
    ['mute', 'muted', 1, 'muted it'],
    ['reopen', 'ready_to_fix', 1, 'reopened it'],
    ['ready', 'ready_to_fix', 1, 'marked it ready to fix'],
  ] as const)('%s: at the service, on the card, and in the audit', async (what, status, isOpen, did) => {
    await using test = await watching();
    await test.investigation();
    await change(test, what);
    const at = test.opened.clock.now();
    expect(test.service.calls).toEqual([`update 1 ${status}`]);
    expect(await theIssue(test.store)).toMatchObject({
      status,
      status_since: at,
      is_open: isOpen,
      watched: 1,
      last_action: JSON.stringify({ userId: 'U1', what: did, at }),
    });
    expect(await test.store.audit.of('issue-1')).toEqual([{ at, who: 'U1', what: did }]);
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
  });

  it('mutes until a moment that is said, else for 24 hours', async () => {
    await using test = await watching();
    await test.investigation();
    const now = test.opened.clock.now();
    await change(test, 'mute');
    expect((await theIssue(test.store)).muted_until).toBe(now + 24 * 3_600_000);
    const options = { store: test.store, service: test.service.client, clock: test.opened.clock };
    const issue = { ...(await theIssue(test.store)), uuid: uuidOf(1) };
    await changeStatus(issue, 'mute', 'U1', { ...options, until: now + 60_000 });
    expect((await theIssue(test.store)).muted_until).toBe(now + 60_000);
  });

  it('changes nothing here where the service does not take it', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.fail('update', { error: rejected(403, 'no') });
    await expect(change(test, 'resolve')).rejects.toThrow('HTTP 403');
    expect(await theIssue(test.store)).toMatchObject({
      status: 'investigating',
      is_open: 1,
      last_action: null,
    });
    expect(await test.store.audit.of('issue-1')).toEqual([]);
  });

  it('reopens an issue whose place a newer one took without taking it back', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.update('issue-1', { is_open: 0, status: 'resolved' });
    await addCreated(test.store, 1, { id: 'newer', identity: 'cpu-1@production', number: 2 });
    await change(test, 'reopen');
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', is_open: 0 });
  });

  it('watches again what was no longer watched', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.update('issue-1', { watched: 0, is_open: 0, status: 'resolved' });
    await change(test, 'reopen');
    expect(await theIssue(test.store)).toMatchObject({ watched: 1, is_open: 1 });
  });

  it('begins a new investigation, whose end is told whichever version the service gives it', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.update('issue-1', { status: 'resolved', is_open: 0, ended_version: 1 });
    await change(test, 'investigateAgain');
    expect(await theIssue(test.store)).toMatchObject({
      status: 'investigating',
      is_open: 1,
      version: 1,
      ended_version: 0,
      investigating_since: test.opened.clock.now(),
    });
    test.elsewhere(1, { latestVersion: 2 });
    await test.store.issues.update('issue-1', { ended_version: 1 });
    await change(test, 'investigateAgain');
    expect(await theIssue(test.store)).toMatchObject({ version: 2, ended_version: 1 });
    expect((await test.store.audit.of('issue-1')).map(({ what }) => what)).toEqual([
      'had it investigated again',
      'had it investigated again',
    ]);
  });

  it('remembers what an issue was before it was muted and then resolved', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.update('issue-1', { status: 'ready_to_fix' });
    await change(test, 'mute');
    const muted = await theIssue(test.store);
    expect(muted).toMatchObject({ muted_until: test.opened.clock.now() + 24 * 60 * 60_000, hidden: 0 });
    await change(test, 'resolve');
    expect(await theIssue(test.store)).toMatchObject({ status_before: 'ready_to_fix', muted_until: null });
  });
});
