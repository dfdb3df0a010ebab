import type { Workspace } from 'local-slack';
import { clientOf, eventsOf, testWorkspace } from 'local-slack/testing';
import { browserForTests, chromiumPath, openPage, picture } from 'local-slack/testing/browser';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { renderAnswerParts } from '../../src/bot/render/asking/answer.ts';
import { answerView } from '../support/views.ts';

const ALICE = 'U0ALICE001';
const DM = 'D0ALICE001';

const [FOUND] = renderAnswerParts(
  answerView({
    answer:
      '**checkout-api** fails since its connection pool was cut:\n\n| | before | after |\n|---|---|---|\n| `POOL_SIZE` | 50 | 5 |\n| waiting | 2 ms | 1,900 ms |\n\n```\nkubectl rollout undo deploy/checkout-api\n```\nThe deploy is [2.14.0](https://git.example.com/r/2.14.0).',
    artifacts: [
      { id: 'a1', data_type: 'metric', provider: 'Datadog', summary: 'Waiting for a connection, by pod' },
      { id: 'a2', data_type: 'logs', provider: 'Loki', summary: '214 lines with “pool exhausted”' },
    ],
  }),
);

describe.skipIf(chromiumPath() === null)('talking with an app on the page', () => {
  const browser = browserForTests();

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

  it('shows an answer as it grows and as it ends, or ends it where the person has read enough', async () => {
    const workspace = await testWorkspace({ agent: true });
    const client = clientOf(workspace);
    const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'why?' });
    const page = await inDirect(workspace);
    await page.getByText('why?').hover();
    await page.getByRole('button', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const stopped = () =>
      expect.poll(() => thread.getByRole('button', { name: 'Stop writing' }).count()).toBe(0);

    const stream = client.chatStream({ channel: DM, thread_ts, buffer_size: 1 });
    await stream.append({ markdown_text: '**checkout-api** fails since its ' });
    await stream.append({ markdown_text: 'connection pool was cut:\n\n- `POOL_SIZE` went from 50 to' });
    await thread.getByText('went from 50 to').waitFor();
    await picture(page, 'talk-growing');
    await small(page, 'talk-growing-small');
    const { ts: answer = '' } = await stream.stop();
    await stopped();
    await client.chat.update({ channel: DM, ts: answer, ...FOUND });
    await thread.getByRole('button', { name: 'Evidence · 2' }).waitFor();
    await picture(page, 'talk-answer');
    await small(page, 'talk-answer-small');

    const { ts = '' } = await client.chat.startStream({ channel: DM, thread_ts, markdown_text: 'The disk' });
    await thread.getByRole('button', { name: 'Stop writing' }).click();
    await stopped();
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
