import { SocketModeClient } from '@slack/socket-mode';
import { expect, onTestFinished, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';

/** The `response_url`s of the commands and clicks that reach the app. */
async function urlsOf(workspace: Workspace): Promise<string[]> {
  const client = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  const urls: string[] = [];
  const keep = async ({ ack, body }: { ack: () => Promise<void>; body: { response_url: string } }) => {
    urls.push(body.response_url);
    await ack();
  };
  client.on('slash_commands', keep);
  client.on('interactive', keep);
  await client.start();
  onTestFinished(() => client.disconnect());
  return urls;
}

async function answer(url: string | undefined, body: object): Promise<unknown> {
  const response = await fetch(url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [response.status, await response.text()];
}

const command = (workspace: Workspace) =>
  workspace.command({ as: ALICE, channel: workspace.channels.general, command: '/echo', text: 'x' });

test('a response_url takes five answers, for the person alone unless told otherwise', async () => {
  const workspace = await testWorkspace();
  const urls = await urlsOf(workspace);
  await command(workspace);
  const url = await until(() => urls[0]);
  expect(await answer(url, { text: 'only you' })).toEqual([200, 'ok']);
  expect(await answer(url, { response_type: 'in_channel', text: 'all' })).toEqual([200, 'ok']);
  const refused = JSON.stringify({ ok: false, error: 'no_text' });
  expect(await answer(url, {})).toEqual([404, refused]);
  for (const text of ['3', '4', '5']) expect(await answer(url, { text })).toEqual([200, 'ok']);
  const used = JSON.stringify({ ok: false, error: 'used_url' });
  expect(await answer(url, { text: '6' })).toEqual([404, used]);
  const shown = workspace.messages(workspace.channels.general);
  expect(shown.map(({ text, ephemeral_to }) => [text, ephemeral_to])).toEqual([
    ['only you', ALICE],
    ['all', undefined],
    ['3', ALICE],
    ['4', ALICE],
    ['5', ALICE],
  ]);
});

test('after half an hour it takes none', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const urls = await urlsOf(workspace);
  await command(workspace);
  await clock.pass(30 * 60_000);
  expect(await answer(urls[0], { text: 'just in time' })).toEqual([200, 'ok']);
  await clock.pass(1);
  const expired = JSON.stringify({ ok: false, error: 'expired_url' });
  expect(await answer(urls[0], { text: 'late' })).toEqual([404, expired]);
});

test('the answer to a click replaces or removes even what one person alone sees', async () => {
  const workspace = await testWorkspace();
  const urls = await urlsOf(workspace);
  const channel = workspace.channels.general;
  const blocks = [
    {
      type: 'actions',
      block_id: 'row',
      elements: [
        {
          type: 'static_select',
          action_id: 'pick',
          options: [{ text: { type: 'plain_text', text: 'One' }, value: '1' }],
        },
      ],
    },
  ];
  await clientOf(workspace).chat.postEphemeral({ channel, user: ALICE, text: 'pick', blocks });
  const message_ts = workspace.messages(channel)[0]?.ts ?? '';
  const click = (as: string, value: string) =>
    workspace.action({
      as,
      channel,
      message_ts,
      block_id: 'row',
      action_id: 'pick',
      selected_option: { value },
    });
  expect(await click('U0BOB00001', '1')).toEqual({ ok: false, error: 'That message no longer exists.' });
  expect(await click(ALICE, '2')).toEqual({ ok: false, error: 'That choice is not among the options.' });
  expect(await click(ALICE, '1')).toEqual({ ok: true });
  await answer(urls[0], { replace_original: true, text: 'picked' });
  expect(workspace.messages(channel)).toMatchObject([
    { ts: message_ts, text: 'picked', ephemeral_to: ALICE },
  ]);
  await answer(urls[0], { delete_original: true });
  expect(workspace.messages(channel)).toEqual([]);
});
