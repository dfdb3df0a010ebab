import { join } from 'node:path';
import type { HomeView } from '@slack/types';
import { expect, test } from 'vitest';
import { boltOn, clientOf, eventsOf, refusalOf, tempFolder, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const plain = (text: string) => ({ type: 'plain_text' as const, text });

function homeOf(words: string): HomeView {
  return {
    type: 'home',
    callback_id: 'home',
    private_metadata: 'page 1',
    blocks: [
      { type: 'section', block_id: 'words', text: plain(words) },
      {
        type: 'actions',
        block_id: 'row',
        elements: [
          { type: 'button', action_id: 'new', text: plain('New') },
          {
            type: 'checkboxes',
            action_id: 'done',
            options: [
              { text: plain('One'), value: '1' },
              { text: plain('Two'), value: '2' },
            ],
          },
        ],
      },
    ],
  };
}

test('whoever opens the app is told of it, with the Home that they see', async () => {
  const workspace = await testWorkspace({ home: true });
  const events = await eventsOf(workspace);
  expect(await workspace.openHome(BOB)).toEqual({ ok: true });
  const first = await until(() => events[0]);
  expect(first).toEqual({
    type: 'app_home_opened',
    user: BOB,
    channel: expect.stringMatching(/^D[A-Z0-9]{9}$/),
    tab: 'home',
    event_ts: expect.any(String),
  });
  const { view } = await clientOf(workspace).views.publish({ user_id: BOB, view: homeOf('Hello') });
  expect(view).toMatchObject({
    id: expect.stringMatching(/^V[A-Z0-9]{10}$/),
    type: 'home',
    callback_id: 'home',
    private_metadata: 'page 1',
    root_view_id: view?.id,
    previous_view_id: null,
  });
  await workspace.openHome(BOB);
  await workspace.openHome(BOB, 'messages');
  const [, again, messages] = await until(() => events.length === 3 && events);
  expect(again).toMatchObject({ tab: 'home', channel: first.channel, view: { id: view?.id, type: 'home' } });
  expect(messages).toEqual({ ...first, tab: 'messages', event_ts: expect.any(String) });
  expect(workspace.home(ALICE)).toBeUndefined();
});

test('a Home is published anew over the one it was made from, and over no other', async () => {
  const workspace = await testWorkspace({ home: true });
  const { views } = clientOf(workspace);
  const { view: first } = await views.publish({ user_id: ALICE, view: homeOf('One') });
  const { view: second } = await views.publish({
    user_id: ALICE,
    view: homeOf('Two'),
    hash: first?.hash ?? '',
  });
  expect(second?.id).toBe(first?.id);
  const late = views.publish({ user_id: ALICE, view: homeOf('Three'), hash: first?.hash ?? '' });
  expect(await refusalOf(late)).toMatchObject({ error: 'hash_conflict' });
  expect(workspace.home(ALICE)?.home).toEqual(homeOf('Two'));
  await views.publish({ user_id: ALICE, view: { ...homeOf('Four'), external_id: 'mine' } });
  const twin = views.publish({ user_id: BOB, view: { ...homeOf('Five'), external_id: 'mine' } });
  expect(await refusalOf(twin)).toMatchObject({ error: 'duplicate_external_id' });
});

test('a Home and what is ticked there outlive a restart', async () => {
  const file = join(await tempFolder(), 'workspace.db');
  const first = await testWorkspace({ file, home: true });
  const { view } = await clientOf(first).views.publish({ user_id: ALICE, view: homeOf('Hello') });
  const before = first.home(ALICE);
  await first.close();
  const second = await testWorkspace({ file, home: true });
  expect(second.home(ALICE)).toEqual(before);
  const again = { user_id: ALICE, view: homeOf('Again'), hash: view?.hash ?? '' };
  expect(await clientOf(second).views.publish(again)).toMatchObject({ view: { id: view?.id } });
});

test('a Home’s limits are those of a modal, without its frame', async () => {
  const workspace = await testWorkspace({ home: true });
  const publish = async (view: object) =>
    (await refusalOf(clientOf(workspace).apiCall('views.publish', { user_id: ALICE, view }))).errors;
  const divider = { type: 'divider' };
  expect(await publish({ type: 'home', blocks: Array(101).fill(divider) })).toEqual([
    'no more than 100 items allowed [json-pointer:/view/blocks]',
  ]);
  expect(await publish({ type: 'home', blocks: [], title: plain('Home') })).toEqual([
    'invalid additional property: title [json-pointer:/view]',
  ]);
  expect(await publish({ type: 'modal', blocks: [] })).toEqual([
    'must be a valid enum value [json-pointer:/view/type]',
  ]);
  const unseen = [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0NONE' } }];
  expect(await publish({ type: 'home', blocks: unseen })).toEqual([
    'invalid slack file [json-pointer:/view/blocks/0/slack_file]',
  ]);
});

test('a button on a Home opens a modal, and what is ticked there is kept', async () => {
  const workspace = await testWorkspace({ home: true });
  const bodies: Record<string, unknown>[] = [];
  await boltOn(workspace, (app) => {
    app.action({ type: 'block_actions' }, async ({ ack, body, action, client }) => {
      await ack();
      bodies.push({ ...body });
      if (action.type !== 'button') return;
      await client.views.open({
        trigger_id: body.trigger_id,
        view: { type: 'modal', title: plain('New'), blocks: [] },
      });
    });
  });
  await clientOf(workspace).views.publish({ user_id: ALICE, view: homeOf('Hello') });
  const { id: view_id = '' } = workspace.home(ALICE) ?? {};
  const at = { as: ALICE, view_id, block_id: 'row' };
  const ticked = { type: 'checkboxes', selected_options: [{ value: '2' }] };
  expect(await workspace.viewAction({ ...at, action_id: 'done', state: ticked })).toEqual({ ok: true });
  expect(await workspace.viewAction({ ...at, action_id: 'new' })).toEqual({ ok: true });
  const option = { text: plain('Two'), value: '2' };
  const state = { values: { row: { done: { type: 'checkboxes', selected_options: [option] } } } };
  expect(bodies).toMatchObject([
    {
      type: 'block_actions',
      container: { type: 'view', view_id },
      view: { id: view_id, type: 'home', state },
      actions: [{ action_id: 'done', selected_options: [option] }],
    },
    { view: { type: 'home', state }, actions: [{ action_id: 'new', type: 'button' }] },
  ]);
  for (const body of bodies) expect(body).not.toHaveProperty('message');
  await until(() => workspace.views(ALICE).length === 1);
  expect(await workspace.viewAction({ ...at, as: BOB, action_id: 'new' })).toEqual({
    ok: false,
    error: 'That Home belongs to another person.',
  });
});

test('an app without a Home has none to open', async () => {
  const workspace = await testWorkspace();
  expect(await workspace.openHome(ALICE)).toEqual({ ok: false, error: 'This app has no Home.' });
  expect(await workspace.openHome(ALICE, 'messages')).toEqual({ ok: true });
});
