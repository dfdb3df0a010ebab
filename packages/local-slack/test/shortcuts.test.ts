import { expect, test } from 'vitest';
import { boltOn, clientOf, testWorkspace } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const WHO = {
  user: { id: ALICE, username: 'alice', name: 'alice', team_id: 'T0LOCAL001' },
  team: { id: 'T0LOCAL001', domain: 'local' },
  api_app_id: 'A0LOCAL001',
  token: expect.any(String),
  enterprise: null,
  is_enterprise_install: false,
  trigger_id: expect.any(String),
  action_ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
};

test('a message’s shortcut brings the message, also from a channel that the app is not in', async () => {
  const workspace = await testWorkspace();
  const heard: object[] = [];
  await boltOn(workspace, (app) => {
    app.shortcut('look', async ({ ack, body, respond }) => {
      await ack();
      heard.push(body);
      await respond({ text: 'Looked' });
    });
  });
  const channel = workspace.channels.payments;
  const { ts } = await workspace.post({ channel, username: 'Hook', text: 'Disk is full' });

  const outcome = await workspace.shortcut({ as: ALICE, callback_id: 'look', channel, message_ts: ts });

  expect(outcome).toEqual({ ok: true });
  expect(heard).toEqual([
    {
      type: 'message_action',
      callback_id: 'look',
      ...WHO,
      channel: { id: channel, name: 'payments' },
      message_ts: ts,
      message: {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B486F6F6B0',
        username: 'Hook',
        text: 'Disk is full',
        ts,
      },
      response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/response\/[0-9a-f]{32}$/),
    },
  ]);
});

test('a global shortcut brings a trigger that opens a modal', async () => {
  const workspace = await testWorkspace();
  const heard: object[] = [];
  await boltOn(workspace, (app) => {
    app.shortcut('begin', async ({ ack, body, client }) => {
      heard.push(body);
      const title = { type: 'plain_text', text: 'Begin' } as const;
      await client.views.open({ trigger_id: body.trigger_id, view: { type: 'modal', title, blocks: [] } });
      await ack();
    });
  });
  expect(await workspace.shortcut({ as: ALICE, callback_id: 'begin' })).toEqual({ ok: true });
  expect(heard).toEqual([{ type: 'shortcut', callback_id: 'begin', ...WHO }]);
  expect(workspace.views(ALICE)).toHaveLength(1);
});

test('what cannot be is said in a sentence', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const channel = workspace.channels.general;
  const { ts } = await workspace.post({ channel, user: 'U0BOB00001', text: 'x' });
  const look = (more: object) =>
    workspace.shortcut({ as: ALICE, callback_id: 'look', channel, message_ts: ts, ...more });
  expect(await look({})).toEqual({ ok: false, error: 'The app could not be reached (dispatch_failed).' });
  await boltOn(workspace, (app) => {
    app.shortcut('look', async () => {
      await clock.pass(3_001);
    });
  });
  expect(await look({})).toEqual({
    ok: false,
    error: 'The app did not respond within 3 seconds (operation_timeout).',
  });
  expect(await look({ callback_id: 'nothing' })).toEqual({
    ok: false,
    error: 'No app in this workspace has the message shortcut nothing.',
  });
  expect(await look({ callback_id: 'begin' })).toMatchObject({ ok: false });
  expect(await look({ message_ts: '1600000000.000001' })).toEqual({
    ok: false,
    error: 'That message no longer exists.',
  });
  const { message_ts } = await clientOf(workspace).chat.postEphemeral({ channel, user: ALICE, text: 'psst' });
  expect(await look({ message_ts })).toEqual({
    ok: false,
    error: 'A message that only you can see has no shortcuts.',
  });
});
