import { describe, expect, it } from 'vitest';
import { changeStatus, type StatusChange } from '../../../src/bot/issues/change-status.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { TimedOutError } from '../../../src/contract/client/errors.ts';
import { type Checkpoint, noCheckpoint } from '../../../src/lib/clock.ts';
import { crashAt } from '../../support/crash-at.ts';
import { rejected } from '../../support/fake-service.ts';
import { addCreated, intent, theIssue, uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from '../watching/support.ts';

let presses = 0;

/** A press of a button; without a `cause`, another one each time. */
async function change(
  test: Watching,
  what: StatusChange,
  {
    cause,
    checkpoint = noCheckpoint,
    until,
  }: { cause?: string; checkpoint?: Checkpoint; until?: number } = {},
): Promise<void> {
  presses += 1;
  const wish = { who: 'U1', cause: cause ?? `press ${presses}` };
  const issue = { ...(await theIssue(test.store)), uuid: uuidOf(1) };
  const services = createServices({ default: test.service.client });
  const options = { store: test.store, services, clock: test.opened.clock, checkpoint, until };
  await changeStatus(issue, what, wish, options);
}

/** The life in which somebody presses ends at a step; what happens meanwhile, and then the press is taken up. */
async function dyingOnce(
  test: Watching,
  what: StatusChange,
  step: string,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  await expect(change(test, what, { cause: 'press', checkpoint: crashAt(step) })).rejects.toThrow(
    'crashed at',
  );
  await meanwhile();
  await change(test, what, { cause: 'press' });
}

describe('a person changes an issue’s status', () => {
  it.each([
    ['resolve', 'resolved', false, 'resolved it'],
    ['mute', 'muted', true, 'muted it'],
    ['ready', 'ready_to_fix', true, 'marked it ready to fix'],
  ] as const)('%s: at the service, on the card, and in the audit', async (what, status, isOpen, did) => {
    await using test = await watching();
    await test.investigation();
    await change(test, what);
    const at = test.opened.clock.now();
    expect(test.service.calls).toEqual([`update 1 ${status}`]);
    expect(await theIssue(test.store)).toMatchObject({
      status,
      statusSince: at,
      isOpen,
      watched: true,
      lastAction: JSON.stringify({ userId: 'U1', what: did, at }),
    });
    expect(await test.store.audit.of('issue-1')).toEqual([{ at, who: 'U1', what: did }]);
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
  });

  it('mutes until a moment that is said, else for 24 hours', async () => {
    await using test = await watching();
    await test.investigation();
    const now = test.opened.clock.now();
    await change(test, 'mute');
    expect((await theIssue(test.store)).mutedUntil).toBe(now + 24 * 3_600_000);
    await change(test, 'mute', { until: now + 60_000 });
    expect((await theIssue(test.store)).mutedUntil).toBe(now + 60_000);
  });

  it('mutes the symptoms with the issue that leads, and ends their mute with its own', async () => {
    await using test = await watching();
    await test.investigation();
    for (const id of ['open', 'own'])
      await addCreated(test.store, test.opened.clock.now(), { id, identity: id, number: 2, uuid: id });
    for (const id of ['open', 'own']) await test.store.issues.rewrite(id, { symptomOf: 'issue-1' });
    const until = test.opened.clock.now() + 3_600_000;
    await test.store.issues.rewrite('own', { status: 'muted', mutedUntil: until + 1 });
    await change(test, 'mute', { until });
    const states = async () => {
      const both = await Promise.all(['open', 'own'].map((id) => theIssue(test.store, id)));
      return both.map(({ wantedStatus, mutedUntil }) => [wantedStatus, mutedUntil]);
    };
    expect(await states()).toEqual([
      ['muted', until],
      [null, until + 1],
    ]);
    await change(test, 'reopen');
    const now = test.opened.clock.now();
    expect(await states()).toEqual([
      ['muted', now],
      [null, until + 1],
    ]);
  });

  it('changes nothing here where the service does not take it', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.fail('update', { error: rejected(403, 'no') });
    await expect(change(test, 'resolve')).rejects.toThrow('HTTP 403');
    expect(await theIssue(test.store)).toMatchObject({
      status: 'investigating',
      isOpen: true,
      lastAction: null,
    });
    expect(await test.store.audit.of('issue-1')).toEqual([]);
  });

  it('reopens it: ready to fix at the service, on the card, and in the audit', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'muted', versions: [{ version: 1, status: 'SUCCESS' }] });
    await test.store.issues.rewrite('issue-1', { status: 'muted', mutedUntil: 5, endedVersion: 1 });
    await change(test, 'reopen');
    const at = test.opened.clock.now();
    expect(test.service.calls).toEqual(['get 1', 'update 1 ready_to_fix']);
    expect(await theIssue(test.store)).toMatchObject({
      status: 'ready_to_fix',
      statusSince: at,
      mutedUntil: null,
      lastAction: JSON.stringify({ userId: 'U1', what: 'reopened it', at }),
    });
    expect(await test.store.audit.of('issue-1')).toEqual([{ at, who: 'U1', what: 'reopened it' }]);
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
  });

  it('reopens an issue whose place a newer one took without taking it back', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'resolved' });
    await test.store.issues.rewrite('issue-1', { isOpen: false, status: 'resolved' });
    await addCreated(test.store, 1, { id: 'newer', identity: 'cpu-1@production', number: 2 });
    await change(test, 'reopen');
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', isOpen: false });
  });

  it('watches again what was no longer watched', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { watched: false, isOpen: false, status: 'resolved' });
    await change(test, 'reopen');
    expect(await theIssue(test.store)).toMatchObject({ watched: true, isOpen: true });
  });

  it('starts a new investigation, whose end is reported whichever version the service gives it', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'resolved', isOpen: false, endedVersion: 1 });
    await change(test, 'investigateAgain');
    expect(await theIssue(test.store)).toMatchObject({
      status: 'investigating',
      isOpen: true,
      version: 1,
      endedVersion: 0,
      investigatingSince: test.opened.clock.now(),
    });
    test.elsewhere(1, { latestVersion: 2 });
    await test.store.issues.rewrite('issue-1', { endedVersion: 1 });
    await change(test, 'investigateAgain');
    expect(await theIssue(test.store)).toMatchObject({ version: 2, endedVersion: 1 });
    expect((await test.store.audit.of('issue-1')).map(({ what }) => what)).toEqual([
      'had it investigated again',
      'had it investigated again',
    ]);
  });

  it('remembers what an issue was before it was muted and then resolved', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'ready_to_fix' });
    await change(test, 'mute');
    const muted = await theIssue(test.store);
    expect(muted).toMatchObject({ mutedUntil: test.opened.clock.now() + 24 * 60 * 60_000, hidden: 0 });
    await change(test, 'resolve');
    expect(await theIssue(test.store)).toMatchObject({ statusBefore: 'ready_to_fix', mutedUntil: null });
  });
});

