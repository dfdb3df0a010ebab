import { describe, expect, it } from 'vitest';
import { changeStatus, type StatusChange } from '../../../src/bot/issues/change-status.ts';
import { createStatusPusher } from '../../../src/bot/issues/push-status.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import { TimedOutError } from '../../../src/contract/client/errors.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import { theIssue, uuidOf } from '../../support/issues.ts';
import { until } from '../../support/until.ts';
import { type Watching, watching } from '../watching/support.ts';

const MINUTE = 60_000;
const RESULT = 'result:issue-1:1 {"version":1,"notice":"result"}';
const NOTHING = 'notice:ended:issue-1:1 {"version":1,"notice":"nothing"}';

/** How services name a version that runs, and one that has ended; `null` where they say nothing of it. */
const SERVICES = [
  ['RUNNING', 'SUCCESS'],
  ['IN_PROGRESS', 'COMPLETED'],
  ['PENDING', 'DONE'],
  ['W1', 'W2'],
  [null, null],
] as const;

let presses = 0;

async function press(test: Watching, what: StatusChange): Promise<string> {
  presses += 1;
  const issue = { ...(await theIssue(test.store)), uuid: uuidOf(1) };
  const wish = { who: 'U1', cause: `press ${presses}` };
  const { store, opened, service } = test;
  return changeStatus(issue, what, wish, {
    store,
    clock: opened.clock,
    services: createServices({ default: service.client }),
    checkpoint: noCheckpoint,
  });
}

/** The version's own status changes; the issue's does only where it is `investigating`, as by a service that ends one. */
function version(test: Watching, status: string | null): void {
  test.elsewhere(1, status === null ? {} : { versions: [{ version: 1, status }] });
}

async function begun(running: string | null): Promise<Watching> {
  const test = await watching();
  await test.investigation();
  version(test, running);
  test.service.results.clear();
  await test.poller.tick();
  return test;
}

async function ends(test: Watching, done: string | null): Promise<void> {
  version(test, done);
  test.service.results.set(uuidOf(1), { rootCause: { rootCauseSummary: 'The pool is full.' } });
  if (test.service.issues.get(uuidOf(1))?.status === 'investigating')
    test.elsewhere(1, { status: 'ready_to_fix' });
}

async function ticks(test: Watching, count = 3): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await test.opened.clock.sleep(15_000);
    await test.poller.tick();
  }
}

const updates = (test: Watching) => test.service.calls.filter((call) => call.startsWith('update'));

describe.each(SERVICES)(
  'an investigation whose version is %s while it runs, and then %s',
  (running, done) => {
    it.each(['mute', 'resolve'] as const)(
      'goes on over %s and reopen, and its result is told once',
      async (change) => {
        await using test = await begun(running);
        await press(test, change);
        await ticks(test);
        expect(await test.said()).toEqual([]);
        expect(await press(test, 'reopen')).toBe('investigating');
        expect(updates(test).at(-1)).toBe('update 1 investigating');
        await ticks(test);
        expect(await test.said()).toEqual([]);
        expect(await theIssue(test.store)).toMatchObject({
          status: 'investigating',
          isOpen: true,
          endedVersion: 0,
        });
        await ends(test, done);
        await ticks(test);
        expect(await test.said()).toEqual([RESULT]);
        expect(await theIssue(test.store)).toMatchObject({ status: 'ready_to_fix', endedVersion: 1 });
        await test.store.outbox.delivered('result:issue-1:1', 1);
        await ticks(test, 30);
        expect(await test.said()).toEqual([]);
      },
    );

    it('that ends while it is muted is told then, and not again when it is reopened', async () => {
      await using test = await begun(running);
      await press(test, 'mute');
      await ends(test, done);
      await ticks(test);
      expect(await test.said()).toEqual([RESULT]);
      expect(await press(test, 'reopen')).toBe('ready_to_fix');
      await ticks(test, 30);
      // One message, edited where its buttons change, and no notice beside it.
      expect(await test.said()).toEqual([RESULT]);
      expect(updates(test)).toEqual(['update 1 muted', 'update 1 ready_to_fix']);
    });

    it('that people call ready to fix while it runs is told when there is something to tell', async () => {
      await using test = await begun(running);
      await press(test, 'ready');
      await ticks(test);
      expect(await test.said()).toEqual([]);
      await ends(test, done);
      await ticks(test);
      expect(await test.said()).toEqual([RESULT]);
    });

    it('goes on when its mute ends', async () => {
      await using test = await begun(running);
      await press(test, 'mute');
      await ticks(test);
      await test.store.issues.rewrite('issue-1', { wantedStatus: 'investigating', mutedUntil: null });
      const { store, opened, service } = test;
      const parts = {
        random: () => 0.5,
        log: createLogger('silent'),
        checkpoint: noCheckpoint,
        status: opened.wakeups.status.default,
      };
      const teller = createStatusPusher({
        store,
        service: service.client,
        organization: 'default',
        clock: opened.clock,
        ...parts,
      });
      teller.start();
      await until('it is told', async () => (await theIssue(store)).wantedStatus === null);
      await teller.stop();
      expect(updates(test)).toEqual(['update 1 muted', 'update 1 investigating']);
      await ticks(test);
      expect(await test.said()).toEqual([]);
      await ends(test, done);
      await ticks(test);
      expect(await test.said()).toEqual([RESULT]);
    });
  },
);

