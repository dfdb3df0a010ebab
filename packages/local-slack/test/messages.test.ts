import { expect, test } from 'vitest';
import { clientOf, refusalOf, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

test('metadata is kept, and given back only where it is asked for', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const metadata = { event_type: 'post', event_payload: { key: 'card-1' } };
  const root = await client.chat.postMessage({ channel, text: 'root' });
  const ts = root.ts ?? '';
  await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts, metadata });

  const plain = await client.conversations.replies({ channel, ts });
  const full = await client.conversations.replies({ channel, ts, include_all_metadata: true });
  expect(plain.messages?.map((message) => message.metadata)).toEqual([undefined, undefined]);
  expect(full.messages?.map((message) => message.metadata)).toEqual([undefined, metadata]);
  expect(full.messages?.[0]).toMatchObject({ ts, thread_ts: ts, reply_count: 1, reply_users_count: 1 });
});

test('history gives the top level, newest first, page after page', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const texts = ['one', 'two', 'three', 'four', 'five'];
  const sent: string[] = [];
  for (const text of texts) sent.push((await workspace.post({ channel, text })).ts);
  await workspace.post({ channel, text: 'a reply', thread_ts: sent[0] ?? '' });

  const seen: (string | undefined)[][] = [];
  for await (const page of client.paginate('conversations.history', { channel, limit: 2 })) {
    const messages = 'messages' in page && Array.isArray(page.messages) ? page.messages : [];
    seen.push(messages.map((message) => message.text));
  }
  expect(seen).toEqual([['five', 'four'], ['three', 'two'], ['one']]);

  const between = await client.conversations.history({
    channel,
    oldest: sent[1] ?? '',
    latest: sent[3] ?? '',
  });
  expect(between.messages?.map((message) => message.text)).toEqual(['three']);
  const inclusive = await client.conversations.history({
    channel,
    oldest: sent[1] ?? '',
    latest: sent[3] ?? '',
    inclusive: true,
  });
  expect(inclusive.messages?.map((message) => message.text)).toEqual(['four', 'three', 'two']);
});

test('a thread is paged with its root first', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts } = await workspace.post({ channel, user: ALICE, text: 'root' });
  for (const text of ['a', 'b', 'c']) await workspace.post({ channel, user: ALICE, text, thread_ts: ts });

  const first = await client.conversations.replies({ channel, ts, limit: 2 });
  const cursor = first.response_metadata?.next_cursor ?? '';
  const second = await client.conversations.replies({ channel, ts, limit: 2, cursor });
  expect(first.messages?.map((message) => message.text)).toEqual(['root', 'a']);
  expect(second.messages?.map((message) => message.text)).toEqual(['b', 'c']);
  expect(second.has_more).toBe(false);
});

test('a reply names its thread by any of its messages, and its parent’s author', async () => {
  const workspace = await testWorkspace();
  const channel = workspace.channels.general;
  const root = await workspace.post({ channel, user: ALICE, text: 'root' });
  const reply = await workspace.post({ channel, user: ALICE, text: 'reply', thread_ts: root.ts });
  const posted = await clientOf(workspace).chat.postMessage({ channel, text: 'mine', thread_ts: reply.ts });
  expect(posted.message).toMatchObject({ thread_ts: root.ts, parent_user_id: ALICE });
});

test('a reply to a deleted message lands at the top level; to one that never was, it is refused', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'root' });
  await client.chat.delete({ channel, ts });

  const landed = await client.chat.postMessage({ channel, text: 'late', thread_ts: ts });
  expect(landed.message?.thread_ts).toBeUndefined();
  const never = client.chat.postMessage({ channel, text: 'x', thread_ts: '1600000000.000001' });
  expect(await refusalOf(never)).toMatchObject({ error: 'thread_not_found' });
});

