import { expect, test } from 'vitest';
import type { PageMessage, PageState, PageView } from '../src/page-api.ts';
import { boltOn, clientOf, listenToPage, servePage, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

test('the state lists people, channels, commands and the app', async () => {
  const workspace = await testWorkspace();
  const page = await servePage(workspace);
  const state: PageState = JSON.parse(await (await fetch(`${page}/page-api/state`)).text());
  expect(state).toMatchObject({
    team: { id: 'T0LOCAL001', name: 'Local workspace' },
    bot: { user_id: workspace.botUserId, name: 'Tester', online: false },
    commands: [{ command: '/echo', description: 'Says it again', usage_hint: 'words' }],
    shortcuts: [
      { name: 'Look at this', type: 'message', callback_id: 'look', description: 'Looks at a message' },
      { name: 'Begin', type: 'global', callback_id: 'begin', description: 'Begins something' },
    ],
  });
  const names = state.channels.map(({ name, bot_is_member, members }) => [name, bot_is_member, members]);
  expect(names).toEqual([
    ['alerts', true, undefined],
    ['general', true, undefined],
    ['incidents', true, undefined],
    ['payments', false, undefined],
    ['secrets', true, [ALICE, 'U0BOB00001', workspace.botUserId]],
    ['alice', true, undefined],
    ...['U0ALICE001', 'U0BOB00001', 'U0CAROL001', 'U0GINA0001', 'U0EVE00001'].map((id) => [
      'Slackbot',
      false,
      [id],
    ]),
  ]);
  expect(state.users[0]).toEqual({
    id: ALICE,
    name: 'alice',
    real_name: 'Alice Admin',
    is_bot: false,
    color: '#9f69e7',
    role: 'admin',
  });
});

test('what a person writes is kept, and every open page hears of it at once', async () => {
  const workspace = await testWorkspace();
  const page = await servePage(workspace);
  const channel = workspace.channels.general;
  const heard = await listenToPage(page);

  const sent = await fetch(
    `${page}/page-api/messages`,
    json({ as: ALICE, channel, text: 'hi <@U0BOB00001>' }),
  );
  expect(await sent.json()).toEqual({ ok: true });

  const answer = await fetch(`${page}/page-api/messages?channel=${channel}`);
  const { messages }: { messages: PageMessage[] } = JSON.parse(await answer.text());
  expect(messages).toMatchObject([
    {
      channel,
      user: ALICE,
      text: 'hi <@U0BOB00001>',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'hi ' },
                { type: 'user', user_id: 'U0BOB00001' },
              ],
            },
          ],
        },
      ],
    },
  ]);
  await clientOf(workspace).chat.postMessage({ channel, text: 'reply', thread_ts: messages[0]?.ts ?? '' });
  const events = await until(() => heard().length === 3 && heard());
  expect(events).toMatchObject([
    { type: 'message', channel, message: { text: 'hi <@U0BOB00001>' } },
    { type: 'message', channel, message: { text: 'reply' } },
    { type: 'message_changed', channel, message: { reply_count: 1 } },
  ]);
});

test('who cannot do it is told so in a sentence', async () => {
  const workspace = await testWorkspace();
  const page = await servePage(workspace);
  const say = async (body: object) =>
    (await fetch(`${page}/page-api/messages`, json({ channel: workspace.channels.general, ...body }))).json();
  expect(await say({ as: 'U0NOBODY', text: 'x' })).toEqual({
    ok: false,
    error: 'This workspace has no such person.',
  });
  expect(await say({ as: ALICE, text: '' })).toEqual({ ok: false, error: 'Slack refused it: no_text.' });
  const lacking = await fetch(`${page}/page-api/messages`, json({ as: ALICE }));
  expect(lacking.status).toBe(400);
});

test('a modal is drawn, acted in, sent and closed over the page’s calls', async () => {
  const workspace = await testWorkspace();
  const acted: unknown[] = [];
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  await boltOn(workspace, (app) => {
    app.shortcut('begin', async ({ ack, body, client }) => {
      const row = {
        type: 'actions',
        block_id: 'row',
        elements: [{ type: 'button', action_id: 'test', text: plain('Test') }],
      } as const;
      const view = { type: 'modal', title: plain('Form'), submit: plain('Send'), blocks: [row] } as const;
      await client.views.open({ trigger_id: body.trigger_id, view: { ...view, blocks: [...view.blocks] } });
      await ack();
    });
    app.action('test', async ({ ack, body }) => {
      await ack();
      acted.push(body.type);
    });
    app.view(/.*/, async ({ ack }) => ack({ response_action: 'errors', errors: { none: 'x' } }));
  });
  const page = await servePage(workspace);
  const call = async (path: string, body: object) =>
    (await fetch(`${page}/page-api/${path}`, json({ as: ALICE, ...body }))).json();
  const open = async (as = ALICE): Promise<PageView[]> =>
    JSON.parse(await (await fetch(`${page}/page-api/views?as=${as}`)).text()).views;

  expect(await call('shortcuts', { callback_id: 'begin' })).toEqual({ ok: true });
  const [view] = await open();
  const view_id = view?.id ?? '';
  expect(view).toEqual({
    id: expect.stringMatching(/^V[A-Z0-9]{10}$/),
    user: ALICE,
    hash: expect.stringMatching(/^\d{10}\.[0-9a-f]{8}$/),
    title: plain('Form'),
    submit: plain('Send'),
    blocks: [
      {
        type: 'actions',
        block_id: 'row',
        elements: [{ type: 'button', action_id: 'test', text: plain('Test') }],
      },
    ],
  });
  expect(await open('U0BOB00001')).toEqual([]);
  const action = { view_id, block_id: 'row', action_id: 'test', state: { type: 'button' }, values: {} };
  expect(await call('views/action', action)).toEqual({ ok: true });
  expect(acted).toEqual(['block_actions']);
  expect(await call('views/submit', { view_id, values: {} })).toMatchObject({ ok: false });
  expect(await open()).toHaveLength(1);
  expect(await call('views/close', { view_id })).toEqual({ ok: true });
  expect(await open()).toEqual([]);
});

test('the page itself is served with its types and its policy, also at a permalink', async () => {
  const workspace = await testWorkspace();
  const page = await servePage(workspace);
  const index = await fetch(`${page}/archives/C0ALERTS01/p1`);
  expect(index.status).toBe(200);
  expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(index.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(index.headers.get('cache-control')).toBe('no-cache');
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await index.text()) ?? [];
  const asset = await fetch(page + script);
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(asset.headers.get('cache-control')).toContain('immutable');
  for (const path of ['/../package.json', '/%2e%2e/package.json', '/nothing.js', '/%zz']) {
    expect((await fetch(page + path)).status).toBe(404);
  }
});
