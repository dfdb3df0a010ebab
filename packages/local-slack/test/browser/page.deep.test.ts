import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../testing/browser.ts';
import { alertTs, botReply, message, minutesAgo } from './support/canned.ts';
import { onCannedPage } from './support/canned-page.ts';
import type { FakeWorkspace } from './support/fake-workspace.ts';

describe.skipIf(chromiumPath() === null)('the page of the local workspace', () => {
  let server: FakeWorkspace;
  let page: Page;
  onCannedPage((opened) => {
    ({ page, server } = opened);
  });

  it('opens on #alerts with the thread of the newest alert beside it', async () => {
    await mainPane().getByRole('heading', { name: '#alerts' }).waitFor();
    await thread().getByRole('heading', { name: 'Root cause: connection pool exhausted' }).waitFor();
    expect(await thread().getByText('3 replies').isVisible()).toBe(true);
    expect(await mainPane().getByRole('button', { name: '3 replies' }).innerText()).toContain(
      'last reply 6 minutes ago',
    );
    expect(await mainPane().getByRole('img', { name: ':eyes:' }).count()).toBe(2);
    expect(await page.getByRole('status', { name: 'Gizmo is online' }).isVisible()).toBe(true);
    await mkdir('artifacts', { recursive: true });
    await page.screenshot({ path: 'artifacts/page.png' });
  });

  it('sends what is written, names as mentions, and keeps it when it is refused', async () => {
    const box = page.getByRole('textbox', { name: 'Message #alerts' });
    await box.fill('@gizmo is <this> bad? #general');
    server.answer({ ok: false, error: 'The app is not in this channel.' });
    await box.press('Enter');
    await page.getByRole('alert').getByText('The app is not in this channel.').waitFor();
    expect(await box.inputValue()).toBe('@gizmo is <this> bad? #general');

    server.answer({ ok: true });
    await box.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('');
    expect(await page.getByRole('alert').count()).toBe(0);
    const body = { as: 'U1', channel: 'C1', text: '<@UBOT> is &lt;this&gt; bad? <#C2>' };
    expect(server.posts).toEqual([
      { call: 'messages', body },
      { call: 'messages', body },
    ]);
  });

  it('replies in the thread as another user, on two lines', async () => {
    await page.getByLabel('You act as').selectOption('Bob Tanaka');
    const box = page.getByRole('textbox', { name: 'Reply in thread' });
    await box.pressSequentially('first');
    await box.press('Shift+Enter');
    await box.pressSequentially('second');
    await box.press('Enter');
    await expect
      .poll(() => server.posts)
      .toEqual([
        { call: 'messages', body: { as: 'U2', channel: 'C1', text: 'first\nsecond', thread_ts: alertTs } },
      ]);
  });

  it('completes commands with the keyboard and runs them', async () => {
    const box = page.getByRole('textbox', { name: 'Message #alerts' });
    await box.pressSequentially('/i');
    await expect
      .poll(() => page.getByRole('listbox').getByRole('option').allInnerTexts())
      .toEqual(['/incident Report an incident', '/issue Show an issue and what was found']);
    await box.press('ArrowDown');
    await box.press('Enter');
    expect(await box.inputValue()).toBe('/issue ');
    await mainPane().getByText('/issue <number>').waitFor();
    await box.pressSequentially('7');
    await box.press('Enter');
    await expect
      .poll(() => server.posts)
      .toEqual([{ call: 'commands', body: { as: 'U1', channel: 'C1', command: '/issue', text: '7' } }]);
  });

  it('refuses a command that nobody has, and commands in threads', async () => {
    await page.getByRole('textbox', { name: 'Message #alerts' }).fill('/nonsense 7');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('/nonsense is not a command').waitFor();
    await page.getByRole('textbox', { name: 'Reply in thread' }).fill('/ask why?');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('/ask does not work in threads').waitFor();
    expect(server.posts).toEqual([]);
  });

  it('clicks buttons, menus, lists and thumbs, and asks first where the button wants it', async () => {
    const click = {
      as: 'U1',
      channel: 'C1',
      message_ts: server.messages.find(({ text }) => text === 'Issue 7')?.ts,
    };
    await thread().getByRole('button', { name: 'Resolve' }).click();
    await thread().getByRole('button', { name: 'Mute 24 h' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute this issue?' });
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await thread().getByRole('button', { name: 'Mute 24 h' }).click();
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await thread().getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await thread().getByRole('combobox', { name: 'Severity' }).selectOption('High');
    await thread().getByRole('button', { name: 'Good answer' }).click();
    const option = (text: string, value: string) => ({ text: { type: 'plain_text', text }, value });
    const results = server.messages.find(({ text }) => text === 'Root cause found')?.ts;
    await expect
      .poll(() => server.posts.map(({ body }) => body))
      .toEqual([
        { ...click, block_id: 'card', action_id: 'issue:resolve', value: 'issue-7' },
        { ...click, block_id: 'card', action_id: 'issue:mute', value: 'issue-7' },
        { ...click, block_id: 'card', action_id: 'issue:more', selected_option: option('Delete', 'delete') },
        { ...click, block_id: 'card', action_id: 'issue:severity', selected_option: option('High', 'high') },
        { ...click, message_ts: results, block_id: 'feedback', action_id: 'answer:rate', value: 'good' },
      ]);
  });

  it('shows what happens as it happens: messages, edits, deletions, reactions, the app going', async () => {
    const ts = minutesAgo(0);
    const live = (event: 'message' | 'message_changed', rest: object) =>
      server.emit({
        type: event,
        channel: 'C1',
        message: message(ts, { user: 'U2', text: 'Looking', ...rest }),
      });
    live('message', {});
    await mainPane().getByText('Looking').waitFor();
    live('message_changed', {
      text: 'Rolled back',
      edited: { user: 'U2', ts },
      reactions: [{ name: 'tada', count: 2, users: ['U1', 'UBOT'] }],
    });
    await mainPane().getByText('Rolled back').waitFor();
    await mainPane().getByTitle('alice, Gizmo reacted with :tada:').waitFor();
    server.emit({ type: 'message_deleted', channel: 'C1', ts });
    await expect.poll(() => mainPane().getByText('Rolled back').count()).toBe(0);
    server.emit({ type: 'bot', online: false });
    await page.getByRole('status', { name: 'Gizmo is offline' }).waitFor();
    server.emit({
      type: 'message',
      channel: 'C3',
      message: { ...message(ts, { user: 'U2', text: 'x' }), channel: 'C3' },
    });
    await page.getByTitle('1 new').waitFor();
  });

  it('follows to a newer alert with a thread, until the person has chosen one', async () => {
    const newer = (ts: string, text: string) => {
      server.emit({
        type: 'message',
        channel: 'C1',
        message: message(ts, { bot_id: 'B8', username: 'Alertmanager', text }),
      });
      const reply = message(`${ts.slice(0, -1)}9`, {
        thread_ts: ts,
        user: 'UBOT',
        bot_id: 'B1',
        text: `Card of ${text}`,
      });
      server.emit({ type: 'message', channel: 'C1', message: reply });
    };
    newer(minutesAgo(2), 'DiskFull');
    await thread().getByText('Card of DiskFull').waitFor();
    await mainPane().getByRole('button', { name: '3 replies' }).click();
    await thread().getByText('Root cause: connection pool exhausted').waitFor();
    newer(minutesAgo(1), 'HighLatency');
    await mainPane().getByText('HighLatency').waitFor();
    expect(await thread().getByText('Root cause: connection pool exhausted').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close thread' }).click();
    expect(await thread().count()).toBe(0);
  });

  it('shows an ephemeral message to its one reader', async () => {
    server.emit({
      type: 'message',
      channel: 'C1',
      message: message(minutesAgo(0), { user: 'UBOT', bot_id: 'B1', text: 'Psst', ephemeral_to: 'U1' }),
    });
    await mainPane().getByText('Only visible to you').waitFor();
    await page.getByLabel('You act as').selectOption('Bob Tanaka');
    await expect.poll(() => mainPane().getByText('Psst').count()).toBe(0);
  });

  it('falls back to the text of a message whose blocks are malformed, and leaves the others alone', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 5 } }];
    server.emit({
      type: 'message',
      channel: 'C1',
      message: botReply(minutesAgo(1), { text: 'Fallback &amp; text', blocks }),
    });
    await thread().getByText('Fallback & text').waitFor();
    const unknown = [{ type: 'hologram' }, { type: 'actions', elements: [{ type: 'teleporter' }] }];
    server.emit({
      type: 'message',
      channel: 'C1',
      message: botReply(minutesAgo(0), { text: 'x', blocks: unknown }),
    });
    await thread().getByText('cannot draw a block of the type “hologram”').waitFor();
    await thread().getByText('An element that this page cannot show').waitFor();
    expect(await thread().getByRole('heading', { name: 'Root cause' }).isVisible()).toBe(true);
  });

  it('leaves hostile text inert', async () => {
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script> <javascript:alert(3)|click me>';
    const escaped = '&lt;!channel&gt; &lt;@U2&gt; &lt;https://evil.example|trust me&gt;';
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: `${hostile} ${escaped} end` } },
      { type: 'header', text: { type: 'plain_text', text: '<@U2> <!here>' } },
      { type: 'markdown', text: `${hostile} [mark](javascript:alert(4)) <b onclick=alert(5)>bold</b>` },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [{ type: 'link', url: 'javascript:alert(6)', text: 'rich' }],
          },
        ],
      },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'go' }, url: 'javascript:alert(7)' }],
      },
    ];
    const attachments = [
      { title: 'attached', title_link: 'javascript:alert(8)', text: hostile, color: 'red;position:fixed' },
    ];
    server.emit({
      type: 'message',
      channel: 'C1',
      message: botReply(minutesAgo(0), { text: hostile, blocks, attachments }),
    });
    const row = thread().getByRole('article').last();
    await row.getByText('trust me').waitFor();
    for (const link of await row.getByText(/^(click me|mark|rich|attached|go)$/).all()) await link.click();
    expect(await row.locator('script, img, iframe, [onclick], .slack_user, .slack_broadcast').count()).toBe(
      0,
    );
    const addresses = await row
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(addresses.filter((address) => address)).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(
      page
        .context()
        .pages()
        .filter((tab) => tab.url().startsWith('javascript:')),
    ).toEqual([]);
  });

  it('shows texts of any length in any script', async () => {
    const texts = ['<&*_~`> '.repeat(5_000), 'مرحبا 👋 שלום', 'x'.repeat(3_000)];
    for (const [index, text] of texts.entries()) {
      server.emit({
        type: 'message',
        channel: 'C1',
        message: botReply(`${minutesAgo(0)}${index}`, { text }),
      });
    }
    await thread().getByText('مرحبا').waitFor();
    await thread().getByText('x'.repeat(3_000)).waitFor();
    const sideways = await thread()
      .getByRole('log')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(sideways).toBe(0);
  });

  it('opens at a permalink, and stays there', async () => {
    const older = server.messages[0]?.ts.replace('.', '');
    await page.goto(`${server.url}archives/C1/p${older}`);
    await thread().getByText('Recovered; nothing to do.').waitFor();
    expect(await page.title()).toBe('#alerts · Acme');
  });

  it('says that it is offline, and catches up when the workspace is back', async () => {
    server.toggleEvents();
    await page.getByText('Offline: the workspace is not responding').waitFor();
    server.messages.push(message(minutesAgo(0), { user: 'U2', text: 'Missed while away' }));
    server.toggleEvents();
    await mainPane().getByText('Missed while away').waitFor();
    await expect.poll(() => page.getByText('Offline: the workspace').count()).toBe(0);
  });

  const mainPane = () => page.getByRole('main');
  const thread = () => page.getByRole('complementary', { name: 'Thread' });
});
