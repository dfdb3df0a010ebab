import { expect, test } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { boltOn, clientOf, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

/** Time that passes twenty times as fast as the machine's. */
function fastClock(): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * 20,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms / 20);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
  };
}

test('on a clock that goes twenty times as fast, all that Slack times goes as fast', async () => {
  const clock = fastClock();
  const workspace = await testWorkspace({ clock, ackTimeoutMs: 60_000 * 20 });
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const triggers: string[] = [];
  await boltOn(workspace, (app) => {
    app.command('/echo', async ({ ack, body }) => {
      triggers.push(body.trigger_id);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await ack();
    });
  });
  const command = { as: ALICE, channel, command: '/echo', text: '' };
  expect(await workspace.command(command)).toEqual({ ok: true });
  const post = (text: string) => client.chat.postMessage({ channel, text });
  for (let n = 0; n < 5; n += 1) await post(`burst ${n}`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = clock.now() / 1_000;
  const { ts } = await post('after ten seconds of Slack’s, half a second of ours');
  // Between these, however long that took: the ids of posts that follow each other closely are moved a little apart.
  expect(Number(ts)).toBeGreaterThanOrEqual(before - 1);
  expect(Number(ts)).toBeLessThanOrEqual(clock.now() / 1_000 + 1);
  const view = { type: 'modal', title: { type: 'plain_text', text: 'x' }, blocks: [] } as const;
  const open = client.views.open({ trigger_id: triggers[0] ?? '', view: { ...view, blocks: [] } });
  expect(await open).toMatchObject({ ok: true });
});
