import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { boltOn, clientOf, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(`Step ${value}`), value });
const options = [option('1'), option('2'), option('3')];

const steps = (block_id: string, ...ticked: string[]): KnownBlock => ({
  type: 'actions',
  block_id,
  elements: [
    {
      type: 'checkboxes',
      action_id: 'steps',
      options,
      ...(ticked.length > 0 && { initial_options: ticked.map(option) }),
    },
    { type: 'radio_buttons', action_id: 'how', options },
    { type: 'multi_static_select', action_id: 'who', options },
  ],
});

async function posted(workspace: Workspace, blocks: KnownBlock[]) {
  const bodies: Record<string, unknown>[] = [];
  await boltOn(workspace, (app) => {
    app.action({ type: 'block_actions' }, async ({ ack, body }) => {
      await ack();
      bodies.push({ ...body });
    });
  });
  const channel = workspace.channels.alerts;
  const { ts: message_ts = '' } = await clientOf(workspace).chat.postMessage({ channel, text: 'x', blocks });
  return { bodies, channel, message_ts };
}

test('boxes, radio buttons and lists on a message answer, and say what else the person holds', async () => {
  const workspace = await testWorkspace();
  const { bodies, ...at } = await posted(workspace, [steps('list', '1')]);
  const act = (as: string, action_id: string, choice: object) =>
    workspace.action({ as, ...at, block_id: 'list', action_id, ...choice });
  const both = { selected_options: [{ value: '1' }, { value: '2' }] };
  expect(await act(ALICE, 'steps', both)).toEqual({ ok: true });
  expect(await act(ALICE, 'how', { selected_option: { value: '3' } })).toEqual({ ok: true });
  expect(await act(BOB, 'who', { selected_options: [{ value: '2' }] })).toEqual({ ok: true });
  expect(await act(BOB, 'steps', { selected_options: [] })).toEqual({ ok: true });

  const held = (ticked: string[], how: string | null, who: string[]) => ({
    values: {
      list: {
        steps: { type: 'checkboxes', selected_options: ticked.map(option) },
        how: { type: 'radio_buttons', selected_option: how && option(how) },
        who: { type: 'multi_static_select', selected_options: who.map(option) },
      },
    },
  });
  expect(bodies).toMatchObject([
    { actions: [{ selected_options: [option('1'), option('2')] }], state: held(['1', '2'], null, []) },
    { actions: [{ selected_option: option('3') }], state: held(['1', '2'], '3', []) },
    { actions: [{ selected_options: [option('2')] }], state: held(['1'], null, ['2']) },
    { actions: [{ selected_options: [] }], state: held([], null, ['2']) },
  ]);
  expect(await act(BOB, 'steps', { selected_options: [{ value: '9' }] })).toEqual({
    ok: false,
    error: 'That choice is not among the options.',
  });
  expect(await act(BOB, 'steps', {})).toEqual({ ok: false, error: 'Choose one of the options.' });
});

test('what a person holds stays over an update, unless the block has a new id', async () => {
  const workspace = await testWorkspace();
  const { bodies, channel, message_ts } = await posted(workspace, [steps('a')]);
  const { chat } = clientOf(workspace);
  const choose = (block_id: string) =>
    workspace.action({
      as: ALICE,
      channel,
      message_ts,
      block_id,
      action_id: 'how',
      selected_option: { value: '1' },
    });
  await workspace.action({
    as: ALICE,
    channel,
    message_ts,
    block_id: 'a',
    action_id: 'steps',
    selected_options: [{ value: '3' }],
  });
  await chat.update({ channel, ts: message_ts, text: 'x', blocks: [steps('a', '1', '2')] });
  await choose('a');
  await chat.update({ channel, ts: message_ts, text: 'x', blocks: [steps('b', '1', '2')] });
  await choose('b');
  const ticked = (block: string, ...values: string[]) => ({
    state: { values: { [block]: { steps: { selected_options: values.map(option) } } } },
  });
  expect(bodies.slice(1)).toMatchObject([ticked('a', '3'), ticked('b', '1', '2')]);
});

test('the buttons of a card, also in a carousel or a container, can be pressed', async () => {
  const workspace = await testWorkspace();
  const button = (action_id: string) => ({
    type: 'button' as const,
    action_id,
    text: plain('Press'),
    value: action_id,
  });
  const card = (block_id: string): KnownBlock => ({
    type: 'card',
    block_id,
    title: { type: 'mrkdwn', text: 'A card' },
    actions: [button(`in-${block_id}`)],
  });
  const inner = { type: 'actions' as const, block_id: 'inner', elements: [button('in-container')] };
  const { bodies, ...at } = await posted(workspace, [
    card('one'),
    {
      type: 'carousel',
      elements: [
        { type: 'card', block_id: 'two', body: { type: 'mrkdwn', text: 'x' }, actions: [button('in-two')] },
      ],
    },
    { type: 'container', title: plain('More'), child_blocks: [inner] },
  ]);
  for (const [block_id, action_id] of [
    ['one', 'in-one'],
    ['two', 'in-two'],
    ['inner', 'in-container'],
  ] as const) {
    expect(await workspace.action({ as: ALICE, ...at, block_id, action_id })).toEqual({ ok: true });
  }
  expect(bodies.map(({ actions }) => actions)).toMatchObject([
    [{ value: 'in-one' }],
    [{ value: 'in-two' }],
    [{ value: 'in-container' }],
  ]);
});

test('a button pressed while its message is edited still reaches the app, unless the edit changed the button', async () => {
  const workspace = await testWorkspace();
  const press = (value: string): KnownBlock => ({
    type: 'actions',
    elements: [{ type: 'button', action_id: 'done', text: plain('Done'), value }],
  });
  const words = (text: string): KnownBlock => ({ type: 'section', text: plain(text) });
  const { bodies, channel, message_ts } = await posted(workspace, [words('1 alert'), press('1'), press('2')]);
  const { messages = [] } = await clientOf(workspace).conversations.history({ channel });
  const shown = messages[0]?.blocks?.map(({ block_id = '' }) => block_id) ?? [];
  const { chat } = clientOf(workspace);
  const blocks = [words('2 alerts'), words('more'), press('1'), press('3')];
  await chat.update({ channel, ts: message_ts, text: 'x', blocks });
  const pressed = (at: number) =>
    workspace.action({ as: ALICE, channel, message_ts, block_id: shown[at] ?? '', action_id: 'done' });
  expect(await pressed(1)).toEqual({ ok: true });
  expect(await pressed(2)).toMatchObject({ ok: false });
  expect(bodies).toMatchObject([{ actions: [{ value: '1' }] }]);
});
