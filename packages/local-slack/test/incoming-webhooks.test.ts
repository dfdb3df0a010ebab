import { expect, test } from 'vitest';
import { PagePanel } from '../src/page-panel.ts';
import type { Workspace } from '../src/workspace.ts';
import { servePage, testWorkspace } from '../testing/index.ts';

interface Address {
  channel: string;
  name: string;
  url: string;
}

/** The addresses that the panel shows, at the Web API's own port. */
async function addressesOf(workspace: Workspace): Promise<Address[]> {
  const page = await servePage(workspace);
  const { webhooks } = PagePanel.parse(await (await fetch(new URL('/page-api/stage', page))).json());
  return webhooks.map((one) => ({ ...one, url: new URL(new URL(one.url).pathname, workspace.apiUrl).href }));
}

/** The address for `#alerts`. */
async function alertsAddress(workspace: Workspace): Promise<string> {
  const found = (await addressesOf(workspace)).find(({ channel }) => channel === workspace.channels.alerts);
  return found?.url ?? '';
}

async function post(url: string, body: string, type = 'application/json'): Promise<[number, string]> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  return [response.status, await response.text()];
}

const json = (url: string, body: unknown) => post(url, JSON.stringify(body));

const newest = (workspace: Workspace) => workspace.messages(workspace.channels.alerts).at(-1);

test('each channel has an address of its own, which the panel shows; conversations of two have none', async () => {
  const workspace = await testWorkspace();
  const addresses = await addressesOf(workspace);
  expect(addresses.map(({ name }) => name)).toStrictEqual([
    'alerts',
    'general',
    'incidents',
    'payments',
    'secrets',
  ]);
  expect(new Set(addresses.map(({ url }) => url)).size).toBe(5);
  for (const { url } of addresses) expect(new URL(url).pathname).toMatch(/^\/services\/T\w+\/B\w+\/\w{24}$/u);
});

test('a webhook posts text, blocks and attachments, and is answered ok as text', async () => {
  const workspace = await testWorkspace();
  const url = await alertsAddress(workspace);
  expect(await json(url, { text: 'Down' })).toStrictEqual([200, 'ok']);
  expect(newest(workspace)).toMatchObject({ text: 'Down' });
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*Down*' } }];
  expect(await json(url, { blocks })).toStrictEqual([200, 'ok']);
  expect(newest(workspace)).toMatchObject({ blocks: [{ type: 'section' }] });
  const attachments = [{ title: '[FIRING:1] Down', color: 'danger', text: '' }];
  expect(await json(url, { username: 'Alertmanager', channel: '#general', attachments })).toStrictEqual([
    200,
    'ok',
  ]);
  expect(newest(workspace)).toMatchObject({ attachments: [{ title: '[FIRING:1] Down', color: 'a30200' }] });
});

test('a webhook takes JSON as it is, and in the field payload of a form', async () => {
  const workspace = await testWorkspace();
  const url = await alertsAddress(workspace);
  const form = new URLSearchParams({ payload: JSON.stringify({ text: 'from a form' }) }).toString();
  expect(await post(url, form, 'application/x-www-form-urlencoded')).toStrictEqual([200, 'ok']);
  expect(newest(workspace)).toMatchObject({ text: 'from a form' });
});

test('a webhook is refused in Slack’s words, as text', async () => {
  const workspace = await testWorkspace();
  const url = await alertsAddress(workspace);
  const [before] = [workspace.messages(workspace.channels.alerts).length];
  expect(await post(url, '{')).toStrictEqual([400, 'invalid_payload']);
  expect(await json(url, [])).toStrictEqual([400, 'invalid_payload']);
  expect(await json(url, { text: 7 })).toStrictEqual([400, 'invalid_payload']);
  expect(await post(url, 'payload=%7B', 'application/x-www-form-urlencoded')).toStrictEqual([
    400,
    'invalid_payload',
  ]);
  expect(await json(url, {})).toStrictEqual([400, 'no_text']);
  expect(await json(url, { blocks: [{ type: 'section' }] })).toStrictEqual([400, 'invalid_blocks']);
  expect(await json(url, { attachments: 'x' })).toStrictEqual([400, 'invalid_attachments']);
  expect(await json(url.replace(/\w{4}$/u, 'zzzz'), { text: 'x' })).toStrictEqual([403, 'invalid_token']);
  expect(await json(url.replace(/\/B\w+/u, '/B000'), { text: 'x' })).toStrictEqual([404, 'no_service']);
  expect(await json(url.replace(/\/T\w+/u, '/T000'), { text: 'x' })).toStrictEqual([404, 'no_team']);
  expect(workspace.messages(workspace.channels.alerts)).toHaveLength(before);
});

test('a webhook of an archived channel, or of one in which few may post, is refused', async () => {
  const workspace = await testWorkspace();
  const url = await alertsAddress(workspace);
  await workspace.restrict(workspace.channels.alerts);
  expect(await json(url, { text: 'x' })).toStrictEqual([403, 'action_prohibited']);
  await workspace.archive(workspace.channels.alerts);
  expect(await json(url, { text: 'x' })).toStrictEqual([410, 'channel_is_archived']);
});

test('a webhook is answered at the page’s address, too', async () => {
  const workspace = await testWorkspace();
  const page = await servePage(workspace);
  const url = new URL(new URL(await alertsAddress(workspace)).pathname, page).href;
  expect(await json(url, { text: 'at the page' })).toStrictEqual([200, 'ok']);
  expect(newest(workspace)).toMatchObject({ text: 'at the page' });
});
