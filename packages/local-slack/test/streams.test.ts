import { expect, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, eventsOf, refusalOf, tempFolder, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const TO = { recipient_user_id: ALICE, recipient_team_id: 'T0LOCAL001' };
const DM = 'D0ALICE001';

/** A question of Alice's to the app. */
async function asked(workspace: Workspace, text = 'Why?'): Promise<{ channel: string; thread_ts: string }> {
  const { ts } = await workspace.post({ channel: ALICE, user: ALICE, text });
  return { channel: DM, thread_ts: ts };
}

const answers = (workspace: Workspace, { channel, thread_ts }: { channel: string; thread_ts: string }) =>
  workspace.messages(channel, thread_ts).slice(1);

test('Slack’s own client streams an answer, and ends it with blocks and metadata', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const place = await asked(workspace);
  const stream = client.chatStream({ ...place, buffer_size: 5 });
  await stream.append({ markdown_text: '**It** ' });
  expect(answers(workspace, place)).toMatchObject([
    { text: '**It** ', streaming: true, blocks: [{ type: 'markdown', text: '**It** ' }] },
  ]);
  await stream.append({ markdown_text: 'is DNS' });
  await stream.append({ markdown_text: '.' });
  const metadata = { event_type: 'answer', event_payload: { key: 'a' } };
  const stopped = await stream.stop({ blocks: [{ type: 'divider' }], metadata });
  const whole = {
    text: '**It** is DNS.',
    thread_ts: place.thread_ts,
    user: workspace.botUserId,
    blocks: [
      { type: 'markdown', block_id: expect.any(String), text: '**It** is DNS.' },
      { type: 'divider', block_id: expect.any(String) },
    ],
  };
  expect(stopped.message).toMatchObject({ ...whole, streaming_state: 'completed', metadata });
  const [answer] = answers(workspace, place);
  expect(answer).toMatchObject(whole);
  expect(answer).not.toHaveProperty('streaming');
  const read = await client.conversations.replies({
    channel: DM,
    ts: place.thread_ts,
    include_all_metadata: true,
  });
  expect(read.messages?.[1]).toMatchObject({ ...whole, metadata });
});

test('the app hears of a stream when it begins and when it ends', async () => {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const events = await eventsOf(workspace);
  const place = await asked(workspace);
  const { ts = '' } = await chat.startStream({ ...place, markdown_text: 'a' });
  await chat.appendStream({ channel: DM, ts, markdown_text: 'b' });
  await chat.stopStream({ channel: DM, ts });
  await until(() => events.length >= 3);
  const seen = events.map(({ subtype, message, text }) => ({ subtype, text, message }));
  expect(seen).toMatchObject([
    { subtype: undefined, text: 'Why?' },
    { subtype: undefined, text: 'a' },
    { subtype: 'message_changed', message: { ts, text: 'ab', streaming_state: 'completed' } },
  ]);
  expect(events[1]).toMatchObject({ streaming_state: 'in_progress', channel_type: 'im' });
  expect(events).toHaveLength(3);
});

test('an open stream can be neither edited nor deleted; an ended one can', async () => {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const place = await asked(workspace);
  const { ts = '' } = await chat.startStream({ ...place, markdown_text: 'a' });
  expect(await refusalOf(chat.update({ channel: DM, ts, text: 'b' }))).toMatchObject({
    error: 'streaming_state_conflict',
  });
  expect(await refusalOf(chat.delete({ channel: DM, ts }))).toMatchObject({ error: 'cant_delete_message' });
  await chat.stopStream({ channel: DM, ts });
  await chat.update({ channel: DM, ts, text: 'b' });
  expect(answers(workspace, place)).toMatchObject([{ ts, text: 'b' }]);
  await chat.delete({ channel: DM, ts });
  expect(answers(workspace, place)).toEqual([]);
});

test('a stream ends five minutes after it began, however often it grew; its text stays and can be edited', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const { chat } = clientOf(workspace);
  const place = await asked(workspace);
  const { ts = '' } = await chat.startStream({ ...place, markdown_text: 'a' });
  await clock.pass(299_999);
  await chat.appendStream({ channel: DM, ts, markdown_text: 'b' });
  expect(answers(workspace, place)).toMatchObject([{ text: 'ab', streaming: true }]);
  await clock.pass(1);
  const [answer] = answers(workspace, place);
  expect(answer).toMatchObject({ text: 'ab' });
  expect(answer).not.toHaveProperty('streaming');
  const error = 'message_not_in_streaming_state';
  expect(await refusalOf(chat.appendStream({ channel: DM, ts, markdown_text: 'c' }))).toMatchObject({
    error,
  });
  expect(await refusalOf(chat.stopStream({ channel: DM, ts }))).toMatchObject({ error });
  await chat.update({ channel: DM, ts, text: 'abc' });
  expect(answers(workspace, place)).toMatchObject([{ ts, text: 'abc' }]);
});