test('a deleted root with replies leaves a tombstone', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'root' });
  const reply = await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts });
  await client.chat.delete({ channel, ts });

  const { messages } = await client.conversations.history({ channel });
  expect(messages).toMatchObject([{ ts, subtype: 'tombstone', text: 'This message was deleted.' }]);
  const thread = await client.conversations.replies({ channel, ts: reply.ts ?? '' });
  expect(thread.messages).toMatchObject([{ ts, subtype: 'tombstone' }, { text: 'reply' }]);
  const again = client.chat.update({ channel, ts, text: 'x' });
  expect(await refusalOf(again)).toMatchObject({ error: 'message_not_found' });
});

test('an edit keeps blocks only where neither blocks nor a text come', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const blocks = [{ type: 'divider', block_id: 'd' }];
  const attachments = [{ text: 'more', color: '#aabbcc' }];
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'first', blocks, attachments });
  await client.chat.update({ channel, ts, attachments: [] });
  expect(workspace.messages(channel)).toMatchObject([{ text: 'first', blocks }]);
  expect(workspace.messages(channel)[0]?.attachments).toBeUndefined();
  await client.chat.update({ channel, ts, text: 'second' });
  expect(workspace.messages(channel)[0]).toMatchObject({
    text: 'second',
    edited: { user: workspace.botUserId },
  });
  expect(workspace.messages(channel)[0]?.blocks).toBeUndefined();
});

test('where it has joined it may post', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const { payments } = workspace.channels;
  await client.conversations.join({ channel: payments });
  expect(await client.chat.postMessage({ channel: payments, text: 'now' })).toMatchObject({ ok: true });
});

test('a posted text is cut at 40,000 characters, an edited one may have 4,000 bytes', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const posted = await client.chat.postMessage({ channel, text: 'x'.repeat(40_001) });
  expect(posted.message?.text).toHaveLength(40_000);
  const ts = posted.ts ?? '';
  const wide = client.chat.update({ channel, ts, text: 'é'.repeat(2_001) });
  expect(await refusalOf(wide)).toMatchObject({ error: 'msg_too_long' });
  expect(await client.chat.update({ channel, ts, text: 'é'.repeat(2_000) })).toMatchObject({ ok: true });
});

test('a reaction stands on the message until it is taken away', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, text: 'x' });
  const eyes = { channel, timestamp: ts, name: 'eyes' };
  await client.reactions.add(eyes);
  const got = await client.reactions.get({ channel, timestamp: ts });
  const reactions = [{ name: 'eyes', users: [workspace.botUserId], count: 1 }];
  expect(got.message?.reactions).toEqual(reactions);
  expect(workspace.messages(channel)).toMatchObject([{ reactions }]);
  await client.reactions.remove(eyes);
  expect(workspace.messages(channel)[0]?.reactions ?? []).toEqual([]);
});

test('an ephemeral message is seen by one person and is in no history', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.general;
  await client.chat.postEphemeral({ channel, user: ALICE, text: 'psst' });
  expect(workspace.messages(channel)).toMatchObject([{ text: 'psst', ephemeral_to: ALICE }]);
  expect((await client.conversations.history({ channel })).messages).toEqual([]);
});

test('a permalink leads to the page, with the thread of a reply', async () => {
  const workspace = await testWorkspace({ pageUrl: 'http://localhost:3999/' });
  const client = clientOf(workspace);
  const channel = workspace.channels.general;
  const root = await workspace.post({ channel, text: 'root' });
  const reply = await workspace.post({ channel, text: 'reply', thread_ts: root.ts });
  const link = async (message_ts: string) =>
    (await client.chat.getPermalink({ channel, message_ts })).permalink;
  const path = (ts: string) => `http://localhost:3999/archives/${channel}/p${ts.replace('.', '')}`;
  expect(await link(root.ts)).toBe(path(root.ts));
  expect(await link(reply.ts)).toBe(`${path(reply.ts)}?thread_ts=${root.ts}&cid=${channel}`);
});

test('a person’s conversation with the app is opened once', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const opened = await client.conversations.open({ users: ALICE });
  const direct = await client.chat.postMessage({ channel: ALICE, text: 'hello' });
  expect(direct.channel).toBe(opened.channel?.id);
  const info = await client.conversations.info({ channel: direct.channel ?? '' });
  expect(info.channel).toMatchObject({ is_im: true, user: ALICE });
});
