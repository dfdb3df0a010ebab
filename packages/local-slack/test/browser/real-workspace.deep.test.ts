import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { boltOn, eventsOf, testWorkspace } from '../../testing/index.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** A title, and a pattern that is tried out while one types. */
function lookingAt(text: string, preview: string): ModalView {
  return {
    type: 'modal',
    callback_id: 'looking',
    title: plain('Look at this'),
    submit: plain('Look'),
    blocks: [
      {
        type: 'input',
        block_id: 'title',
        label: plain('Title'),
        element: { type: 'plain_text_input', action_id: 'title', initial_value: text },
      },
      {
        type: 'input',
        block_id: 'pattern',
        label: plain('Pattern'),
        optional: true,
        dispatch_action: true,
        element: {
          type: 'plain_text_input',
          action_id: 'pattern',
          dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
        },
      },
      { type: 'section', block_id: 'preview', text: { type: 'mrkdwn', text: preview } },
      {
        type: 'actions',
        block_id: 'more',
        elements: [{ type: 'button', action_id: 'details', text: plain('Details') }],
      },
    ],
  };
}

const details: ModalView = {
  type: 'modal',
  title: plain('Details'),
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'All there is to know.' } }],
};

function listen(app: App, taken: string[]) {
  app.shortcut('look', async ({ ack, shortcut, client }) => {
    await ack();
    const text = 'message' in shortcut ? (shortcut.message.text ?? '') : '';
    await client.views.open({ trigger_id: shortcut.trigger_id, view: lookingAt(text, 'Nothing tried yet') });
  });
  app.action('pattern', async ({ ack, body, client }) => {
    await ack();
    if (!('view' in body) || !body.view) return;
    const pattern = body.view.state.values.pattern?.pattern?.value ?? '';
    await client.views.update({ view_id: body.view.id, view: lookingAt('ignored', `Tried ${pattern}`) });
  });
  app.action('details', async ({ ack, body, client }) => {
    await ack();
    if ('trigger_id' in body) await client.views.push({ trigger_id: body.trigger_id, view: details });
  });
  app.view('looking', async ({ ack, view }) => {
    const title = view.state.values.title?.title?.value ?? '';
    if (title.includes('disk'))
      return await ack({ response_action: 'errors', errors: { title: 'No disks.' } });
    taken.push(`${title} / ${view.state.values.pattern?.pattern?.value}`);
    await ack();
  });
}

/** What the fake workspace of the other tests only claims: that the page and the real one understand each other. */
describe.skipIf(chromiumPath() === null)('the page on the real workspace, with a Bolt app', () => {
  const browser = browserForTests();

  it('opens a modal from a message, updates it while one types, stacks another, and sends it', async () => {
    const workspace = await testWorkspace();
    const taken: string[] = [];
    await boltOn(workspace, (app) => listen(app, taken));
    await workspace.post({ channel: 'alerts', username: 'Grafana', text: 'The disk is full' });
    const page = await openPage(browser, workspace);
    const row = page.getByRole('article').filter({ hasText: 'The disk is full' });
    await row.hover();
    await row.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Look at this' }).click();

    const dialog = page.getByRole('dialog', { name: 'Look at this' });
    const title = dialog.getByRole('textbox', { name: 'Title' });
    await expect.poll(() => title.inputValue()).toBe('The disk is full');
    await title.fill('Our disk is full');
    await dialog.getByRole('textbox', { name: 'Pattern' }).pressSequentially('disk');
    await dialog.getByText('Tried disk').waitFor();
    expect(await title.inputValue()).toBe('Our disk is full');

    await dialog.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog', { name: 'Details' }).getByText('All there is to know.').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();

    await dialog.getByRole('button', { name: 'Look', exact: true }).click();
    await dialog.getByText('No disks.').waitFor();
    await picture(page, 'real-modal');
    await title.fill('');
    await title.press('Enter');
    await dialog.getByText('Please complete this required field.').waitFor();
    await title.fill('Our memory is full');
    await title.press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(taken).toEqual(['Our memory is full / disk']);
  });

  it('puts reactions on and takes them off, as one person and another', async () => {
    const workspace = await testWorkspace();
    const events = await eventsOf(workspace);
    await workspace.post({ channel: 'alerts', username: 'Grafana', text: 'The disk is full' });
    const page = await openPage(browser, workspace);
    const row = page.getByRole('article').filter({ hasText: 'The disk is full' });
    await row.hover();
    await row.getByRole('button', { name: 'React' }).click();
    await page.getByRole('button', { name: ':mag:' }).click();
    const mine = (count: number) => row.getByRole('button', { name: `:mag: ${count}` });
    await expect.poll(() => mine(1).getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('You act as').selectOption('Gina Guest');
    await page.getByText('You act as · guest').waitFor();
    await mine(1).click();
    await expect.poll(() => mine(2).getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('You act as').selectOption('Alice Admin');
    await mine(2).click();
    await expect.poll(() => mine(1).getAttribute('aria-pressed')).toBe('false');
    await expect
      .poll(() => events.filter(({ reaction }) => reaction === 'mag').map(({ type, user }) => [type, user]))
      .toEqual([
        ['reaction_added', 'U0ALICE001'],
        ['reaction_added', 'U0GINA0001'],
        ['reaction_removed', 'U0ALICE001'],
      ]);
  });
});
