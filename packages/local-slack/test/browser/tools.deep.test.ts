import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath, picture } from '../../testing/browser.ts';
import { alertTs, botReply, message, minutesAgo } from './support/canned.ts';
import { newIssue } from './support/canned-modals.ts';
import { onCannedPage } from './support/canned-page.ts';
import type { FakeWorkspace } from './support/fake-workspace.ts';

describe.skipIf(chromiumPath() === null)('what can be done with a message on the page', () => {
  let server: FakeWorkspace;
  let page: Page;
  onCannedPage((opened) => {
    ({ page, server } = opened);
  });

  const main = () => page.getByRole('main');
  const thread = () => page.getByRole('complementary', { name: 'Thread' });
  const alert = () => main().getByRole('article').filter({ hasText: '[FIRING:1]' });
  const onAlert = { as: 'U1', channel: 'C1', message_ts: alertTs };
  const focused = () => page.locator(':focus');

  it('offers the app’s shortcuts on a message, and one opens a modal', async () => {
    await alert().hover();
    await alert().getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Why was this (not) filed?' }).waitFor();
    await picture(page, 'shortcuts');
    await page.getByRole('menuitem', { name: 'Report this' }).click();
    await expect
      .poll(() => server.posts)
      .toEqual([{ call: 'shortcuts', body: { ...onAlert, callback_id: 'report_this' } }]);
    server.emit({ type: 'view', view: newIssue() });
    await page.getByRole('dialog', { name: 'New issue' }).waitFor();
  });

  it('offers the global ones in the composer, and says what went wrong', async () => {
    server.answer({ ok: false, error: 'The app did not answer within 3 seconds.' });
    await main().getByRole('button', { name: 'Shortcuts' }).click();
    await picture(page, 'global-shortcuts');
    await page.getByRole('menuitem', { name: 'New issue' }).click();
    await page.getByRole('alert').getByText('did not answer within 3 seconds').waitFor();
    expect(server.posts).toEqual([{ call: 'shortcuts', body: { as: 'U1', callback_id: 'new_issue' } }]);
  });

  it('puts a reaction on and takes it off, for each person their own', async () => {
    const eyes = alert().getByRole('button', { name: ':eyes: 1' });
    expect(await eyes.getAttribute('aria-pressed')).toBe('false');
    await eyes.click();
    const at = server.messages.findIndex(({ ts }) => ts === alertTs);
    const both = {
      ...message(alertTs, {}),
      ...server.messages[at],
      reactions: [{ name: 'eyes', count: 2, users: ['UBOT', 'U1'] }],
    };
    server.emit({ type: 'message_changed', channel: 'C1', message: both });
    const mine = alert().getByRole('button', { name: ':eyes: 2' });
    await mine.click();
    expect(await mine.getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('You act as').selectOption('Bob Tanaka');
    await expect.poll(() => mine.getAttribute('aria-pressed')).toBe('false');
    await page.getByLabel('You act as').selectOption('Alice Ferrer');

    await alert().hover();
    await alert().getByRole('button', { name: 'React' }).click();
    await picture(page, 'reacting');
    await page.getByRole('button', { name: ':mag:' }).click();
    await alert().getByRole('button', { name: 'React' }).click();
    await page.getByRole('dialog', { name: 'React' }).getByRole('button', { name: ':eyes:' }).click();
    await alert().getByRole('button', { name: 'React' }).click();
    await page.getByRole('textbox', { name: 'Shortcode' }).fill(':Tada:');
    await page.getByRole('textbox', { name: 'Shortcode' }).press('Enter');
    await expect
      .poll(() => server.posts.map(({ body }) => body))
      .toEqual([
        { ...onAlert, name: 'eyes', on: true },
        { ...onAlert, name: 'eyes', on: false },
        { ...onAlert, name: 'mag', on: true },
        { ...onAlert, name: 'eyes', on: false },
        { ...onAlert, name: 'tada', on: true },
      ]);
  });

  it('does all of it with the keyboard alone', async () => {
    await main().getByRole('textbox').focus();
    await alert().focus();
    await page.keyboard.press('ArrowUp');
    expect(await focused().innerText()).toContain('Deploying');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await picture(page, 'keyboard');
    expect(await focusedLabels(5)).toEqual([
      '[FIRING:1] HighErrorRate checkout-api (prod payments eu-west-1 critical)',
      ':eyes: 1',
      '3 replies',
      'React',
      'Reply in thread',
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Report this' }).waitFor();
    await expect.poll(() => focused().innerText()).toContain('Report this');
    await page.keyboard.press('ArrowDown');
    expect(await focused().innerText()).toContain('Why was this (not) filed?');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => server.posts)
      .toEqual([{ call: 'shortcuts', body: { ...onAlert, callback_id: 'report_this' } }]);

    server.emit({ type: 'view', view: newIssue() });
    const dialog = page.getByRole('dialog', { name: 'New issue' });
    await dialog.waitFor();
    await page.keyboard.type('Typed');
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press('Tab');
      expect(await focused().evaluateAll((found) => found.every((one) => one.closest('dialog')))).toBe(true);
    }
    expect(await dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Typed');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await focused().getAttribute('aria-label')).toBe('More actions');
  });

  it('lets an ephemeral message be answered and waved away, and offers nothing else on it', async () => {
    const button = { type: 'button', action_id: 'file', text: { type: 'plain_text', text: 'File it' } };
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: 'Psst: is this an incident?' } },
      { type: 'actions', block_id: 'offer', elements: [button] },
    ];
    const ephemeral = { user: 'UBOT', bot_id: 'B1', text: 'Psst', blocks, ephemeral_to: 'U1' };
    const ts = minutesAgo(0);
    server.emit({ type: 'message', channel: 'C1', message: message(ts, ephemeral) });
    const row = main().getByRole('article').filter({ hasText: 'Psst' });
    await row.hover();
    await picture(page, 'ephemeral');
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Dismiss', 'File it']);
    await row.getByRole('button', { name: 'File it' }).click();
    const click = { as: 'U1', channel: 'C1', message_ts: ts, block_id: 'offer', action_id: 'file' };
    await expect.poll(() => server.posts).toEqual([{ call: 'actions', body: click }]);
    await row.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => row.count()).toBe(0);
    await page.getByRole('button', { name: 'general' }).click();
    await page.getByRole('button', { name: 'alerts' }).click();
    await alert().waitFor();
    expect(await row.count()).toBe(0);
  });

  it('shows a reply that was sent to the channel too, there and in its thread', async () => {
    const text = 'Root cause found: the pool was cut from 50 to 5 connections';
    const broadcast = botReply(minutesAgo(0), { subtype: 'thread_broadcast', text });
    server.emit({ type: 'message', channel: 'C1', message: broadcast });
    await thread().getByText('Also sent to the channel').waitFor();
    const row = main().getByRole('article').filter({ hasText: 'pool was cut' });
    await picture(page, 'broadcast');
    await page.getByRole('button', { name: 'Close thread' }).click();
    await row
      .getByRole('button', {
        name: '[FIRING:1] HighErrorRate checkout-api (prod payments eu-west-1 critical)',
      })
      .click();
    await thread().getByText('Root cause: connection pool exhausted').waitFor();
  });

  it('draws tables, and lets wide ones scroll', async () => {
    const raw = (text: string) => ({ type: 'raw_text', text });
    const link = {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [{ type: 'link', url: 'https://acme.example.com/7', text: '#7' }],
        },
      ],
    };
    const row = [
      raw('[FIRING:1] HighErrorRate checkout-api (prod payments eu-west-1 critical)'),
      raw('Alertmanager'),
      raw(':white_check_mark: would be filed'),
      raw('No open issue has the fingerprint 4c7d, and nothing of the channel’s rules is against it'),
      link,
    ];
    const table = {
      type: 'table',
      column_settings: [{ is_wrapped: true }, null, {}, {}, { align: 'right' }],
      rows: [['Message', 'Tool', 'Decision', 'Reason', 'Issue'].map(raw), row, row],
    };
    server.emit({
      type: 'message',
      channel: 'C1',
      message: botReply(minutesAgo(0), { text: 'A table', blocks: [table] }),
    });
    const frame = thread().getByRole('region', { name: 'Table' });
    await frame.waitFor();
    await picture(page, 'table');
    expect(await frame.getByRole('columnheader').allInnerTexts()).toEqual([
      'Message',
      'Tool',
      'Decision',
      'Reason',
      'Issue',
    ]);
    const first = frame.getByRole('row').nth(1).getByRole('cell');
    expect(await first.evaluateAll((cells) => cells.map((cell) => cell.className.trim()))).toEqual([
      'left wrapped',
      'left',
      'left',
      'left',
      'right',
    ]);
    expect(await frame.getByRole('link', { name: '#7' }).first().getAttribute('href')).toBe(
      'https://acme.example.com/7',
    );
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    expect(
      await thread()
        .getByRole('log')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0);
  });

  /** What the focus is on now and after each of the next steps of the Tab key. */
  async function focusedLabels(count: number): Promise<string[]> {
    const labels: string[] = [];
    for (let step = 0; step < count; step += 1) {
      if (step > 0) await page.keyboard.press('Tab');
      const label = await focused().getAttribute('aria-label');
      const pictures = await focused().locator('img').all();
      const alts = await Promise.all(
        pictures.map(async (picture) => (await picture.getAttribute('alt')) ?? ''),
      );
      labels.push(label ?? [...alts, await focused().innerText()].join(' ').split('\n')[0] ?? '');
    }
    return labels;
  }
});
