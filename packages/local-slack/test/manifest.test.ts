import { expect, test } from 'vitest';
import { boltOn, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

test('where the manifest switches interactivity off, no button and no shortcut reaches the app', async () => {
  const workspace = await testWorkspace({ interactive: false });
  const heard: string[] = [];
  const app = await boltOn(workspace, (bolt) => {
    bolt.use(async ({ body, next }) => {
      if ('type' in body) heard.push(String(body.type));
      await next();
    });
  });
  const channel = workspace.channels.general;
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } } as const;
  const { ts: message_ts = '' } = await app.client.chat.postMessage({
    channel,
    text: 'x',
    blocks: [{ type: 'actions', block_id: 'row', elements: [button] }],
  });
  const refused = { ok: false, error: 'This app is not configured to handle interactive responses.' };
  const click = { as: ALICE, channel, message_ts, block_id: 'row', action_id: 'go' };
  expect(await workspace.action(click)).toEqual(refused);
  expect(await workspace.shortcut({ as: ALICE, callback_id: 'begin' })).toEqual(refused);
  expect(await workspace.shortcut({ as: ALICE, callback_id: 'look', channel, message_ts })).toEqual(refused);
  expect(heard.filter((type) => type !== 'event_callback')).toEqual([]);
});

test('there are just the commands and shortcuts that the manifest declares', async () => {
  const workspace = await testWorkspace();
  const as = ALICE;
  const channel = workspace.channels.alerts;
  const run = (command: string) => workspace.command({ as, channel, command, text: '' });
  // The app is not there, so what is declared fails in another way than what is not.
  expect(await run('/echo')).toMatchObject({ error: expect.stringContaining('dispatch_failed') });
  expect(await run('/nope')).toMatchObject({ error: expect.stringContaining('not a valid command') });
  expect(await workspace.shortcut({ as, callback_id: 'begin' })).toMatchObject({
    error: expect.stringContaining('dispatch_failed'),
  });
  expect(await workspace.shortcut({ as, callback_id: 'end' })).toMatchObject({
    error: 'No app in this workspace has the global shortcut end.',
  });
});
