import { expect, test } from 'vitest';
import { clientOf, eventsOf, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const anyTs = expect.stringMatching(/^\d{10}\.\d{6}$/);
const code = async (call: Promise<unknown>) =>
  call.then(
    () => 'fine',
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

const around = (channel: string) => ({
  type: 'message',
  channel,
  channel_type: 'channel',
  hidden: true,
  ts: anyTs,
  event_ts: anyTs,
});

test('a webhook’s message is changed with what it was before, and by nobody in particular', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({
    channel,
    username: 'Hook',
    text: 'Disk is full',
    attachments: [{ color: 'danger', text: 'df says 100 %', fallback: 'df' }],
  });
  await workspace.edit({ channel: 'alerts', ts, text: 'Disk is fine', attachments: [] });
  await until(() => events.length === 2);
  const was = { type: 'message', subtype: 'bot_message', bot_id: 'B486F6F6B0', username: 'Hook', ts };
  expect(events[1]).toEqual({
    ...around(channel),
    subtype: 'message_changed',
    message: { ...was, text: 'Disk is fine' },
    previous_message: {
      ...was,
      text: 'Disk is full',
      attachments: [{ id: 1, color: 'a30200', text: 'df says 100 %', fallback: 'df' }],
    },
  });
  expect(workspace.messages(channel)).toMatchObject([{ ts, text: 'Disk is fine' }]);
});

test('a person’s edit bears their name and new rich text; another app’s its user', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.general;
  const typed = await workspace.post({ channel, user: ALICE, text: 'frist' });
  await workspace.edit({ channel, ts: typed.ts, text: 'first' });
  const app = await workspace.post({ channel, app: { app_id: 'A1', name: 'Datadog' }, text: 'Triggered' });
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'Recovered' } };
  await workspace.edit({ channel, ts: app.ts, blocks: [section] });
  await until(() => events.length === 4);
  expect(events[1]).toMatchObject({
    subtype: 'message_changed',
    message: {
      text: 'first',
      edited: { user: ALICE, ts: anyTs },
      blocks: [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] }],
        },
      ],
    },
    previous_message: { text: 'frist' },
  });
  const user = 'U446174616';
  expect(events[3]).toMatchObject({ message: { text: 'Recovered', edited: { user, ts: anyTs } } });
});

test('the preview of a link is a change that nobody made', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.general;
  const { ts } = await workspace.post({ channel, user: ALICE, text: '<https://example.com>' });
  const preview = { from_url: 'https://example.com', title: 'Example', fallback: 'Example' };
  await workspace.edit({ channel, ts, attachments: [preview], unfurl: true });
  await until(() => events.length === 2);
  const message = Object(events[1]?.message);
  expect([events[1]?.subtype, message.text, message.attachments, 'edited' in message]).toEqual([
    'message_changed',
    '<https://example.com>',
    [{ id: 1, ...preview }],
    false,
  ]);
});

test('an edit of a thread’s root says that it has replies', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, username: 'Hook', text: 'Firing' });
  const reply = await clientOf(workspace).chat.postMessage({ channel, text: 'Card', thread_ts: ts });
  await workspace.edit({ channel, ts, text: 'Resolved' });
  await until(() => events.length === 3);
  const thread = {
    thread_ts: ts,
    reply_count: 1,
    reply_users_count: 1,
    reply_users: [workspace.botUserId],
    latest_reply: reply.ts,
  };
  expect(events[2]).toMatchObject({
    message: { text: 'Resolved', ...thread },
    previous_message: { text: 'Firing', ...thread },
  });
});

test('a deleted message is told with what it was; a root with replies leaves a tombstone', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const root = await workspace.post({ channel, username: 'Hook', text: 'root' });
  const reply = await workspace.post({ channel, user: ALICE, text: 'reply', thread_ts: root.ts });
  await workspace.remove('alerts', root.ts);
  await workspace.remove('alerts', reply.ts);
  await until(() => events.length === 4);
  expect(events[2]).toMatchObject({
    ...around(channel),
    subtype: 'message_changed',
    message: {
      type: 'message',
      subtype: 'tombstone',
      text: 'This message was deleted.',
      user: 'USLACKBOT',
      hidden: true,
      ts: root.ts,
      thread_ts: root.ts,
      reply_count: 1,
    },
    previous_message: { text: 'root' },
  });
  expect(events[3]).toMatchObject({
    ...around(channel),
    subtype: 'message_deleted',
    deleted_ts: reply.ts,
    previous_message: { text: 'reply', user: ALICE, thread_ts: root.ts },
  });
});

test('the app’s own messages are the app’s to change, and what is not there cannot be', async () => {
  const workspace = await testWorkspace();
  const channel = workspace.channels.alerts;
  const { ts = '' } = await clientOf(workspace).chat.postMessage({ channel, text: 'mine' });
  const never = '1600000000.000001';
  const other = await workspace.post({ channel, text: 'x' });
  expect([
    await code(workspace.edit({ channel, ts, text: 'x' })),
    await code(workspace.remove(channel, ts)),
    await code(workspace.edit({ channel, ts: never, text: 'x' })),
    await code(workspace.edit({ channel: 'nowhere', ts, text: 'x' })),
    await code(workspace.edit({ channel, ts: other.ts, text: '' })),
  ]).toEqual([
    'cant_update_message',
    'cant_delete_message',
    'message_not_found',
    'channel_not_found',
    'no_text',
  ]);
});
