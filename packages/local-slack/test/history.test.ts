import { expect, test } from 'vitest';
import { clientOf, eventsOf, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const texts = (answer: { messages?: { text?: string }[] }) => answer.messages?.map(({ text }) => text);

test('what came since a moment is read page after page, and nothing of it twice or never', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const sent: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    await clock.pass(10);
    sent.push((await workspace.post({ channel, username: 'Hook', text: `alert ${n}` })).ts);
  }
  const oldest = sent[9] ?? '';
  const latest = sent[22] ?? '';
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.conversations.history({
      channel,
      oldest,
      latest,
      limit: 5,
      ...(cursor && { cursor }),
    });
    seen.push(texts(page)?.map((text) => Number(text?.slice(6))));
    cursor = page.response_metadata?.next_cursor;
    expect(page.has_more).toBe(cursor !== undefined);
    // What comes meanwhile is on no page of this walk.
    await workspace.post({ channel, username: 'Hook', text: 'alert 99' });
  } while (cursor);
  expect(seen).toEqual([
    [21, 20, 19, 18, 17],
    [16, 15, 14, 13, 12],
    [11, 10],
  ]);
});

test('a page that is exactly full is the last one where nothing is left', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  for (const text of ['a', 'b']) await workspace.post({ channel, text });
  const page = await client.conversations.history({ channel, limit: 2 });
  expect([texts(page), page.has_more, page.response_metadata?.next_cursor]).toEqual([
    ['b', 'a'],
    false,
    undefined,
  ]);
});

test('a thread’s replies since a moment come with its root, oldest first, page after page', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, text: 'root' });
  const sent: string[] = [];
  for (const text of ['a', 'b', 'c', 'd', 'e']) {
    sent.push((await workspace.post({ channel, user: ALICE, text, thread_ts: ts })).ts);
  }
  const range = { channel, ts, oldest: sent[0] ?? '', limit: 3 };
  const first = await client.conversations.replies(range);
  const cursor = first.response_metadata?.next_cursor ?? '';
  const second = await client.conversations.replies({ ...range, cursor });
  expect([texts(first), first.has_more]).toEqual([['root', 'b', 'c'], true]);
  expect([texts(second), second.has_more]).toEqual([['d', 'e'], false]);
});

test.each(['conversations.history', 'conversations.replies'])(
  '%s may be called fifty times a minute',
  async (method) => {
    const clock = manualClock();
    const workspace = await testWorkspace({ clock });
    const client = clientOf(workspace);
    const channel = workspace.channels.alerts;
    const { ts } = await workspace.post({ channel, text: 'root' });
    const call = () => client.apiCall(method, { channel, ts });
    for (let n = 0; n < 50; n += 1) await call();
    await expect(call()).rejects.toThrow('rate-limit');
    await clock.pass(1_200);
    await call();
    await expect(call()).rejects.toThrow('rate-limit');
  },
);

test('a reply that is broadcast stands in its thread and at the top level, with its root', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, username: 'Hook', text: 'alert' });
  const { ts: reply = '' } = await client.chat.postMessage({
    channel,
    thread_ts: ts,
    text: 'result',
    reply_broadcast: true,
  });
  await until(() => events.length === 2);
  const root = { type: 'message', text: 'alert', ts, thread_ts: ts, reply_count: 1, latest_reply: reply };
  const shown = { subtype: 'thread_broadcast', text: 'result', thread_ts: ts, ts: reply };
  expect(events[1]).toMatchObject({ type: 'message', ...shown, root, channel, event_ts: reply });
  expect((await client.conversations.history({ channel })).messages).toMatchObject([
    { ...shown, root },
    { text: 'alert' },
  ]);
  expect(texts(await client.conversations.replies({ channel, ts }))).toEqual(['alert', 'result']);
  expect(workspace.messages(channel)).toMatchObject([{ text: 'alert' }, shown]);
  expect(workspace.messages(channel, ts)).toMatchObject([{ text: 'alert' }, shown]);
  await client.chat.update({ channel, ts: reply, text: 'more' });
  expect(workspace.messages(channel)).toMatchObject([{ text: 'alert' }, { ...shown, text: 'more' }]);
});

test('another app broadcasts its reply too', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const app = { app_id: 'A1', name: 'Sentry' };
  const { ts } = await workspace.post({ channel, app, text: 'warning' });
  await workspace.post({ channel, app, text: 'critical', thread_ts: ts, reply_broadcast: true });
  await until(() => events.length === 2);
  expect(events[1]).toMatchObject({ subtype: 'thread_broadcast', thread_ts: ts, root: { text: 'warning' } });
  expect(texts({ messages: workspace.messages(channel) })).toEqual(['warning', 'critical']);
});

test('an ephemeral reply is in its thread, for one person', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, text: 'alert' });
  await client.chat.postEphemeral({ channel, user: ALICE, thread_ts: ts, text: 'psst' });
  expect(texts({ messages: workspace.messages(channel) })).toEqual(['alert']);
  expect(workspace.messages(channel, ts)).toMatchObject([
    { text: 'alert' },
    { text: 'psst', ephemeral_to: ALICE, thread_ts: ts },
  ]);
  expect(texts(await client.conversations.replies({ channel, ts }))).toEqual(['alert']);
});
