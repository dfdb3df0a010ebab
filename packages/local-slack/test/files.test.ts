import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, eventsOf, refusalOf, tempFolder, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';
import { DOT, pngHead } from './support/pictures.ts';

const FILE_ID = /^F[A-Z0-9]{10}$/;

async function send(workspace: Workspace, filename: string, body: Buffer, length = body.length) {
  const { files } = clientOf(workspace);
  const { upload_url = '', file_id = '' } = await files.getUploadURLExternal({ filename, length });
  const response = await fetch(upload_url, { method: 'POST', body: new Uint8Array(body) });
  return { file_id, status: response.status, words: await response.text(), upload_url };
}

async function completed(workspace: Workspace, filename: string, body: Buffer): Promise<string> {
  const { file_id } = await send(workspace, filename, body);
  const answer = await clientOf(workspace).files.completeUploadExternal({ files: [{ id: file_id }] });
  expect(answer.files).toMatchObject([{ id: file_id, title: filename, shares: {} }]);
  return file_id;
}

test('uploadV2 puts a file into a thread a moment later, and the app hears of it', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const events = await eventsOf(workspace);
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'root' });
  await client.files.uploadV2({
    channel_id: channel,
    thread_ts: ts,
    initial_comment: 'All of it',
    file: Buffer.from('{"a": 1}\n'),
    filename: 'raw.json',
    title: 'Raw data',
    alt_text: 'What was found',
  });
  const [uploaded] = workspace.files();
  expect(workspace.messages(channel, ts)).toHaveLength(1);

  await clock.pass(300);
  const { messages = [] } = await client.conversations.replies({ channel, ts });
  const file = {
    id: expect.stringMatching(FILE_ID),
    name: 'raw.json',
    title: 'Raw data',
    mimetype: 'application/json',
    filetype: 'json',
    size: 9,
    alt_txt: 'What was found',
    user: workspace.botUserId,
    preview: '{"a": 1}',
    lines: 1,
  };
  const [, reply] = messages;
  expect(reply).toMatchObject({ text: 'All of it', thread_ts: ts, user: workspace.botUserId, files: [file] });
  expect(reply).not.toHaveProperty('subtype');
  const shared = await until(() => events.find(({ subtype }) => subtype === 'file_share'));
  expect(shared).toMatchObject({ type: 'message', thread_ts: ts, text: 'All of it', files: [file] });
  const told = await until(() => events.find(({ type }) => type === 'file_shared'));
  expect(told).toEqual({
    type: 'file_shared',
    file_id: uploaded?.id,
    user_id: workspace.botUserId,
    file: { id: uploaded?.id },
    channel_id: channel,
    event_ts: expect.any(String),
  });
  const info = await client.files.info({ file: uploaded?.id ?? '' });
  expect(info.content).toBe('{"a": 1}\n');
  expect(info.file?.shares).toEqual({
    public: { [channel]: [{ ts: reply?.ts, thread_ts: ts, channel_name: 'alerts', team_id: 'T0LOCAL001' }] },
  });
});

test('what a file is shows only after a while', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock, fileDelay: 2_000 });
  const file = await completed(workspace, 'graph.png', pngHead(1200, 600));
  const look = async () => (await clientOf(workspace).files.info({ file })).file;
  expect(await look()).toMatchObject({ id: file, mimetype: '', filetype: '' });
  expect(await look()).not.toHaveProperty('thumb_360');
  await clock.pass(1_999);
  expect(await look()).toMatchObject({ mimetype: '' });
  await clock.pass(1);
  expect(await look()).toMatchObject({
    mimetype: 'image/png',
    filetype: 'png',
    original_w: 1200,
    original_h: 600,
    thumb_360_w: 360,
    thumb_360_h: 180,
    is_public: false,
    channels: [],
  });
});

test('the bytes of a file decide what it is, not its name', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const kinds = await Promise.all(
    [
      ['dot.png', DOT],
      ['text.png', Buffer.from('no picture')],
      ['notes.md', Buffer.from('# Notes')],
      ['noise.md', Buffer.from([0xff, 0xfe, 0x00])],
      ['dot.gif', Buffer.from('R0lGODlhAQABAAAAACw=', 'base64')],
      ['log', Buffer.from('a line')],
    ].map(async ([name, bytes]) => {
      const file = await completed(workspace, String(name), Buffer.from(bytes ?? ''));
      return (await clientOf(workspace).files.info({ file })).file?.mimetype;
    }),
  );
  expect(kinds).toEqual([
    'image/png',
    'text/plain',
    'text/markdown',
    'application/octet-stream',
    'image/gif',
    'text/plain',
  ]);
});

test('a file comes as raw bytes or in a form, once, and as long as announced', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const raw = await send(workspace, 'a.txt', Buffer.from('raw'));
  expect([raw.status, raw.words]).toEqual([200, 'OK - 3']);
  const form = new FormData();
  form.set('filename', new Blob(['form']), 'a.txt');
  const client = clientOf(workspace);
  const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({
    filename: 'b.txt',
    length: 4,
  });
  expect((await fetch(upload_url, { method: 'POST', body: form })).status).toBe(200);
  await client.files.completeUploadExternal({ files: [{ id: file_id, title: 'B' }] });
  expect(workspace.fileBytes(file_id)?.toString()).toBe('form');
  expect((await fetch(upload_url, { method: 'POST', body: 'late' })).status).toBe(404);
  const again = client.files.completeUploadExternal({ files: [{ id: file_id }] });
  expect(await refusalOf(again)).toMatchObject({ error: 'file_not_found' });

  const short = await send(workspace, 'c.txt', Buffer.from('four'), 5);
  expect([short.status, short.words]).toEqual([400, '5 bytes were announced, but 4 arrived.']);
  const early = client.files.completeUploadExternal({ files: [{ id: short.file_id }] });
  expect(await refusalOf(early)).toMatchObject({ error: 'file_not_found' });
  expect(workspace.files()).toMatchObject([{ id: file_id, title: 'B' }]);
});

