import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { join } from 'node:path';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { patientServer, tempFolder, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const deliver = { mode: 'http', url: '' } as const;

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}/slack/events`;
}

async function httpApp(workspace: Workspace, prepare: (app: App) => void): Promise<void> {
  const { signingSecret } = workspace;
  const receiver = new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR });
  const app = new App({
    token: workspace.botToken,
    receiver,
    convoStore: false,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  prepare(app);
  const server = await receiver.start(0);
  onTestFinished(async () => {
    await receiver.stop();
  });
  workspace.setDelivery(urlOf(server));
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An app that writes down what it gets, verifies its address, and answers events as told. */
async function recorder(answer: () => { status: number; headers?: Record<string, string> } | undefined) {
  const received: Received[] = [];
  const server = patientServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (body.includes('"url_verification"')) {
      response.end(JSON.stringify({ challenge: JSON.parse(body).challenge }));
      return;
    }
    received.push({ headers: request.headers, body });
    const told = answer();
    if (told) response.writeHead(told.status, told.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: urlOf(server) };
}

test('events, commands and clicks reach a Bolt app over signed HTTP', async () => {
  const workspace = await testWorkspace({ deliver });
  const channel = workspace.channels.general;
  const clicked: string[] = [];
  await httpApp(workspace, (app) => {
    app.event('app_mention', async ({ event, say }) => {
      const button = {
        type: 'button',
        action_id: 'go',
        text: { type: 'plain_text', text: 'Go' },
        value: 'v',
      } as const;
      await say({
        text: 'Shall I?',
        blocks: [{ type: 'actions', block_id: 'row', elements: [button] }],
        thread_ts: event.ts,
      });
    });
    app.command('/echo', async ({ command, ack }) =>
      ack({ response_type: 'in_channel', text: `>${command.text}` }),
    );
    app.action('go', async ({ ack, body }) => {
      clicked.push(body.user.id);
      await ack();
    });
  });

  const { ts } = await workspace.post({ channel, user: ALICE, text: `<@${workspace.botUserId}> hi` });
  const answer = await until(() => workspace.messages(channel, ts)[1]);
  const click = { as: ALICE, channel, message_ts: answer.ts, block_id: 'row', action_id: 'go' };
  expect(await workspace.action(click)).toEqual({ ok: true });
  expect(clicked).toEqual([ALICE]);
  const command = { as: ALICE, channel, command: '/echo', text: 'hello' };
  expect(await workspace.command(command)).toEqual({ ok: true });
  const echoed = workspace.messages(channel).at(-1);
  expect(echoed).toMatchObject({ text: '>hello' });
  expect(echoed?.ephemeral_to).toBeUndefined();
});

test('shortcuts, modals and their submissions go over signed HTTP too', async () => {
  const workspace = await testWorkspace({ deliver });
  const channel = workspace.channels.general;
  const heard: unknown[] = [];
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  await httpApp(workspace, (app) => {
    app.shortcut('look', async ({ ack, shortcut, client }) => {
      const input = {
        type: 'input',
        block_id: 'title',
        label: plain('Title'),
        element: { type: 'plain_text_input', action_id: 'text', initial_value: 'a & b' },
      } as const;
      await client.views.open({
        trigger_id: shortcut.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'form',
          notify_on_close: true,
          title: plain('Form'),
          submit: plain('Go'),
          blocks: [input],
        },
      });
      await ack();
    });
    app.view('form', async ({ ack, view }) => {
      heard.push(view.state.values.title?.text?.value);
      await ack({ response_action: 'errors', errors: { title: 'No.' } });
    });
    app.view({ type: 'view_closed', callback_id: 'form' }, async ({ ack, body }) => {
      heard.push(body.type);
      await ack();
    });
  });
  const { ts } = await workspace.post({ channel, text: 'x' });
  await workspace.shortcut({ as: ALICE, callback_id: 'look', channel, message_ts: ts });
  const view_id = workspace.views(ALICE)[0]?.id ?? '';
  expect(await workspace.submit({ as: ALICE, view_id, values: {} })).toEqual({
    ok: false,
    error: 'No.',
    errors: { title: 'No.' },
  });
  expect(await workspace.closeView({ as: ALICE, view_id })).toEqual({ ok: true });
  expect(heard).toEqual(['a & b', 'view_closed']);
});

test('every delivery is signed over its own body', async () => {
  const workspace = await testWorkspace({ deliver });
  const app = await recorder(() => ({ status: 200 }));
  workspace.setDelivery(app.url);
  await workspace.post({ channel: 'alerts', text: 'signed' });
  const { headers, body } = await until(() => app.received[0]);
  const base = `v0:${headers['x-slack-request-timestamp']}:${body}`;
  const digest = createHmac('sha256', workspace.signingSecret).update(base).digest('hex');
  expect(headers['x-slack-signature']).toBe(`v0=${digest}`);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['x-slack-retry-num']).toBeUndefined();
});

test('a refused delivery comes again with its number and reason, until the app says not to', async () => {
  const clock = manualClock();
  const file = join(await tempFolder(), 'workspace.db');
  const workspace = await testWorkspace({ deliver, clock, file });
  const db = new Database(file, { readonly: true });
  onTestFinished(() => void db.close());
  const attempts = () => db.prepare('SELECT attempt FROM deliveries').pluck().all();
  const answers = [{ status: 500 }, undefined, { status: 500, headers: { 'x-slack-no-retry': '1' } }];
  const app = await recorder(() => answers.shift());
  workspace.setDelivery(app.url);
  await workspace.post({ channel: 'alerts', text: 'again' });
  await until(() => app.received.length === 2);
  await clock.pass(3_000);
  await until(() => attempts()[0] === 2);
  await clock.pass(60_000);
  await until(() => app.received.length === 3 && attempts().length === 0);
  await clock.pass(3_600_000);
  const retries = app.received.map(({ headers }) => [
    headers['x-slack-retry-num'],
    headers['x-slack-retry-reason'],
  ]);
  expect(retries).toEqual([
    [undefined, undefined],
    ['1', 'http_error'],
    ['2', 'http_timeout'],
  ]);
});

test('an address that does not give the challenge back gets no events', async () => {
  const workspace = await testWorkspace({ deliver, retryDelays: [] });
  let requests = 0;
  const server = patientServer((request, response) => {
    requests += 1;
    request.resume();
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  workspace.setDelivery(urlOf(server));
  const command = { as: ALICE, channel: workspace.channels.general, command: '/echo', text: 'x' };
  expect(await workspace.command(command)).toMatchObject({ ok: false });
  expect(requests).toBe(1);
});
