import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { boltOn, clientOf, testWorkspace } from '../../testing/index.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });
const option = (value: string) => ({ text: plain(value), value });
const raw = (text: string) => ({ type: 'raw_text' as const, text });
const number = (value: number) => ({ type: 'raw_number' as const, value, text: `${value} ms` });

const confirm = {
  title: plain('Really?'),
  text: plain('It restarts.'),
  confirm: plain('Do'),
  deny: plain('No'),
};

const CHECKLIST: KnownBlock[] = [
  { type: 'section', text: mrkdwn('*Remediation*') },
  {
    type: 'actions',
    block_id: 'steps',
    elements: [
      {
        type: 'checkboxes',
        action_id: 'done',
        options: [
          { ...option('Free the disk'), description: plain('required') },
          option('Restart the service'),
          option('Write it down'),
        ],
      },
    ],
  },
  {
    type: 'section',
    block_id: 'who',
    text: mrkdwn('Who is on it?'),
    accessory: {
      type: 'multi_static_select',
      action_id: 'who',
      placeholder: plain('Teams'),
      options: [option('Storage'), option('Payments')],
    },
  },
  {
    type: 'actions',
    block_id: 'how',
    elements: [
      { type: 'radio_buttons', action_id: 'how', confirm, options: [option('By hand'), option('By script')] },
    ],
  },
];

const CARDS: KnownBlock[] = [
  { type: 'alert', level: 'error', text: plain('The check failed.') },
  {
    type: 'card',
    block_id: 'card',
    title: mrkdwn('*#12 The disk is full*'),
    subtitle: mrkdwn('Production · high'),
    body: mrkdwn('Looking since 10:41.'),
    actions: [{ type: 'button', action_id: 'resolve', text: plain('Resolve') }],
  },
  {
    type: 'data_table',
    caption: 'Slowest calls',
    page_size: 2,
    rows: [
      [raw('Call'), raw('p95')],
      [raw('GET /cart'), number(800)],
      [raw('POST /order'), number(450)],
      [raw('GET /health'), number(3)],
    ],
  },
  {
    type: 'plan',
    title: 'What was looked at',
    tasks: [
      { type: 'task_card', task_id: '1', title: 'Read the logs', status: 'complete' },
      { type: 'task_card', task_id: '2', title: 'Compare deployments', status: 'in_progress' },
    ],
  },
  {
    type: 'container',
    title: plain('Ruled out'),
    is_collapsible: true,
    child_blocks: [{ type: 'section', text: mrkdwn('The network was fine.') }],
  },
];

describe.skipIf(chromiumPath() === null)('what can be chosen on a message', () => {
  const browser = browserForTests();

  it('is ticked, chosen and confirmed, and stays so while another channel is open', async () => {
    const workspace = await testWorkspace();
    const heard: unknown[] = [];
    await boltOn(workspace, (app) => {
      app.action({ type: 'block_actions' }, async ({ ack, action }) => {
        await ack();
        if ('selected_options' in action) heard.push(action.selected_options.map(({ value }) => value));
        if (action.type === 'radio_buttons') heard.push(action.selected_option?.value);
      });
    });
    const channel = workspace.channels.alerts;
    const { chat } = clientOf(workspace);
    await chat.postMessage({ channel, text: 'Remediation', blocks: CHECKLIST });
    const page = await openPage(browser, workspace);
    const box = (name: string) => page.getByRole('checkbox', { name });
    await box('Restart the service').check();
    await box('Free the disk').check();
    await expect
      .poll(() => heard)
      .toEqual([['Restart the service'], ['Free the disk', 'Restart the service']]);
    await page.getByRole('button', { name: 'Teams' }).click();
    await box('Payments').check();
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'By script' }).click();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    expect(await page.getByRole('radio', { name: 'By script' }).isChecked()).toBe(false);
    await page.getByRole('radio', { name: 'By script' }).click();
    await page.getByRole('button', { name: 'Do', exact: true }).click();
    await expect.poll(() => heard.slice(2)).toEqual([['Payments'], 'By script']);
    await picture(page, 'checklist');

    await page.getByRole('button', { name: 'general' }).click();
    await page.getByRole('button', { name: 'alerts' }).click();
    expect(await box('Free the disk').isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: 'By script' }).isChecked()).toBe(true);
    await page.getByLabel('You act as').selectOption('Bob Builder');
    await expect.poll(() => box('Free the disk').isChecked()).toBe(false);
  });

  it('draws alerts, cards, data tables, plans and containers', async () => {
    const workspace = await testWorkspace();
    const pressed: string[] = [];
    await boltOn(workspace, (app) => {
      app.action('resolve', async ({ ack, body }) => {
        await ack();
        pressed.push(body.user.id);
      });
    });
    const channel = workspace.channels.alerts;
    await clientOf(workspace).chat.postMessage({ channel, text: 'Cards', blocks: CARDS });
    const page = await openPage(browser, workspace);
    await page.getByText('The check failed.').waitFor();
    const table = page.getByRole('region', { name: 'Slowest calls' });
    await table.getByText('450 ms').waitFor();
    expect(await table.getByText('3 ms').count()).toBe(0);
    expect(await table.getByRole('rowheader').allTextContents()).toEqual(['GET /cart', 'POST /order']);
    await picture(page, 'cards');
    await page.getByRole('button', { name: 'Next' }).click();
    await table.getByText('3 ms').waitFor();
    await page.getByText('Compare deployments').waitFor();
    await page.getByText('Ruled out').click();
    expect(await page.getByText('The network was fine.').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await expect.poll(() => pressed).toEqual(['U0ALICE001']);
  });
});
