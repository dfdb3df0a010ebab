import { expect, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { boltOn, clientOf, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const service = { type: 'external_select', action_id: 'service', min_query_length: 2 } as const;
const several = { type: 'multi_external_select', action_id: 'several' } as const;
const input = (block_id: string, element: typeof service | typeof several) =>
  ({ type: 'input', block_id, label: plain('Service'), element }) as const;

/** Alice has a form with two lists open. */
async function withForm(workspace: Workspace, sent: unknown[] = []): Promise<string> {
  const { views } = clientOf(workspace);
  await boltOn(workspace, (app) => {
    app.shortcut('begin', async ({ ack, shortcut }) => {
      const blocks = [input('one', service), input('many', several)];
      const view = {
        type: 'modal',
        callback_id: 'form',
        title: plain('Form'),
        submit: plain('Go'),
        blocks,
      } as const;
      await views.open({ trigger_id: shortcut.trigger_id, view });
      await ack();
    });
    app.view('form', async ({ ack, view }) => {
      sent.push(view.state.values);
      await ack();
    });
    app.options('service', async ({ ack, payload }) => ack({ options: [option(`${payload.value}-1`)] }));
    app.options('several', async ({ ack }) =>
      ack({ option_groups: [{ label: plain('Basket'), options: [option('cart')] }] }),
    );
  });
  await workspace.shortcut({ as: ALICE, callback_id: 'begin' });
  return until(() => workspace.views(ALICE)[0]?.id);
}

test('the options of a list come from the app, for what is typed, and can be chosen', async () => {
  const workspace = await testWorkspace();
  const sent: unknown[] = [];
  const view_id = await withForm(workspace, sent);
  const one = { as: ALICE, view_id, block_id: 'one', action_id: 'service' };
  expect(await workspace.suggest({ ...one, value: 'pay' })).toEqual({
    ok: true,
    options: [option('pay-1')],
    option_groups: [],
  });
  const many = { as: ALICE, view_id, block_id: 'many', action_id: 'several', value: 'car' };
  expect(await workspace.suggest(many)).toMatchObject({
    option_groups: [{ label: plain('Basket'), options: [option('cart')] }],
  });
  const values = {
    one: { service: { type: 'external_select', selected_option: option('pay-1') } },
    many: { several: { type: 'multi_external_select', selected_options: [option('cart')] } },
  };
  expect(await workspace.submit({ as: ALICE, view_id, values })).toEqual({ ok: true });
  expect(sent).toEqual([values]);
});

test('the app is asked only for enough characters: three, unless the list says otherwise', async () => {
  const workspace = await testWorkspace();
  const view_id = await withForm(workspace);
  const ask = (block_id: string, action_id: string, value: string) =>
    workspace.suggest({ as: ALICE, view_id, block_id, action_id, value });
  expect(await ask('one', 'service', 'p')).toEqual({ ok: false, error: 'Type at least 2 characters.' });
  expect(await ask('many', 'several', 'pa')).toEqual({ ok: false, error: 'Type at least 3 characters.' });
  expect(await ask('one', 'gone', 'pay')).toEqual({ ok: false, error: 'That list no longer exists.' });
});

test('on a message the payload names it; an answer without options, or none in time, is said', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const bodies: unknown[] = [];
  let answers = true;
  const app = await boltOn(workspace, (bolt) => {
    bolt.options('service', async ({ ack, body }) => {
      bodies.push(body);
      if (answers) await ack({ options: Array(101).fill(option('a')) });
    });
  });
  const channel = workspace.channels.general;
  const { ts: message_ts = '' } = await app.client.chat.postMessage({
    channel,
    text: 'x',
    blocks: [{ type: 'actions', block_id: 'row', elements: [service] }],
  });
  const ask = { as: ALICE, channel, message_ts, block_id: 'row', action_id: 'service', value: 'pay' };
  expect(await workspace.suggest(ask)).toEqual({
    ok: false,
    error: 'The app did not answer with options that Slack understands.',
  });
  expect(bodies).toMatchObject([
    {
      type: 'block_suggestion',
      user: { id: ALICE },
      container: { type: 'message', message_ts, channel_id: channel, is_ephemeral: false },
      channel: { id: channel },
      message: { ts: message_ts },
      block_id: 'row',
      action_id: 'service',
      value: 'pay',
    },
  ]);
  answers = false;
  const late = workspace.suggest(ask);
  await until(() => bodies.length === 2);
  await clock.pass(3_000);
  expect(await late).toEqual({
    ok: false,
    error: 'The app did not respond within 3 seconds (operation_timeout).',
  });
});