describe('a change of status that a crash cuts off', () => {
  const steps = ['status: before send', 'status: sent', 'status: recorded'];

  it.each(steps)('at “%s” is done once, and who did it is kept once', async (step) => {
    await using test = await watching();
    await test.investigation();
    await dyingOnce(test, 'resolve', step);
    expect(await theIssue(test.store)).toMatchObject({ status: 'resolved', isOpen: false });
    expect((await test.store.audit.of('issue-1')).map(({ what }) => what)).toEqual(['resolved it']);
  });

  it('is not made again where somebody has changed it since, once it was recorded', async () => {
    await using test = await watching();
    await test.investigation();
    await dyingOnce(test, 'resolve', 'status: recorded', () => change(test, 'reopen'));
    const updates = test.service.calls.filter((call) => call.startsWith('update'));
    expect(updates).toEqual(['update 1 resolved', 'update 1 ready_to_fix']);
    expect((await theIssue(test.store)).status).toBe('ready_to_fix');
  });

  it('may be wanted again where the service did not take it', async () => {
    await using test = await watching();
    await test.investigation();
    test.service.fail('update', { error: rejected(500, 'no') });
    await expect(change(test, 'resolve', { cause: 'press' })).rejects.toThrow('HTTP 500');
    await change(test, 'resolve', { cause: 'press' });
    expect((await theIssue(test.store)).status).toBe('resolved');
  });
});

describe('Investigate again', () => {
  const calls = (test: Watching) => test.service.calls.filter((call) => call.startsWith('update'));

  async function ended(test: Watching): Promise<void> {
    await test.investigation();
    test.elsewhere(1, { status: 'ready_to_fix' });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', endedVersion: 1 });
  }

  const steps = [
    'status: before send',
    'reinvestigate: before send',
    'reinvestigate: sent',
    'status: sent',
    'status: recorded',
  ];

  it.each(steps)('that a crash cuts off at “%s” begins one investigation', async (step) => {
    await using test = await watching();
    await ended(test);
    await dyingOnce(test, 'investigateAgain', step);
    expect(calls(test)).toEqual(['update 1 investigating']);
    expect(await theIssue(test.store)).toMatchObject({ status: 'investigating', endedVersion: 0 });
    expect(await test.store.audit.of('issue-1')).toHaveLength(1);
  });

  it.each(['reinvestigate: sent', 'status: sent'])(
    'that a crash cuts off at “%s” begins no second one once the first has ended, and tells its end once',
    async (step) => {
      await using test = await watching();
      await ended(test);
      await dyingOnce(test, 'investigateAgain', step, async () => {
        test.elsewhere(1, { status: 'ready_to_fix', latestVersion: 2 });
        await test.opened.clock.sleep(5 * 60_000);
        await test.poller.tick();
      });
      await test.poller.tick();
      expect(calls(test)).toEqual(['update 1 investigating']);
      expect(await theIssue(test.store)).toMatchObject({
        status: 'ready_to_fix',
        version: 2,
        endedVersion: 2,
        lastAction: expect.stringContaining('had it investigated again'),
      });
      expect((await test.said()).filter((said) => said.startsWith('result:issue-1:2'))).toHaveLength(1);
    },
  );

  const timedOut = () =>
    new TimedOutError({ operation: 'issues.update', ambiguous: true, timeoutMs: 30_000 });

  it('whose answer was lost is looked for first, and counts as started if it is found', async () => {
    await using test = await watching();
    await ended(test);
    test.service.fail('update', { error: timedOut(), afterEffect: true });
    await change(test, 'investigateAgain');
    expect(calls(test)).toEqual(['update 1 investigating']);
    expect((await theIssue(test.store)).status).toBe('investigating');
  });

  it('that the service never heard of fails in words', async () => {
    await using test = await watching();
    await ended(test);
    test.service.fail('update', { error: timedOut() });
    await expect(change(test, 'investigateAgain')).rejects.toThrow(TimedOutError);
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', lastAction: null });
  });
});
