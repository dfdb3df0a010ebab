import { SocketModeClient } from '@slack/socket-mode';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, tempFolder, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';

interface Heard {
  text: string;
  retry_num: number;
  retry_reason: string;
}

/** Slack's own Socket Mode client, which acknowledges only where `answers` says so. */
async function listenBy(workspace: Workspace, answers: () => boolean): Promise<Heard[]> {
  const client = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  const heard: Heard[] = [];
  client.on('slack_event', async ({ ack, body, retry_num, retry_reason }) => {
    heard.push({ text: body.event.text, retry_num, retry_reason });
    if (answers()) await ack();
  });
  await client.start();
  onTestFinished(() => client.disconnect());
  return heard;
}

test('an event that is not acknowledged comes again at once, after a minute, after five, and is lost then', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const heard = await listenBy(workspace, () => false);
  await workspace.post({ channel: 'alerts', text: 'lost' });
  const times = async (count: number, ms: number) => {
    await clock.pass(ms);
    await until(() => heard.length === count);
  };
  await times(1, 0);
  await times(2, 3_000);
  await clock.pass(3_000);
  await clock.pass(59_000);
  expect(heard).toHaveLength(2);
  await times(3, 1_000);
  await clock.pass(3_000);
  await times(4, 300_000);
  await clock.pass(3_000);
  await clock.pass(3_600_000);
  expect(heard).toEqual([
    { text: 'lost', retry_num: 0, retry_reason: '' },
    { text: 'lost', retry_num: 1, retry_reason: 'timeout' },
    { text: 'lost', retry_num: 2, retry_reason: 'timeout' },
    { text: 'lost', retry_num: 3, retry_reason: 'timeout' },
  ]);
});

test('an event that is acknowledged comes once', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const heard = await listenBy(workspace, () => true);
  await workspace.post({ channel: 'alerts', text: 'one' });
  await until(() => heard.length === 1 && clock.sleeping() === 0);
  await clock.pass(3_000);
  await clock.pass(600_000);
  await workspace.post({ channel: 'alerts', text: 'two' });
  await until(() => heard.length === 2);
  expect(heard.map(({ text, retry_num }) => [text, retry_num])).toEqual([
    ['one', 0],
    ['two', 0],
  ]);
});

test('what happens while nobody is connected survives a restart and comes with a retry', async () => {
  const clock = manualClock();
  const folder = await tempFolder();
  const file = `${folder}/kept.db`;
  const before = await testWorkspace({ file, clock });
  const { ts } = await before.post({ channel: 'alerts', text: 'while away' });
  await before.close();

  const after = await testWorkspace({ file, clock });
  expect(after.botToken).toBe(before.botToken);
  expect(after.messages(after.channels.alerts)).toMatchObject([{ ts, text: 'while away' }]);
  const heard = await listenBy(after, () => true);
  await clock.pass(60_000);
  await until(() => heard.length === 1);
  expect(heard).toEqual([{ text: 'while away', retry_num: 2, retry_reason: 'connection_failed' }]);
});

test('a command that is not acknowledged within 3 seconds tells the person so, and does not come again', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const input = { as: ALICE, channel: workspace.channels.general, command: '/echo', text: 'x' };
  expect(await workspace.command(input)).toEqual({
    ok: false,
    error: '/echo failed: the app could not be reached or refused it (dispatch_failed).',
  });
  const client = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  let commands = 0;
  client.on('slash_commands', () => {
    commands += 1;
  });
  await client.start();
  onTestFinished(() => client.disconnect());
  const outcome = workspace.command(input);
  await until(() => commands === 1);
  await clock.pass(3_000);
  expect(await outcome).toEqual({
    ok: false,
    error: '/echo failed because the app did not respond (operation_timeout).',
  });
  await clock.pass(600_000);
  expect(commands).toBe(1);
  expect(await workspace.command({ ...input, command: '/nothing' })).toEqual({
    ok: false,
    error: '/nothing is not a valid command: no app in this workspace has it.',
  });
});

test('a ticket opens one connection, and the greeting says which app it is', async () => {
  const workspace = await testWorkspace();
  const { url = '' } = await clientOf(workspace, workspace.appToken).apps.connections.open();
  const first = new WebSocket(url);
  const hello = await new Promise((resolve) => first.once('message', (data) => resolve(String(data))));
  expect(JSON.parse(String(hello))).toMatchObject({
    type: 'hello',
    num_connections: 1,
    connection_info: { app_id: 'A0LOCAL001' },
  });
  const second = new WebSocket(url);
  const refused = await new Promise((resolve) => second.once('error', resolve));
  expect(refused).toMatchObject({ message: 'Unexpected server response: 403' });
});

test('an eleventh connection is turned away, and events go to one of the ten', async () => {
  const workspace = await testWorkspace();
  const seen: string[] = [];
  const open = async () => {
    const { url = '' } = await clientOf(workspace, workspace.appToken).apps.connections.open();
    const socket = new WebSocket(url);
    return new Promise<{ type: string; reason?: string }>((resolve) => {
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data));
        if (frame.type !== 'events_api') return resolve(frame);
        seen.push(frame.payload.event.text);
        socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
      });
    });
  };
  const greetings = [];
  for (let count = 0; count < 11; count += 1) greetings.push((await open()).type);
  expect(greetings).toEqual([...Array(10).fill('hello'), 'disconnect']);
  for (const text of ['a', 'b', 'c']) await workspace.post({ channel: 'alerts', text });
  await until(() => seen.length >= 3);
  expect(seen.sort()).toEqual(['a', 'b', 'c']);
});

test('a connection that is warned of its end gets nothing more once another is open', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const open = async () => {
    const { url = '' } = await clientOf(workspace, workspace.appToken).apps.connections.open();
    const socket = new WebSocket(url);
    const frames: { type: string; reason?: string; envelope_id?: string }[] = [];
    let closed = false;
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      frames.push(frame);
      if (frame.envelope_id) socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
    });
    socket.on('close', () => {
      closed = true;
    });
    await until(() => frames.some(({ type }) => type === 'hello'));
    return { frames, isClosed: () => closed };
  };
  const old = await open();
  workspace.disconnectSockets('warning');
  await until(() => old.frames.some(({ type }) => type === 'disconnect'));
  const fresh = await open();
  for (const text of ['a', 'b', 'c', 'd']) await workspace.post({ channel: 'alerts', text });
  await until(() => fresh.frames.filter(({ type }) => type === 'events_api').length === 4);
  expect(old.frames.map(({ type, reason }) => [type, reason])).toEqual([
    ['hello', undefined],
    ['disconnect', 'warning'],
  ]);
  expect(old.isClosed()).toBe(false);
  await clock.pass(10_000);
  await until(old.isClosed);
});
