import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Workspace } from 'local-slack';
import { boltOn, clientOf, eventsOf, testWorkspace } from 'local-slack/testing';
import { type Browser, chromiumPath, openBrowser, openPage, picture } from 'local-slack/testing/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderAnswer } from '../../src/bot/render/asking/answer.ts';
import { answerView } from '../support/views.ts';

const ALICE = 'U0ALICE001';
const DM = 'D0ALICE001';

const FOUND = renderAnswer(
  answerView({
    answer:
      '**checkout-api** fails since its connection pool was cut:\n\n| | before | after |\n|---|---|---|\n| `POOL_SIZE` | 50 | 5 |\n| waiting | 2 ms | 1,900 ms |\n\n```\nkubectl rollout undo deploy/checkout-api\n```\nThe deploy is [2.14.0](https://git.example.com/r/2.14.0).',
    artifacts: [
      { id: 'a1', data_type: 'metric', provider: 'Datadog', summary: 'Waiting for a connection, by pod' },
      { id: 'a2', data_type: 'logs', provider: 'Loki', summary: '214 lines with “pool exhausted”' },
    ],
  }),
);

/** A bot whose answers grow when the test says so. */
function talker(app: App): Promise<{ client: WebClient; thread_ts: string }> {
  const { promise, resolve } = Promise.withResolvers<{ client: WebClient; thread_ts: string }>();
  app.event('assistant_thread_started', async ({ event, client }) => {
    const { channel_id, thread_ts, context } = event.assistant_thread;
    await client.assistant.threads.setSuggestedPrompts({
      channel_id,
      thread_ts,
      title: `Seen from ${context.channel_id}`,
      prompts: [
        { title: 'Why does checkout fail?', message: 'Why does *checkout-api* fail?' },
        { title: 'What is open?', message: 'Which issues are open?' },
      ],
    });
  });
  app.message(async ({ event, client }) => {
    if (!('thread_ts' in event) || event.thread_ts === undefined) return;
    const place = { channel_id: event.channel, thread_ts: event.thread_ts };
    await client.assistant.threads.setTitle({ ...place, title: 'Failing checkout' });
    await client.assistant.threads.setStatus({ ...place, status: 'is thinking…' });
    resolve({ client, thread_ts: event.thread_ts });
  });
  return promise;
}

describe.skipIf(chromiumPath() === null)('talking with an app on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const pane = (page: Page) => page.getByRole('complementary', { name: 'Chat with Tester' });

  async function small(page: Page, name: string): Promise<void> {
    await page.setViewportSize({ width: 420, height: 800 });
    await picture(page, name);
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  /** Alice's conversation with the app, open on the page. */
  async function inDirect(workspace: Workspace): Promise<Page> {
    const page = await openPage(browser, workspace);
    await page.getByRole('button', { name: 'Tester' }).filter({ hasText: 'line' }).click();
    await page.getByRole('textbox', { name: 'Message Tester' }).waitFor();
    return page;
  }

  it('shows a whole conversation in the pane: prompts, title, status, an answer as it grows and as it ends', async () => {
    const workspace = await testWorkspace({ assistant: true });
    let question = Promise.withResolvers<{ client: WebClient; thread_ts: string }>().promise;
    await boltOn(workspace, (app) => {
      question = talker(app);
    });
    const page = await openPage(browser, workspace);
    await page.getByRole('button', { name: 'Chat with Tester' }).click();
    await pane(page).getByText(`Seen from ${workspace.channels.alerts}`).waitFor();
    await picture(page, 'talk-prompts');
    await small(page, 'talk-prompts-small');
    await pane(page).getByRole('button', { name: 'Why does checkout fail?' }).click();
    await pane(page).getByText('Tester is thinking…').waitFor();
    await pane(page).getByRole('heading', { name: 'Failing checkout' }).waitFor();
    await picture(page, 'talk-thinking');

    const { client, thread_ts } = await question;
    const stream = client.chatStream({ channel: DM, thread_ts, buffer_size: 1 });
    await stream.append({ markdown_text: '**checkout-api** fails since its ' });
    await stream.append({ markdown_text: 'connection pool was cut:\n\n- `POOL_SIZE` went from 50 to' });
    await pane(page).getByText('went from 50 to').waitFor();
    await expect.poll(() => pane(page).getByText('is thinking').count()).toBe(0);
    await picture(page, 'talk-growing');
    await small(page, 'talk-growing-small');
    const { ts = '' } = await stream.stop();
    await expect.poll(() => pane(page).getByRole('button', { name: 'Stop writing' }).count()).toBe(0);
    await client.chat.update({ channel: DM, ts, ...FOUND });
    await pane(page).getByRole('button', { name: 'Show' }).first().waitFor();
    await picture(page, 'talk-answer');
    await small(page, 'talk-answer-small');
  });

  it('stops an answer that grows', async () => {
    const workspace = await testWorkspace({ assistant: true });
    const client = clientOf(workspace);
    const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'why?' });
    const page = await inDirect(workspace);
    await page.getByText('why?').hover();
    await page.getByRole('button', { name: 'Reply in thread' }).click();
    await client.assistant.threads.setStatus({ channel_id: DM, thread_ts, status: 'is thinking…' });
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Tester is thinking…').waitFor();
    await picture(page, 'talk-direct');
    const { ts = '' } = await client.chat.startStream({ channel: DM, thread_ts, markdown_text: 'The disk' });
    await thread.getByRole('button', { name: 'Stop writing' }).click();
    await expect.poll(() => thread.getByRole('button', { name: 'Stop writing' }).count()).toBe(0);
    await expect(
      client.chat.appendStream({ channel: DM, ts, markdown_text: ' is full' }),
    ).rejects.toMatchObject({ data: { error: 'stopped_by_user' } });
  });

  it('sends files with a message, without those taken back, and shows them', async () => {
    const workspace = await testWorkspace();
    const events = await eventsOf(workspace);
    const page = await inDirect(workspace);
    const input = page.locator('.composer input[type=file]');
    const file = (name: string, content: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    });
    await input.setInputFiles([file('app.log', 'ERROR pool exhausted\nERROR again\n'), file('core', 'x')]);
    await page.getByRole('button', { name: 'Remove core' }).click();
    const box = page.getByRole('textbox', { name: 'Message Tester' });
    await box.fill('what does this say?');
    await picture(page, 'talk-attached');
    await box.press('Enter');
    const row = page.getByRole('article').filter({ hasText: 'what does this say?' });
    await row.getByText('ERROR pool exhausted').waitFor();
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0);
    expect(await box.inputValue()).toBe('');
    await picture(page, 'talk-file');
    await small(page, 'talk-file-small');
    await expect
      .poll(() => events.find(({ subtype }) => subtype === 'file_share'))
      .toMatchObject({ text: 'what does this say?', channel: DM, files: [{ name: 'app.log', size: 33 }] });

    await input.setInputFiles([file('alone.txt', 'only this')]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('only this').waitFor();
  });

  it('shows in a direct message what only one person is told', async () => {
    const workspace = await testWorkspace();
    await workspace.post({ channel: ALICE, user: ALICE, text: 'why?' });
    const page = await inDirect(workspace);
    await clientOf(workspace).chat.postEphemeral({ channel: DM, user: ALICE, text: 'Guests may not ask.' });
    const row = page.getByRole('article').filter({ hasText: 'Guests may not ask.' });
    await row.getByText('Only visible to you').waitFor();
  });
});
