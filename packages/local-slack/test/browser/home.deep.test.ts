import type { HomeView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { boltOn, clientOf, testWorkspace } from '../../testing/index.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value), value });

function homeOf(title: string): HomeView {
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: plain(title) },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'Updated at 10:41' }] },
      { type: 'divider' },
      {
        type: 'section',
        block_id: 'first',
        text: { type: 'mrkdwn', text: '*#12 The disk is full*\nProduction · high · 3 repeats' },
        accessory: {
          type: 'overflow',
          action_id: 'more',
          options: [option('Mute'), option('Delete')],
        },
      },
      {
        type: 'actions',
        block_id: 'row',
        elements: [
          { type: 'button', action_id: 'new', text: plain('New issue'), style: 'primary' },
          {
            type: 'static_select',
            action_id: 'status',
            placeholder: plain('Any status'),
            options: [option('Looking'), option('Resolved')],
          },
        ],
      },
      { type: 'alert', level: 'warning', text: plain('The poller is behind.') },
    ],
  };
}

describe.skipIf(chromiumPath() === null)('the App Home on the page', () => {
  const browser = browserForTests();

  it('opens, changes while it is open, and opens a modal', async () => {
    const workspace = await testWorkspace({ home: true });
    const chosen: string[] = [];
    await boltOn(workspace, (app) => {
      app.event('app_home_opened', async ({ event, client }) => {
        if (event.tab !== 'home') return;
        await client.views.publish({ user_id: event.user, view: homeOf('Open issues') });
      });
      app.action('new', async ({ ack, body, client }) => {
        await ack();
        if (!('trigger_id' in body)) return;
        const blocks = [{ type: 'section', text: plain('What is wrong?') }];
        await client.views.open({
          trigger_id: body.trigger_id,
          view: { type: 'modal', title: plain('New issue'), blocks },
        });
      });
      app.action('status', async ({ ack, action }) => {
        await ack();
        if (action.type === 'static_select') chosen.push(action.selected_option.value);
      });
    });
    const page = await openPage(browser, workspace);
    await page.getByRole('button', { name: 'Tester' }).filter({ hasText: 'online' }).click();
    const home = page.getByRole('region', { name: 'Home of Tester' });
    await home.getByText('Open issues').waitFor();
    await picture(page, 'home');

    await home.getByRole('combobox').selectOption('Resolved');
    await expect.poll(() => chosen).toEqual(['Resolved']);
    await clientOf(workspace).views.publish({ user_id: 'U0ALICE001', view: homeOf('One issue is open') });
    await home.getByText('One issue is open').waitFor();
    expect(await home.getByRole('combobox').inputValue()).toBe('Resolved');

    await home.getByRole('button', { name: 'New issue' }).click();
    await page.getByRole('dialog', { name: 'New issue' }).getByText('What is wrong?').waitFor();
    await picture(page, 'home-modal');
    await page.keyboard.press('Escape');

    await page.getByLabel('You act as').selectOption('Bob Builder');
    await home.getByText('Open issues').waitFor();
    await page.getByRole('button', { name: 'Messages', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message Tester' }).waitFor();
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await home.getByText('Open issues').waitFor();
  });

  it('opens the conversation with an app that has none', async () => {
    const workspace = await testWorkspace();
    const page = await openPage(browser, workspace);
    await page.getByLabel('You act as').selectOption('Carol Oncall');
    await page.getByRole('button', { name: 'Tester' }).filter({ hasText: 'offline' }).click();
    await page.getByRole('textbox', { name: 'Message Tester' }).waitFor();
    expect(await page.getByRole('button', { name: 'Home', exact: true }).count()).toBe(0);
  });

  it('says so where the app has put nothing there', async () => {
    const workspace = await testWorkspace({ home: true });
    const page = await openPage(browser, workspace);
    await page.getByRole('button', { name: 'Tester' }).filter({ hasText: 'offline' }).click();
    await page.getByText('Tester has not published a Home yet.').waitFor();
  });
});
