import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogTruncation } from '../../../src/bot/retention/sweeper.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { transitions } from '../../../src/bot/store/issue-transitions.ts';
import { addCreated } from '../../support/issues.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const MINUTE = 60_000;

async function truncating(options: { fails?: boolean } = {}) {
  const opened = await openTestStore();
  const clock = manualClock(opened.clock.now());
  const { store } = opened;
  const issue = await addCreated(store, clock.now());
  let truncated = 0;
  const truncateLog = async () => {
    truncated += 1;
    if (options.fails === true) throw new Error('disk I/O error');
    return store.truncateLog();
  };
  const log = createLogger('silent');
  const worker = createLogTruncation({ store: { issues: store.issues, truncateLog }, clock, log });
  worker.start();
  const rests = async () => {
    while (clock.sleeping() === 0) await turn();
  };
  /** Lets minutes pass, each with what the worker does in it. @returns how often it truncated the log */
  const pass = async (minutes: number) => {
    const before = truncated;
    for (let n = 0; n < minutes; n += 1) {
      await rests();
      clock.advance(MINUTE);
    }
    await rests();
    return truncated - before;
  };
  return {
    ...opened,
    clock,
    pass,
    delete: () => store.issues.apply(issue.id, transitions.markDeleted({ by: 'U1', at: clock.now() })),
    [Symbol.asyncDispose]: async () => {
      await worker.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}

it('truncates the log once a minute for an hour after an issue was deleted, whenever that is', async () => {
  await using test = await truncating();
  expect(await test.pass(90)).toBe(0);
  await test.delete();
  expect(await test.pass(10)).toBe(10);
  expect(await test.pass(60)).toBe(49);
});

it('leaves nothing in the log of an event that came after the deletion', async () => {
  await using test = await truncating();
  await test.pass(5);
  await test.delete();
  await test.store.inbox.add([
    { key: 'Ev1', body: '{"previous":"zebra-crossing"}', receivedAt: test.clock.now() },
  ]);
  await test.store.inbox.done(['Ev1']);
  const stored = () => readFileSync(test.file, 'latin1') + readFileSync(`${test.file}-wal`, 'latin1');
  expect(stored()).toContain('zebra-crossing');
  await test.pass(1);
  expect(stored()).not.toContain('zebra-crossing');
});

it('tries again a minute after it could not', async () => {
  await using test = await truncating({ fails: true });
  await test.delete();
  expect(await test.pass(3)).toBe(3);
});
