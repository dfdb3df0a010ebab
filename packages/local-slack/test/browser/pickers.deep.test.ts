import type { InputBlock, ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { boltOn, clientOf, testWorkspace } from '../../testing/index.ts';
import { gradient } from '../support/pictures.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const input = (block_id: string, element: InputBlock['element']): InputBlock => ({
  type: 'input',
  block_id,
  label: plain(block_id),
  element,
});

const digest = (graph: string): ModalView => ({
  type: 'modal',
  callback_id: 'digest',
  title: plain('Digest'),
  submit: plain('Save'),
  blocks: [
    input('Time', { type: 'timepicker', action_id: 'it', initial_time: '09:00' }),
    input('Day', { type: 'datepicker', action_id: 'it' }),
    input('Moment', { type: 'datetimepicker', action_id: 'it', initial_date_time: 1_795_221_000 }),
    input('Person', { type: 'users_select', action_id: 'it', placeholder: plain('Whom?') }),
    input('Channel', { type: 'channels_select', action_id: 'it', initial_channel: 'C0ALERTS01' }),
    { type: 'image', alt_text: 'How it looks', title: plain('Example'), slack_file: { id: graph } },
  ],
});

describe.skipIf(chromiumPath() === null)('pickers and pictures on the page', () => {
  const browser = browserForTests();

  it('hold a time, a day, a person and a channel; a picture opens over its modal alone', async () => {
    const workspace = await testWorkspace({ fileDelay: 0 });
    const sent: unknown[] = [];
    await clientOf(workspace).files.uploadV2({ file: gradient(900, 300), filename: 'example.png' });
    const [graph] = workspace.files();
    await boltOn(workspace, (app) => {
      app.shortcut('begin', async ({ ack, body, client }) => {
        await ack();
        await client.views.open({ trigger_id: body.trigger_id, view: digest(graph?.id ?? '') });
      });
      app.view('digest', async ({ ack, view }) => {
        await ack();
        sent.push(Object.values(view.state.values).map(({ it }) => it));
      });
    });
    const page = await openPage(browser, workspace);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Begin' }).click();
    const modal = page.getByRole('dialog', { name: 'Digest' });
    expect(await modal.getByLabel('Time').inputValue()).toBe('09:00');
    await modal.getByLabel('Time').fill('08:30');
    await modal.getByLabel('Day').fill('2026-11-23');
    const moment = modal.getByLabel('Moment');
    const seconds = () => moment.evaluate((node) => Date.parse(Object(node).value) / 1000);
    expect(await seconds()).toBe(1_795_221_000);
    await moment.fill('2026-11-23T08:45');
    const chosen = await seconds();
    await modal.getByLabel('Person').selectOption('Bob Builder');
    expect(await modal.getByLabel('Channel').inputValue()).toBe('C0ALERTS01');
    await picture(page, 'pickers');

    await modal.getByRole('img', { name: 'How it looks' }).click();
    const full = page.getByRole('dialog', { name: 'Example' });
    await full.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => full.count()).toBe(0);
    await modal.getByRole('img', { name: 'How it looks' }).click();
    await full.waitFor();
    await page.mouse.click(5, 5);
    await expect.poll(() => full.count()).toBe(0);
    expect(await modal.getByLabel('Time').inputValue()).toBe('08:30');

    await modal.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => sent)
      .toEqual([
        [
          { type: 'timepicker', selected_time: '08:30' },
          { type: 'datepicker', selected_date: '2026-11-23' },
          { type: 'datetimepicker', selected_date_time: chosen },
          { type: 'users_select', selected_user: 'U0BOB00001' },
          { type: 'channels_select', selected_channel: 'C0ALERTS01' },
        ],
      ]);
  });

  it('answer at once on a message', async () => {
    const workspace = await testWorkspace();
    const heard: unknown[] = [];
    await boltOn(workspace, (app) => {
      app.action({ type: 'block_actions' }, async ({ ack, action }) => {
        await ack();
        if (action.type === 'users_select') heard.push(action.selected_user);
      });
    });
    const channel = workspace.channels.alerts;
    const accessory = { type: 'users_select' as const, action_id: 'who', placeholder: plain('Whom?') };
    const text = plain('Who is on it?');
    const blocks = [{ type: 'section' as const, block_id: 'who', text, accessory }];
    await clientOf(workspace).chat.postMessage({ channel, text: 'Who?', blocks });
    const page = await openPage(browser, workspace);
    await page.getByRole('combobox', { name: 'Whom?' }).selectOption('Carol Oncall');
    await expect.poll(() => heard).toEqual(['U0CAROL001']);
  });
});
