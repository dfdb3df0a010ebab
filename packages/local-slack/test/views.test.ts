import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import { checkModal } from '../src/validate/check.ts';
import type { Workspace } from '../src/workspace.ts';
import { boltOn, clientOf, refusalOf, testWorkspace } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';

const VIEW: ModalView = {
  type: 'modal',
  callback_id: 'new-issue',
  private_metadata: 'C1',
  title: { type: 'plain_text', text: 'New issue' },
  submit: { type: 'plain_text', text: 'File it' },
  blocks: [
    {
      type: 'input',
      block_id: 'title',
      label: { type: 'plain_text', text: 'Title' },
      element: { type: 'plain_text_input', action_id: 'text' },
    },
  ],
};

const echo = (workspace: Workspace) =>
  workspace.command({ as: ALICE, channel: workspace.channels.general, command: '/echo', text: '' });

test('a command opens a modal; it stays open while the app finds errors, and closes then', async () => {
  const workspace = await testWorkspace();
  const submitted: unknown[] = [];
  await boltOn(workspace, (app) => {
    app.command('/echo', async ({ ack, body, client }) => {
      await client.views.open({ trigger_id: body.trigger_id, view: VIEW });
      await ack();
    });
    app.view('new-issue', async ({ ack, view }) => {
      const text = view.state.values.title?.text?.value;
      submitted.push([text, view.private_metadata]);
      await (text !== 'x'
        ? ack()
        : ack({ response_action: 'errors', errors: { title: 'Say what is wrong.' } }));
    });
  });
  expect(await echo(workspace)).toEqual({ ok: true });
  const [open] = workspace.views(ALICE);
  expect(open?.modal).toEqual(VIEW);
  const submit = (value: string) =>
    workspace.submit({
      as: ALICE,
      view_id: open?.id ?? '',
      values: { title: { text: { type: 'plain_text_input', value } } },
    });
  expect(await submit('x')).toEqual({
    ok: false,
    error: 'Say what is wrong.',
    errors: { title: 'Say what is wrong.' },
  });
  expect(workspace.views(ALICE)).toHaveLength(1);
  expect(await submit('Disk is full')).toEqual({ ok: true });
  expect(workspace.views(ALICE)).toEqual([]);
  expect(submitted).toEqual([
    ['x', 'C1'],
    ['Disk is full', 'C1'],
  ]);
  expect(await submit('again')).toEqual({ ok: false, error: 'That modal is no longer open.' });
});

test('a trigger opens one modal, and none after 3 seconds', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const triggers: string[] = [];
  await boltOn(workspace, (app) => {
    app.command('/echo', async ({ ack, body }) => {
      triggers.push(body.trigger_id);
      await ack();
    });
  });
  await echo(workspace);
  await echo(workspace);
  const open = (trigger_id = '') => clientOf(workspace).views.open({ trigger_id, view: VIEW });
  expect(await open(triggers[0])).toMatchObject({ view: { callback_id: 'new-issue', type: 'modal' } });
  expect(await refusalOf(open(triggers[0]))).toMatchObject({ error: 'exchanged_trigger_id' });
  await clock.pass(3_001);
  expect(await refusalOf(open(triggers[1]))).toMatchObject({ error: 'expired_trigger_id' });
});

test('a modal’s limits are enforced', () => {
  const x = (length: number) => ({ type: 'plain_text', text: 'x'.repeat(length) });
  const errors = (view: object) => {
    try {
      checkModal({ ...VIEW, ...view });
      return [];
    } catch (cause) {
      return cause instanceof Error && 'extra' in cause ? Object(cause.extra).errors : cause;
    }
  };
  const divider = { type: 'divider', block_id: 'd' };
  const faulty: [object, string][] = [
    [{ title: x(25) }, 'must be less than 25 characters [json-pointer:/view/title/text]'],
    [
      { private_metadata: 'x'.repeat(3_001) },
      'must be less than 3001 characters [json-pointer:/view/private_metadata]',
    ],
    [{ callback_id: 'x'.repeat(256) }, 'must be less than 256 characters [json-pointer:/view/callback_id]'],
    [
      { blocks: Array(101).fill({ type: 'divider' }) },
      'no more than 100 items allowed [json-pointer:/view/blocks]',
    ],
    [{ blocks: [divider, divider] }, '`block_id` d already exists [json-pointer:/view/blocks/1/block_id]'],
    [{ submit: undefined }, 'missing required field: submit [json-pointer:/view]'],
  ];
  expect(errors({})).toEqual([]);
  expect(faulty.map(([view]) => errors(view))).toEqual(faulty.map(([, fault]) => [fault]));
});