test('a stream outlives a restart of the workspace, and its time goes on', async () => {
  const clock = manualClock();
  const file = `${await tempFolder()}/workspace.db`;
  const first = await testWorkspace({ clock, file, streamLife: 1_000 });
  const place = await asked(first);
  const { ts = '' } = await clientOf(first).chat.startStream({ ...place, markdown_text: 'a' });
  await first.close();
  const second = await testWorkspace({ clock, file });
  await clientOf(second).chat.appendStream({ channel: DM, ts, markdown_text: 'b' });
  expect(answers(second, place)).toMatchObject([{ text: 'ab', streaming: true }]);
  await clock.pass(1_000);
  expect(answers(second, place)[0]).not.toHaveProperty('streaming');
  const third = clientOf(second).chat.appendStream({ channel: DM, ts, markdown_text: 'c' });
  expect(await refusalOf(third)).toMatchObject({ error: 'message_not_in_streaming_state' });
});

test('in a channel one person sees it grow, and the others what it began with', async () => {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const { ts = '' } = await chat.startStream({ channel, thread_ts, ...TO });
  await chat.appendStream({ channel, ts, markdown_text: 'First words' });
  await chat.appendStream({ channel, ts, markdown_text: ' and more' });
  const [open] = answers(workspace, { channel, thread_ts });
  expect(open).toMatchObject({
    text: 'First words and more',
    streaming: true,
    streaming_to: ALICE,
    began: 'First words',
  });
  await chat.stopStream({ channel, ts });
  const [ended] = answers(workspace, { channel, thread_ts });
  expect(ended).toMatchObject({ text: 'First words and more' });
  expect([ended?.streaming, ended?.streaming_to, ended?.began]).toEqual([undefined, undefined, undefined]);
});

test('a person who is answered can stop it; the app learns it by its next call', async () => {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const { ts = '' } = await chat.startStream({ channel, thread_ts, ...TO, markdown_text: 'a' });
  expect(await workspace.stopStream({ as: BOB, channel, ts })).toEqual({
    ok: false,
    error: 'Only the person it answers can stop it.',
  });
  expect(await workspace.stopStream({ as: ALICE, channel, ts })).toEqual({ ok: true });
  const error = 'stopped_by_user';
  expect(await refusalOf(chat.appendStream({ channel, ts, markdown_text: 'b' }))).toMatchObject({ error });
  expect(await refusalOf(chat.stopStream({ channel, ts }))).toMatchObject({ error });
  expect(await workspace.stopStream({ as: ALICE, channel, ts })).toEqual({
    ok: false,
    error: 'That message is no longer streaming.',
  });
  await chat.update({ channel, ts, text: 'a, stopped' });
  expect(answers(workspace, { channel, thread_ts })).toMatchObject([{ text: 'a, stopped' }]);
});

test('a stream that began with nothing takes text or chunks, and then only that', async () => {
  const workspace = await testWorkspace();
  const { chat } = clientOf(workspace);
  const place = await asked(workspace);
  const { ts = '' } = await chat.startStream(place);
  const chunks = [{ type: 'markdown_text' as const, text: 'a' }];
  await chat.appendStream({ channel: DM, ts, chunks });
  const text = chat.stopStream({ channel: DM, ts, markdown_text: 'b' });
  expect(await refusalOf(text)).toMatchObject({ error: 'streaming_mode_mismatch' });
  await chat.stopStream({ channel: DM, ts, chunks });
  expect(answers(workspace, place)).toMatchObject([{ text: 'aa' }]);
});

test('no more than 20 streams begin in a minute', async () => {
  const workspace = await testWorkspace({ clock: manualClock() });
  const { chat } = clientOf(workspace);
  const place = await asked(workspace);
  for (let n = 0; n < 20; n += 1) await chat.startStream(place);
  await expect(chat.startStream(place)).rejects.toMatchObject({ retryAfter: 3 });
});