describe('what was put away', () => {
  it('and reopened after it had ended with nothing, unseen by us, starts no new investigation', async () => {
    await using test = await begun('RUNNING');
    await press(test, 'mute');
    version(test, 'SUCCESS');
    expect(await press(test, 'reopen')).toBe('ready_to_fix');
    expect(updates(test)).toEqual(['update 1 muted', 'update 1 ready_to_fix']);
    await ticks(test);
    expect(await test.said()).toEqual([NOTHING]);
  });

  it('and reopened elsewhere meanwhile keeps the status that it has', async () => {
    await using test = await begun('RUNNING');
    await press(test, 'mute');
    test.elsewhere(1, { status: 'investigating' });
    expect(await press(test, 'reopen')).toBe('investigating');
    expect(updates(test)).toEqual(['update 1 muted']);
  });

  it('is reopened once, where the answer of the service was lost', async () => {
    await using test = await begun('RUNNING');
    await press(test, 'mute');
    const lost = new TimedOutError({ operation: 'issues.update', ambiguous: true, timeoutMs: 1 });
    test.service.fail('update', { error: lost, afterEffect: true });
    expect(await press(test, 'reopen')).toBe('investigating');
    expect(updates(test)).toEqual(['update 1 muted', 'update 1 investigating']);
  });

  it('and says nothing of its end is watched no longer than people wait', async () => {
    await using test = await begun(null);
    await press(test, 'mute');
    await test.opened.clock.sleep(31 * MINUTE);
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ status: 'muted', endedVersion: 1 });
    expect(await test.said()).toEqual([]);
  });

  it('was called ready by somebody else while its version still runs, and has not ended', async () => {
    await using test = await begun('RUNNING');
    test.elsewhere(1, { status: 'ready_to_fix' });
    await ticks(test);
    expect(await test.said()).toEqual([]);
    await ends(test, 'SUCCESS');
    await ticks(test);
    expect(await test.said()).toEqual([RESULT]);
  });

  it('is under investigation again under the number of the version before: its end is told when it comes', async () => {
    await using test = await begun('RUNNING');
    await ends(test, 'SUCCESS');
    await ticks(test, 1);
    await test.store.outbox.delivered('result:issue-1:1', 1);
    await press(test, 'investigateAgain');
    await ticks(test);
    expect(await theIssue(test.store)).toMatchObject({ status: 'investigating', endedVersion: 0 });
    test.elsewhere(1, {
      status: 'ready_to_fix',
      latestVersion: 2,
      versions: [{ version: 2, status: 'SUCCESS' }],
    });
    await ticks(test);
    expect((await test.said()).at(-1)).toBe(
      'result:issue-1:2 {"version":2,"notice":"result","isAsBefore":true}',
    );
  });
});
