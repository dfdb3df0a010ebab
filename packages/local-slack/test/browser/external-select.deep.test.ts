import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage } from '../../testing/browser.ts';
import { boltOn, testWorkspace, until } from '../../testing/index.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value), value });

const form: ModalView = {
  type: 'modal',
  callback_id: 'form',
  title: plain('Form'),
  submit: plain('Go'),
  blocks: [
    {
      type: 'input',
      block_id: 'service',
      label: plain('Service'),
      element: { type: 'external_select', action_id: 'it', min_query_length: 2 },
    },
    {
      type: 'input',
      block_id: 'people',
      label: plain('Teams'),
      element: { type: 'multi_external_select', action_id: 'it', min_query_length: 1 },
    },
  ],
};

describe.skipIf(chromiumPath() === null)('lists whose options the app has', () => {
  const browser = browserForTests();

  it('ask it for what is typed, show what it offers, and send what is chosen', async () => {
    const workspace = await testWorkspace();
    const sent: unknown[] = [];
    await boltOn(workspace, (app) => {
      app.shortcut('begin', async ({ ack, body, client }) => {
        await ack();
        await client.views.open({ trigger_id: body.trigger_id, view: form });
      });
      app.options('it', async ({ ack, payload }) =>
        ack({
          options: payload.value === 'none' ? [] : ['1', '2'].map((n) => option(`${payload.value}-${n}`)),
        }),
      );
      app.view('form', async ({ ack, view }) => {
        await ack();
        sent.push(view.state.values);
      });
    });
    const page = await openPage(browser, workspace);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Begin' }).click();
    const modal = page.getByRole('dialog', { name: 'Form' });
    await modal.getByLabel('Service').fill('pay');
    await modal.getByRole('radio', { name: 'pay-2' }).check();
    await modal.getByLabel('Service').fill('none');
    await modal.getByText('Nothing found').waitFor();
    await modal.getByLabel('Teams').fill('x');
    await modal.getByRole('checkbox', { name: 'x-1' }).check();
    await modal.getByLabel('Teams').fill('y');
    await modal.getByRole('checkbox', { name: 'y-2' }).check();
    await modal.getByRole('checkbox', { name: 'y-1' }).check();
    await modal.getByRole('button', { name: 'Remove y-1' }).click();
    await modal.getByRole('button', { name: 'Go' }).click();
    await until(() => sent.length > 0);
    expect(sent).toMatchObject([
      {
        service: { it: { selected_option: { value: 'pay-2' } } },
        people: { it: { selected_options: [{ value: 'x-1' }, { value: 'y-2' }] } },
      },
    ]);
  });
});
