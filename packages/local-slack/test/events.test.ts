import { expect, test } from 'vitest';
import { clientOf, eventsOf, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

test('the app hears its own posts, edits and deletions, as Slack shapes them', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const metadata = { event_type: 'card', event_payload: { key: 'k' } };
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'first', metadata });
  await client.chat.update({ channel, ts, text: 'second' });
  await client.chat.delete({ channel, ts });
  await until(() => events.length === 3);

  const mine = {
    type: 'message',
    user: workspace.botUserId,
    bot_id: 'B0LOCAL001',
    app_id: 'A0LOCAL001',
    team: 'T0LOCAL001',
    bot_profile: {
      id: 'B0LOCAL001',
      app_id: 'A0LOCAL001',
      name: 'Tester',
      deleted: false,
      updated: expect.any(Number),
      team_id: 'T0LOCAL001',
      icons: { image_48: 'http://localhost:3000/icon.svg' },
    },
    ts,
  };
  const anyTs = expect.stringMatching(/^\d{10}\.\d{6}$/);
  const edited = { user: workspace.botUserId, ts: anyTs };
  const around = {
    type: 'message',
    channel,
    channel_type: 'channel',
    ts: anyTs,
    event_ts: anyTs,
    hidden: true,
  };
  expect(events).toEqual([
    { ...mine, text: 'first', channel, channel_type: 'channel', event_ts: ts },
    {
      ...around,
      subtype: 'message_changed',
      message: { ...mine, text: 'second', edited },
      previous_message: { ...mine, text: 'first' },
    },
    {
      ...around,
      subtype: 'message_deleted',
      deleted_ts: ts,
      previous_message: { ...mine, text: 'second', edited },
    },
  ]);
});

test('a person’s message bears what a client sends: rich text and an id; a reply names its parent', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.general;
  const root = await workspace.post({
    channel,
    user: ALICE,
    text: 'see <https://example.com|this> &amp; :eyes:',
  });
  const reply = await workspace.post({
    channel,
    user: 'U0EVE00001',
    text: '<!here> yes',
    thread_ts: root.ts,
  });
  await until(() => events.length === 2);
  const elements = (...inner: object[]) => [{ type: 'rich_text_section', elements: inner }];
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const block_id = expect.stringMatching(/^[A-Z0-9]{5}$/);
  const link = { type: 'link', url: 'https://example.com', text: 'this' };
  const text = (words: string) => ({ type: 'text', text: words });
  const rich = (...inner: object[]) => [{ type: 'rich_text', block_id, elements: elements(...inner) }];
  expect(events).toEqual([
    {
      type: 'message',
      user: ALICE,
      team: 'T0LOCAL001',
      client_msg_id: id,
      text: 'see <https://example.com|this> &amp; :eyes:',
      blocks: rich(text('see '), link, text(' & '), { type: 'emoji', name: 'eyes' }),
      channel,
      channel_type: 'channel',
      ts: root.ts,
      event_ts: root.ts,
    },
    {
      type: 'message',
      user: 'U0EVE00001',
      team: 'T0PARTNER01',
      client_msg_id: id,
      text: '<!here> yes',
      blocks: rich({ type: 'broadcast', range: 'here' }, text(' yes')),
      thread_ts: root.ts,
      parent_user_id: ALICE,
      channel,
      channel_type: 'channel',
      ts: reply.ts,
      event_ts: reply.ts,
    },
  ]);
});

test('the app hears nothing of channels it is not in, and of what its manifest does not ask for', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  await workspace.post({ channel: 'payments', user: ALICE, text: `<@${workspace.botUserId}> psst` });
  await clientOf(workspace).conversations.join({ channel: workspace.channels.payments });
  await workspace.post({ channel: ALICE, user: ALICE, text: 'a direct message' });
  await until(() => events.length === 2);
  expect(events).toMatchObject([
    { type: 'message', subtype: 'channel_join', user: workspace.botUserId },
    { type: 'message', channel_type: 'im', text: 'a direct message' },
  ]);
});

test('reactions are told with what they are on', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, user: ALICE, text: 'x' });
  const target = { channel, timestamp: ts, name: 'eyes' };
  await clientOf(workspace).reactions.add(target);
  await clientOf(workspace).reactions.remove(target);
  await until(() => events.length === 3);
  const shared = {
    user: workspace.botUserId,
    reaction: 'eyes',
    item: { type: 'message', channel, ts },
    item_user: ALICE,
    event_ts: expect.any(String),
  };
  expect(events.slice(1)).toEqual([
    { type: 'reaction_added', ...shared },
    { type: 'reaction_removed', ...shared },
  ]);
});
