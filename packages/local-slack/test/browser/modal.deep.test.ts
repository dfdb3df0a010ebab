import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PageView } from '../../src/page-api.ts';
import { bringIntoView, chromiumPath, picture } from '../../testing/browser.ts';
import { newIssue, option, patterns, whyFiled } from './support/canned-modals.ts';
import { onCannedPage } from './support/canned-page.ts';
import type { FakeWorkspace } from './support/fake-workspace.ts';

describe.skipIf(chromiumPath() === null)('a modal on the page', () => {
  let server: FakeWorkspace;
  let page: Page;
  onCannedPage((opened) => {
    ({ page, server } = opened);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });
  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
  const open = (view: PageView) => server.emit({ type: 'view', view });

  it('sends what was put in, shows errors at their fields, and goes once the app has taken it', async () => {
    open(newIssue());
    await dialog('New issue').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe(await field('Title').getAttribute('id'));
    await picture(page, 'modal');
    await field('Title').fill('Checkout is down');
    await dialog('New issue').getByLabel('Severity').selectOption('Critical');
    await dialog('New issue').getByLabel('Suggest it').check();
    await dialog('New issue').getByLabel('Broadcast results').check();
    await dialog('New issue').getByRole('button', { name: 'Tools' }).click();
    await page.getByRole('checkbox', { name: 'Sentry' }).check();
    await page.getByRole('checkbox', { name: 'Grafana' }).check();
    await picture(page, 'modal-choosing');
    await page.keyboard.press('Escape');
    expect(await dialog('New issue').isVisible()).toBe(true);
    await field('Alert link').fill('nowhere');

    const errors = { url: 'Please enter a valid URL.', title: 'There is one like that: #7.' };
    server.answer({ ok: false, error: 'There are errors.', errors });
    const release = server.hold();
    await dialog('New issue').getByRole('button', { name: 'File', exact: true }).click();
    await expect.poll(() => dialog('New issue').getAttribute('aria-busy')).toBe('true');
    expect(await dialog('New issue').getByRole('button', { name: 'File', exact: true }).isDisabled()).toBe(
      true,
    );
    release();
    await dialog('New issue').getByText('There is one like that: #7.').waitFor();
    expect(await field('Title').getAttribute('aria-invalid')).toBe('true');
    expect(await descriptionOf(field('Title'))).toBe('There is one like that: #7.');
    expect(await descriptionOf(field('Alert link'))).toBe('Please enter a valid URL.');
    expect(await page.locator(':focus').getAttribute('id')).toBe(await field('Title').getAttribute('id'));
    expect(await dialog('New issue').getByText('There are errors.').count()).toBe(0);
    await picture(page, 'modal-errors');

    await field('Alert link').fill('https://am.example.com');
    expect(await dialog('New issue').getByText('Please enter a valid URL.').count()).toBe(0);
    await field('Title').fill('Checkout is down again');
    server.answer({ ok: true });
    await field('Title').press('Enter');
    await expect.poll(() => server.posts.length).toBe(2);
    server.emit({ type: 'view_closed', user: 'U1', id: 'V1' });
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

    const text = (type: string, value: string | null) => ({ type, value });
    const mode = { ...option('Suggest it', 'suggest') };
    expect(server.posts[1]).toEqual({
      call: 'views/submit',
      body: {
        as: 'U1',
        view_id: 'V1',
        values: {
          title: { title: text('plain_text_input', 'Checkout is down again') },
          description: { description: text('plain_text_input', 'Checkout fails for some.') },
          severity: { severity: { type: 'static_select', selected_option: option('Critical') } },
          budget: { budget: text('number_input', '10') },
          url: { url: text('url_text_input', 'https://am.example.com') },
          mode: {
            mode: {
              type: 'radio_buttons',
              selected_option: {
                ...mode,
                description: { type: 'plain_text', text: 'A button under the alert' },
              },
            },
          },
          people: {
            people: { type: 'checkboxes', selected_options: [option('Broadcast results', 'cast')] },
          },
          tools: {
            tools: { type: 'multi_static_select', selected_options: [option('Grafana'), option('Sentry')] },
          },
        },
      },
    });
  });

  it('says why sending failed, and loses nothing', async () => {
    open(newIssue());
    await field('Title').fill('Checkout is down');
    server.answer({ ok: false, error: 'The app did not answer within 3 seconds.' });
    await field('Title').press('Enter');
    await dialog('New issue').getByRole('alert').getByText('did not answer within 3 seconds').waitFor();
    expect(await field('Title').inputValue()).toBe('Checkout is down');
    await picture(page, 'modal-failure');
  });

  it('tells the app while one types, and keeps what was typed over its updates', async () => {
    open(patterns('_Nothing typed yet_'));
    // In one stroke: on a busy machine the pause that ends the typing may fall between two keys.
    await field('Only messages').fill('check');
    await expect.poll(() => server.posts.length).toBe(1);
    const held = (value: string | null) => ({ type: 'plain_text_input', value });
    const others = {
      exclude: { exclude: held(null) },
      recovery: { recovery: { type: 'static_select', selected_option: null } },
    };
    const state = held('check');
    expect(server.posts[0]).toEqual({
      call: 'views/action',
      body: {
        as: 'U1',
        view_id: 'V2',
        block_id: 'include',
        action_id: 'include',
        state,
        values: { include: { include: state }, ...others },
      },
    });
    await field('Only messages').fill('checkout');
    open({ ...patterns(':white_check_mark: *check* matches 12 of the last 50'), hash: '2.b' });
    await dialog('Channel settings').getByText('matches 12 of the last 50').waitFor();
    expect(await field('Only messages').inputValue()).toBe('checkout');
    await picture(page, 'modal-typing');
    await expect.poll(() => server.posts.length).toBe(2);

    await field('Never messages').fill('test');
    await field('Never messages').press('Enter');
    await dialog('Channel settings').getByRole('combobox', { name: 'On recovery' }).selectOption('note');
    await dialog('Channel settings').getByRole('button', { name: 'Try on the last 50' }).click();
    await expect.poll(() => server.posts.length).toBe(5);
    expect(server.posts.slice(2).map(({ body }) => body)).toMatchObject([
      { block_id: 'exclude', state: held('test'), values: { include: { include: held('checkout') } } },
      {
        block_id: 'recovery',
        state: { type: 'static_select', selected_option: option('Note it', 'note') },
      },
      {
        block_id: 'buttons',
        action_id: 'try',
        state: { type: 'button', value: '50' },
        values: { recovery: { recovery: { selected_option: option('Note it', 'note') } } },
      },
    ]);
    expect(server.posts.some(({ call }) => call === 'views/submit')).toBe(false);
  });

  it('asks before a button that wants it, over the modal', async () => {
    open(patterns('x'));
    await dialog('Channel settings').getByRole('button', { name: 'Stop watching' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog('Stop watching?').count()).toBe(0);
    expect(await dialog('Channel settings').isVisible()).toBe(true);
    await dialog('Channel settings').getByRole('button', { name: 'Stop watching' }).click();
    await dialog('Stop watching?').getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(() => server.posts.map(({ call }) => call)).toEqual(['views/action']);
  });

  it('lies on others, which keep what was put in, and closes alone', async () => {
    open(newIssue());
    await field('Title').fill('Checkout is down');
    open(patterns('On top'));
    await dialog('Channel settings').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await picture(page, 'modal-pushed');
    await page.keyboard.press('Escape');
    await dialog('New issue').waitFor();
    expect(await field('Title').inputValue()).toBe('Checkout is down');
    await dialog('New issue').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect
      .poll(() => server.posts)
      .toEqual([
        { call: 'views/close', body: { as: 'U1', view_id: 'V2' } },
        { call: 'views/close', body: { as: 'U1', view_id: 'V1' } },
      ]);
  });

  it('draws every kind of block, and has no button to send where there is nothing to send', async () => {
    open(whyFiled());
    const why = dialog('Why was this filed');
    await why.getByRole('heading', { name: 'Filed as #7' }).waitFor();
    expect(await why.getByText('cannot draw').count()).toBe(0);
    expect(await why.getByRole('cell').allInnerTexts()).toEqual([
      'host',
      'web-1.eu-west-1.compute.internal',
      'attempts',
      '3',
    ]);
    expect(await why.locator('footer').getByRole('button').allInnerTexts()).toEqual(['Done']);
    expect(await page.locator(':focus').getAttribute('class')).toBe('modal');
    await picture(page, 'modal-blocks');
    await why.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitem', { name: 'Attach' }).click();
    await expect
      .poll(() => server.posts.map(({ body }) => body))
      .toMatchObject([
        {
          block_id: 'menu',
          action_id: 'more',
          state: { type: 'overflow', selected_option: option('Attach') },
        },
      ]);
    await bringIntoView(why.getByText('Decided at'));
    await picture(page, 'modal-blocks-end');
    await page.setViewportSize({ width: 420, height: 700 });
    await picture(page, 'modal-narrow');
    await why.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('is there for its own person alone, also after the page was opened anew', async () => {
    open(newIssue({ user: 'U2' }));
    await page.waitForTimeout(100);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('You act as').selectOption('Bob Tanaka');
    await dialog('New issue').waitFor();
    await page.reload();
    await page.getByText('12.4 %').first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('You act as').selectOption('Bob Tanaka');
    await dialog('New issue').waitFor();
  });
});

/** What the field's `aria-describedby` names, in words. */
async function descriptionOf(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  return await field.page().locator(`[id="${ids}"]`).innerText();
}
