import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { boltOn, refusalOf, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;

const modal = (name: string, more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: name,
  title: plain(name),
  submit: plain('Go'),
  blocks: [
    {
      type: 'actions',
      block_id: 'row',
      elements: [{ type: 'button', action_id: 'more', text: plain('More') }],
    },
  ],
  ...more,
});

/** A workspace where Alice has the first modal open, with the app's client. */
async function opened(first: ModalView, prepare: (app: App) => void = () => undefined) {
  const workspace = await testWorkspace();
  const app = await boltOn(workspace, (bolt) => {
    bolt.shortcut('begin', async ({ ack, body, client }) => {
      await client.views.open({ trigger_id: body.trigger_id, view: first });
      await ack();
    });
    prepare(bolt);
  });
  expect(await workspace.shortcut({ as: ALICE, callback_id: 'begin' })).toEqual({ ok: true });
  return { workspace, client: app.client };
}

const titles = (workspace: Workspace) => workspace.views(ALICE).map(({ modal }) => modal.title.text);
const top = (workspace: Workspace) => workspace.views(ALICE).at(-1)?.id ?? '';
const more = (workspace: Workspace) =>
  workspace.viewAction({ as: ALICE, view_id: top(workspace), block_id: 'row', action_id: 'more' });

test('a modal is changed by its id or its own name, unless it has changed meanwhile', async () => {
  const { workspace, client } = await opened(modal('One', { external_id: 'mine' }));
  const view_id = top(workspace);
  const second = await client.views.update({ view_id, view: modal('Two', { external_id: 'mine' }) });
  const hash = second.view?.hash ?? '';
  const third = await client.views.update({
    external_id: 'mine',
    hash,
    view: modal('Three', { external_id: 'mine' }),
  });
  expect(third.view).toMatchObject({ id: view_id, callback_id: 'Three', root_view_id: view_id });
  expect(third.view?.hash).not.toBe(hash);
  const late = client.views.update({ view_id, hash, view: modal('Four') });
  expect(await refusalOf(late)).toMatchObject({ error: 'hash_conflict' });
  expect(titles(workspace)).toEqual(['Three']);
  await workspace.closeView({ as: ALICE, view_id });
  const closed = client.views.update({ view_id, view: modal('Five') });
  expect(await refusalOf(closed)).toMatchObject({ error: 'not_found' });
});

test('what a person has put in stays through a change where block and action are the same', async () => {
  const input = (block_id: string, initial_value: string) =>
    ({
      type: 'input',
      block_id,
      label: plain(block_id),
      element: { type: 'plain_text_input', action_id: 'text', initial_value },
    }) as const;
  const button = modal('x').blocks;
  const first = modal('One', { blocks: [...button, input('kept', 'old')] });
  const { workspace, client } = await opened(first, (app) => {
    app.action('more', async ({ ack }) => ack());
  });
  const view_id = top(workspace);
  const values = { kept: { text: { type: 'plain_text_input', value: 'typed' } } };
  await workspace.viewAction({ as: ALICE, view_id, block_id: 'row', action_id: 'more', values });
  const updated = await client.views.update({
    view_id,
    view: modal('Two', { blocks: [...button, input('kept', 'newer'), input('fresh', 'new')] }),
  });
  expect(updated.view?.state).toEqual({
    values: {
      kept: { text: { type: 'plain_text_input', value: 'typed' } },
      fresh: { text: { type: 'plain_text_input', value: 'new' } },
    },
  });
});

test('three modals lie on each other, a fourth is refused; each closes back to the one below', async () => {
  const outcomes: unknown[] = [];
  const { workspace } = await opened(modal('One'), (app) => {
    app.action('more', async ({ ack, body, client }) => {
      await ack();
      if (!('trigger_id' in body)) return;
      const view = modal(outcomes.length === 0 ? 'Two' : 'Three');
      const pushed = await client.views
        .push({ trigger_id: body.trigger_id, view })
        .catch((error) => error.data);
      outcomes.push(pushed.error ?? [pushed.view.previous_view_id, pushed.view.root_view_id]);
    });
  });
  const pushes = async (count: number) => {
    await more(workspace);
    await expect.poll(() => outcomes.length).toBe(count);
  };
  const root = top(workspace);
  await pushes(1);
  const second = top(workspace);
  await pushes(2);
  await pushes(3);
  expect(outcomes).toEqual([[root, root], [second, root], 'push_limit_reached']);
  expect(titles(workspace)).toEqual(['One', 'Two', 'Three']);
  expect(await workspace.closeView({ as: ALICE, view_id: root })).toEqual({
    ok: false,
    error: 'Another modal is open on top of that one.',
  });
  expect(await workspace.closeView({ as: ALICE, view_id: top(workspace) })).toEqual({ ok: true });
  expect(titles(workspace)).toEqual(['One', 'Two']);
});