test('a deleted file leaves a tombstone, or takes a message that held nothing else with it', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const client = clientOf(workspace);
  const channel = workspace.channels.alerts;
  const share = async (initial_comment: string) => {
    const { file_id } = await send(workspace, 'a.txt', Buffer.from('x'));
    await client.files.completeUploadExternal({
      files: [{ id: file_id }],
      channel_id: channel,
      initial_comment,
    });
    return file_id;
  };
  const commented = await share('Look');
  const bare = await share('');
  expect(workspace.messages(channel).map(({ text, files }) => [text, files?.[0]?.state])).toEqual([
    ['Look', 'ready'],
    ['', 'ready'],
  ]);
  await client.files.delete({ file: commented });
  await client.files.delete({ file: bare });
  expect(workspace.messages(channel).map(({ text, files }) => [text, files])).toEqual([
    ['Look', [{ id: commented, state: 'deleted', name: '', title: '', kind: '', size: 0 }]],
  ]);
  const { messages } = await client.conversations.history({ channel });
  expect(messages).toMatchObject([{ files: [{ id: commented, mode: 'tombstone' }] }]);
  expect(workspace.fileBytes(commented)).toBeUndefined();
});

test('files are listed, the newest first, also of one channel', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const client = clientOf(workspace);
  const first = await completed(workspace, 'first.txt', Buffer.from('1'));
  const { file_id: second } = await send(workspace, 'second.txt', Buffer.from('2'));
  const channel = workspace.channels.general;
  await client.files.completeUploadExternal({ files: [{ id: second }], channel_id: channel });
  await send(workspace, 'pending.txt', Buffer.from('3'));
  const listed = async (args: { channel?: string; count?: number; page?: number }) => {
    const { files = [], paging } = await client.files.list(args);
    return { ids: files.map(({ id }) => id), paging };
  };
  const paging = { count: 100, total: 2, page: 1, pages: 1 };
  expect(await listed({})).toEqual({ ids: [second, first], paging });
  expect(await listed({ channel })).toEqual({ ids: [second], paging: { ...paging, total: 1 } });
  expect((await listed({ count: 1, page: 2 })).ids).toEqual([first]);
  expect(workspace.files().map(({ shares }) => shares)).toEqual([[{ channel, ts: expect.any(String) }], []]);
});

test('room is made by dropping the oldest files that nobody can see', async () => {
  const workspace = await testWorkspace({ fileDelay: 0, fileStorage: 10 });
  const client = clientOf(workspace);
  const four = Buffer.from('four');
  const seen = await send(workspace, 'seen.txt', four);
  const channel_id = workspace.channels.alerts;
  await client.files.completeUploadExternal({ files: [{ id: seen.file_id }], channel_id });
  const unseen = await completed(workspace, 'unseen.txt', four);
  const third = await completed(workspace, 'third.txt', four);
  expect([seen.file_id, unseen, third].map((id) => workspace.fileBytes(id)?.toString())).toEqual([
    'four',
    undefined,
    'four',
  ]);
  expect((await send(workspace, 'large.txt', Buffer.alloc(7))).status).toBe(507);
});

test('files need their scopes, and their private addresses the token', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const file = await completed(workspace, 'my graph.png', DOT);
  const url = (await clientOf(workspace).files.info({ file })).file?.url_private ?? '';
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(302);
  const open = await fetch(url, { headers: { authorization: `Bearer ${workspace.botToken}` } });
  expect(Buffer.from(await open.arrayBuffer())).toEqual(DOT);
  const poor = clientOf(await testWorkspace({ scopes: ['chat:write'] }));
  expect(await refusalOf(poor.files.info({ file }))).toMatchObject({
    error: 'missing_scope',
    needed: 'files:read',
  });
  expect(await refusalOf(poor.files.getUploadURLExternal({ filename: 'a', length: 1 }))).toMatchObject({
    error: 'missing_scope',
    needed: 'files:write',
  });
});

test('what was completed is shared even where the workspace stops before its time', async () => {
  const file = join(await tempFolder(), 'workspace.db');
  const first = await testWorkspace({ file, fileDelay: 60_000 });
  const { file_id } = await send(first, 'a.txt', Buffer.from('x'));
  const channel_id = first.channels.alerts;
  await clientOf(first).files.completeUploadExternal({ files: [{ id: file_id }], channel_id });
  expect(first.messages(channel_id)).toEqual([]);
  await first.close();
  const second = await testWorkspace({ file });
  expect(second.messages(channel_id)).toMatchObject([{ files: [{ id: file_id, preview: 'x' }] }]);
  expect(second.fileBytes(file_id)?.toString()).toBe('x');
  const { file: known } = await clientOf(second).files.info({ file: file_id });
  expect(known?.mimetype).toBe('text/plain');
});
