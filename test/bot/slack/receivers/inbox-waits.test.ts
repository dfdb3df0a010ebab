import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { waitForRepair } from '../../../../src/bot/slack/errors.ts';
import { createInbox } from '../../../../src/bot/slack/receivers/inbox.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { testSlack } from '../../../support/slack.ts';
import { until } from '../../../support/until.ts';
import { listening } from '../support/listening.ts';

const delivery = (ack = async () => undefined) => ({
  body: { type: 'event_callback', event_id: 'Ev1' },
  ack,
});

it.each([
  ['unreachable' as const, 5_000],
  [{ status: 503 }, 5_000],
  [{ status: 429, retryAfter: 240 }, 240_000],
  [{ error: 'internal_error' }, 5_000],
  [{ error: 'fatal_error' }, 5_000],
  [{ error: 'ratelimited' }, 5_000],
  [{ error: 'token_revoked' }, 60_000],
  [{ error: 'missing_scope', needed: 'users:read' }, 60_000],
  [{ status: 429, retryAfter: 3_600 }, 15 * 60_000],
])('a delivery that cannot be handled because of %o waits, and is no failure', async (fault, wait) => {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const clock = manualClock();
  const slack = testSlack(clock);
  slack.next('users.info', ...Array(10).fill(fault));
  const log = createLogger('silent');
  const inbox = createInbox({
    store,
    clock,
    log,
    metrics: createMetrics(),
    checkpoint: () => undefined,
    gap: { begins: async () => undefined, ended: () => undefined },
  });
  inbox.start(async () => void (await slack.client.users.info({ user: 'U1' })));
  onTestFinished(() => inbox.stop());
  const began = clock.now();
  await inbox.accept(delivery());
  await until('it is postponed', async () => (await store.inbox.countPostponed()) === 1);
  const [row] = await store.inbox.open(Number.MAX_SAFE_INTEGER, { most: 9 });
  expect(row).toMatchObject({ key: 'Ev1', attempts: 0 });
  expect(await store.inbox.open(began + 1, { most: 9 })).toEqual([]);
  expect(await store.inbox.open(began + wait - 1, { most: 9 })).toEqual([]);
  expect(await store.inbox.open(began + wait, { most: 9 })).toHaveLength(1);
  await until('the inbox sleeps', () => clock.sleeping() === 1);
  clock.advance(5_000);
  await until('it is counted', () => inbox.degraded() !== null);
  expect(inbox.degraded()).toMatch(/^Slack does not answer what deliveries need: 1 /u);
});

it('the reason is found in whatever Bolt wraps it in', async () => {
  const l = await listening();
  l.slack.next('users.info', { error: 'account_inactive' });
  const refused = await l.slack.client.users.info({ user: 'U1' }).catch((error: unknown) => error);
  const wrapped = Object.assign(new Error('one'), { original: refused });
  const several = Object.assign(new Error('several'), { originals: [new Error('another'), wrapped] });
  expect([refused, wrapped, several, new Error('x', { cause: refused })].map(waitForRepair)).toEqual(
    Array(4).fill(60_000),
  );
  expect([new Error('other'), null, undefined, 'text'].map(waitForRepair)).toEqual(Array(4).fill(null));
});
