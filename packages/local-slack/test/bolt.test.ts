import { expect, test } from 'vitest';
import { boltOn, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

test('a message from a webhook reaches a Bolt app over Socket Mode, shaped as Slack shapes it', async () => {
  const workspace = await testWorkspace();
  const events: { event: object; body: object }[] = [];
  await boltOn(workspace, (app) => {
    app.event('message', async ({ event, body }) => {
      events.push({ event, body });
    });
  });

  const { ts } = await workspace.post({
    channel: 'alerts',
    username: 'Alertmanager',
    icon: ':fire:',
    text: 'Disk is full',
    attachments: [{ color: 'danger', text: 'df says 100 %' }],
  });

  const { event, body } = await until(() => events[0]);
  expect(event).toEqual({
    type: 'message',
    subtype: 'bot_message',
    text: 'Disk is full',
    bot_id: 'B416C65727',
    username: 'Alertmanager',
    icons: { emoji: ':fire:' },
    attachments: [{ id: 1, color: 'a30200', text: 'df says 100 %', fallback: '[no preview available]' }],
    channel: workspace.channels.alerts,
    channel_type: 'channel',
    ts,
    event_ts: ts,
  });
  expect(body).toMatchObject({
    type: 'event_callback',
    team_id: 'T0LOCAL001',
    api_app_id: 'A0LOCAL001',
    event_id: expect.stringMatching(/^Ev[A-Z0-9]{10}$/),
    event_time: expect.any(Number),
    is_ext_shared_channel: false,
    authorizations: [
      {
        enterprise_id: null,
        team_id: 'T0LOCAL001',
        user_id: workspace.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
  });
});

test('a mention comes as a message and as its twin, and the app answers in the thread', async () => {
  const workspace = await testWorkspace();
  const heard: string[] = [];
  await boltOn(workspace, (app) => {
    app.message(async ({ message }) => {
      heard.push(`message ${message.ts}`);
    });
    app.event('app_mention', async ({ event, say }) => {
      heard.push(`app_mention ${event.ts}`);
      await say({ text: `Because of DNS, <@${event.user ?? ''}>`, thread_ts: event.ts });
    });
  });

  const { ts } = await workspace.post({
    channel: 'general',
    user: ALICE,
    text: `<@${workspace.botUserId}> why?`,
  });

  const thread = await until(() => {
    const messages = workspace.messages(workspace.channels.general, ts);
    return messages.length === 2 && messages;
  });
  expect(heard.filter((line) => line.endsWith(ts)).sort()).toEqual([`app_mention ${ts}`, `message ${ts}`]);
  expect(thread[0]).toMatchObject({ user: ALICE, thread_ts: ts, reply_count: 1 });
  expect(thread[1]).toMatchObject({
    user: workspace.botUserId,
    bot_id: 'B0LOCAL001',
    text: `Because of DNS, <@${ALICE}>`,
    thread_ts: ts,
  });
});

test('a command is answered with its acknowledgement, for the person alone', async () => {
  const workspace = await testWorkspace();
  await boltOn(workspace, (app) => {
    app.command('/echo', async ({ command, ack }) => ack(`${command.user_name}: ${command.text}`));
  });

  const outcome = await workspace.command({
    as: ALICE,
    channel: workspace.channels.general,
    command: '/echo',
    text: 'a < b',
  });

  expect(outcome).toEqual({ ok: true });
  expect(workspace.messages(workspace.channels.general)).toMatchObject([
    { text: 'alice: a &lt; b', ephemeral_to: ALICE, user: workspace.botUserId },
  ]);
});

test('a click reaches the app, which changes the message through the response_url', async () => {
  const workspace = await testWorkspace();
  const clicks: object[] = [];
  const app = await boltOn(workspace, (bolt) => {
    bolt.action('approve', async ({ ack, respond, action, body }) => {
      await ack();
      clicks.push({ action, container: 'container' in body && body.container });
      await respond({ replace_original: true, text: 'Approved' });
    });
  });
  const posted = await app.client.chat.postMessage({
    channel: workspace.channels.alerts,
    text: 'Approve?',
    blocks: [
      {
        type: 'actions',
        block_id: 'row',
        elements: [
          {
            type: 'button',
            action_id: 'approve',
            text: { type: 'plain_text', text: 'Yes' },
            value: '42',
          },
        ],
      },
    ],
  });
  const message_ts = posted.ts ?? '';

  const outcome = await workspace.action({
    as: ALICE,
    channel: workspace.channels.alerts,
    message_ts,
    block_id: 'row',
    action_id: 'approve',
  });

  expect(outcome).toEqual({ ok: true });
  const changed = await until(() =>
    workspace.messages(workspace.channels.alerts).find(({ text }) => text === 'Approved'),
  );
  expect(changed).toMatchObject({ ts: message_ts, edited: { user: workspace.botUserId } });
  expect(changed.blocks).toBeUndefined();
  expect(clicks).toEqual([
    {
      action: {
        type: 'button',
        action_id: 'approve',
        block_id: 'row',
        text: { type: 'plain_text', text: 'Yes' },
        value: '42',
        action_ts: expect.stringMatching(/^\d+\.\d{6}$/),
      },
      container: {
        type: 'message',
        message_ts,
        channel_id: workspace.channels.alerts,
        is_ephemeral: false,
      },
    },
  ]);
});
