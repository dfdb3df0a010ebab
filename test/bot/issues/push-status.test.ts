import { describe, expect, it } from 'vitest';
import { createStatusPusher } from '../../../src/bot/issues/push-status.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { KeyRefusedError } from '../../../src/contract/client/errors.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import { rejected } from '../../support/fake-service.ts';
import { theIssue, uuidOf } from '../../support/issues.ts';
import { until } from '../../support/until.ts';
import { type Watching, watching } from '../watching/support.ts';

/** A teller that is stopped at the end of the test; `wake` moves the clock on by a minute and wakes it. */
function telling({ store, service, opened }: Watching) {
  const status = opened.wakeups.status.default;
  const teller = createStatusPusher({
    store,
    service: service.client,
    organization: 'default',
    clock: opened.clock,
    random: () => 0.5,
    log: createLogger('silent'),
    checkpoint: noCheckpoint,
    status,
  });
  teller.start();
  return {
    wake: async () => {
      await opened.clock.sleep(60_000);
      status.wake();
    },
    [Symbol.asyncDispose]: () => teller.stop(),
  };
}

describe('a status that filing decided on', () => {
  it('is pushed to the service, and shown on the card', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'ready_to_fix', wantedStatus: 'resolved' });
    await using teller = telling(test);
    const issue = await until('it is told', async () => {
      await teller.wake();
      const now = await theIssue(test.store);
      return now.wantedStatus === null && now;
    });
    expect(test.service.calls).toEqual(['update 1 resolved']);
    expect(issue).toMatchObject({ status: 'resolved', statusBefore: 'ready_to_fix', isOpen: false });
  });

  it('waits without a word on the card while nothing is sent to the service', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'ready_to_fix', wantedStatus: 'resolved' });
    const refused = new KeyRefusedError({ operation: 'issues.update', retryAfterMs: 30_000 });
    test.service.break('update', refused);
    await using teller = telling(test);
    await until('it was tried three times', async () => {
      await teller.wake();
      return test.service.calls.length >= 3;
    });
    expect(await theIssue(test.store)).toMatchObject({
      wantedStatus: 'resolved',
      attempts: 0,
      failure: null,
    });
    test.service.break('update', null);
    await until('it is told', async () => {
      await teller.wake();
      return (await theIssue(test.store)).wantedStatus === null;
    });
  });

  it('is pushed repeatedly while the service is down, and the card says so until it succeeds', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'ready_to_fix', wantedStatus: 'resolved' });
    test.service.break('update', rejected(503, 'no', 'api_error'));
    await using teller = telling(test);
    await until('it was tried three times', async () => {
      await teller.wake();
      return (await theIssue(test.store)).attempts >= 3;
    });
    expect(await theIssue(test.store)).toMatchObject({
      status: 'ready_to_fix',
      failure: expect.stringMatching(/I will keep trying to update it\.$/),
    });
    test.service.break('update', null);
    const issue = await until('it is told', async () => {
      await teller.wake();
      const now = await theIssue(test.store);
      return now.status === 'resolved' && now;
    });
    expect(issue).toMatchObject({ wantedStatus: null, failure: null, attempts: 0 });
  });

  it('that the service will never take is given up, in words', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { wantedStatus: 'resolved' });
    test.service.break('update', rejected(422, 'not from here'));
    await using teller = telling(test);
    const issue = await until('it is given up', async () => {
      await teller.wake();
      const now = await theIssue(test.store);
      return now.wantedStatus === null && now;
    });
    expect(issue.failure).toMatch(/not from here|HTTP 422|refused/);
    expect(issue.failure).not.toMatch(/goes on/);
  });

  it.each([
    ['while it was being pushed', null],
    [
      'while a push that fails was in progress, which may have taken effect',
      new Error('the answer was lost'),
    ],
  ])('overtaken %s is corrected: the service ends up with the stored status', async (_when, error) => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', { status: 'ready_to_fix', wantedStatus: 'resolved' });
    const release = test.service.hold('update 1 resolved');
    if (error !== null) test.service.fail('update 1 resolved', { error, afterEffect: true });
    await using teller = telling(test);
    await until('it is under way', () => test.service.calls.includes('update 1 resolved'));
    // The alert fires again.
    await test.store.issues.rewrite('issue-1', { wantedStatus: null });
    release();
    await until('the service is told what stands', async () => {
      await teller.wake();
      return test.service.calls.includes('update 1 ready_to_fix');
    });
    await until('it stands', async () => (await theIssue(test.store)).wantedStatus === null);
    expect(test.service.issues.get(uuidOf(1))?.status).toBe('ready_to_fix');
    expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', isOpen: true, failure: null });
  });

  it('of an investigation that has ended meanwhile begins no new one', async () => {
    await using test = await watching();
    await test.investigation();
    test.elsewhere(1, { status: 'resolved', versions: [{ version: 1, status: 'SUCCESS' }] });
    await test.store.issues.rewrite('issue-1', { wantedStatus: 'investigating' });
    await using teller = telling(test);
    await until('it is told', async () => {
      await teller.wake();
      return (await theIssue(test.store)).status === 'ready_to_fix';
    });
    expect(test.service.calls).toEqual(['get 1', 'update 1 ready_to_fix']);
  });

  it('does not forget, for a muted issue that recovers, what it was before the mute', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.issues.rewrite('issue-1', {
      status: 'muted',
      statusBefore: 'ready_to_fix',
      wantedStatus: 'resolved',
    });
    await using teller = telling(test);
    await until('it is told', async () => {
      await teller.wake();
      return (await theIssue(test.store)).status === 'resolved';
    });
    expect(await theIssue(test.store)).toMatchObject({ statusBefore: 'ready_to_fix' });
  });
});