test('a trigger from outside a modal pushes nothing, and an external id names one modal', async () => {
  const triggers: string[] = [];
  const { workspace, client } = await opened(modal('One', { external_id: 'mine' }), (app) => {
    app.command('/echo', async ({ ack, body }) => {
      triggers.push(body.trigger_id);
      await ack();
    });
  });
  const trigger = async () => {
    await workspace.command({ as: ALICE, channel: workspace.channels.general, command: '/echo', text: '' });
    return triggers.at(-1) ?? '';
  };
  const push = client.views.push({ trigger_id: await trigger(), view: modal('Two') });
  expect(await refusalOf(push)).toMatchObject({ error: 'not_found' });
  const twin = client.views.open({
    trigger_id: await trigger(),
    view: modal('Two', { external_id: 'mine' }),
  });
  expect(await refusalOf(twin)).toMatchObject({ error: 'duplicate_external_id' });
});

test('a submission is answered with another modal, on top or instead, or with the end of all', async () => {
  const answers = [
    { response_action: 'push', view: modal('Two') },
    { response_action: 'update', view: modal('Three') },
    { response_action: 'push', view: modal('Four') },
    { response_action: 'clear' },
  ] as const;
  let turn = 0;
  const { workspace } = await opened(modal('One'), (app) => {
    app.view(/.*/, async ({ ack }) => {
      const answer = answers[turn];
      turn += 1;
      if (answer?.response_action === 'clear') await ack({ response_action: 'clear' });
      else if (answer) await ack(answer);
    });
  });
  const seen: string[][] = [];
  for (const _ of answers) {
    expect(await workspace.submit({ as: ALICE, view_id: top(workspace), values: {} })).toEqual({ ok: true });
    seen.push(titles(workspace));
  }
  expect(seen).toEqual([['One', 'Two'], ['One', 'Three'], ['One', 'Three', 'Four'], []]);
});

test('a refused modal leaves the one that is open, and says why', async () => {
  const { workspace } = await opened(modal('One'), (app) => {
    app.view('One', async ({ ack }) => {
      await ack({ response_action: 'update', view: modal('A title that is far too long') });
    });
  });
  expect(await workspace.submit({ as: ALICE, view_id: top(workspace), values: {} })).toEqual({
    ok: false,
    error:
      'Slack refused it: invalid_arguments (must be less than 25 characters [json-pointer:/view/title/text]).',
  });
  expect(titles(workspace)).toEqual(['One']);
});

test('closing is told where the modal asks for it, and may clear the stack', async () => {
  const closed: unknown[] = [];
  const { workspace } = await opened(modal('One', { notify_on_close: true }), (app) => {
    app.view(/One|Three/, async ({ ack }) => {
      const view = modal('Two', { notify_on_close: true, clear_on_close: true, private_metadata: 'C1' });
      await ack({ response_action: 'push', view });
    });
    app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack, body, view }) => {
      await ack();
      closed.push([
        body.type,
        view.callback_id,
        view.private_metadata,
        'is_cleared' in body && body.is_cleared,
      ]);
    });
  });
  await workspace.submit({ as: ALICE, view_id: top(workspace), values: {} });
  expect(await workspace.closeView({ as: ALICE, view_id: top(workspace) })).toEqual({ ok: true });
  expect(titles(workspace)).toEqual([]);
  expect(closed).toEqual([['view_closed', 'Two', 'C1', true]]);
});

test('nobody else touches a person’s modal', async () => {
  const { workspace } = await opened(modal('One'));
  const view_id = top(workspace);
  const gone = { ok: false, error: 'That modal is no longer open.' };
  expect(await workspace.submit({ as: 'U0BOB00001', view_id, values: {} })).toEqual(gone);
  expect(await workspace.closeView({ as: 'U0BOB00001', view_id })).toEqual(gone);
  expect(workspace.views('U0BOB00001')).toEqual([]);
});
