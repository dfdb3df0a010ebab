import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageAssistantThread, PageMessage } from '../../src/page-api.ts';
import { pageFiles } from '../../src/page-build.ts';
import { type Browser, chromiumPath, openBrowser, picture } from '../../testing/browser.ts';
import { minutesAgo, story, workspace } from './support/canned.ts';
import { type FakeWorkspace, startFakeWorkspace } from './support/fake-workspace.ts';

const rootTs = minutesAgo(5);

const chat: PageAssistantThread = {
  user: 'U1',
  channel: 'D1',
  thread_ts: rootTs,
  is_pane: true,
  title: null,
  status: null,
  prompts_title: 'Three issues are open',
  prompts: [
    { title: 'Why does checkout fail?', message: 'Why does checkout-api fail since 10:41 (#7)?' },
    { title: 'What is the state of #12 The disk is full on payments-db?', message: 'How is #12?' },
    { title: 'What changed in the last hour?', message: 'What changed in the last hour?' },
  ],
};

const inChat = (ts: string, rest: Partial<PageMessage>): PageMessage => ({
  type: 'message',
  channel: 'D1',
  ts,
  thread_ts: rootTs,
  text: '',
  ...rest,
});

const answerTs = minutesAgo(3);

const asked = inChat(minutesAgo(4), { user: 'U1', text: 'Why does checkout-api fail since 10:41 (#7)?' });

const answer = (text: string, rest: Partial<PageMessage> = {}) =>
  inChat(answerTs, {
    user: 'UBOT',
    bot_id: 'B1',
    text,
    blocks: [{ type: 'markdown', text }],
    ...rest,
  });

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `Line ${index + 1} of what was found.`).join('\n\n');

describe.skipIf(chromiumPath() === null)('the app’s pane', () => {
  let browser: Browser;
  let files: string;
  let server: FakeWorkspace;
  let page: Page;

  beforeAll(async () => {
    files = await pageFiles();
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    server = await startFakeWorkspace(files, { ...structuredClone(workspace), assistant: true }, story());
    page = await browser.context.newPage();
    await page.goto(server.url);
    await page.getByText('12.4 %').first().waitFor();
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });

  const pane = () => page.getByRole('complementary', { name: 'Chat with Gumshoe' });
  const message = (one: PageMessage) => server.emit({ type: 'message', channel: one.channel, message: one });
  const change = (one: PageMessage) =>
    server.emit({ type: 'message_changed', channel: one.channel, message: one });

  async function open(): Promise<void> {
    server.answer({ ok: true, channel: 'D1', thread_ts: rootTs });
    message(
      inChat(rootTs, { user: 'UBOT', bot_id: 'B1', subtype: 'assistant_app_thread', text: 'New chat' }),
    );
    server.emit({ type: 'assistant', thread: chat });
    await page.getByRole('button', { name: 'Chat with Gumshoe' }).click();
    await pane().getByRole('button', { name: 'What changed in the last hour?' }).waitFor();
  }

  const contexts = () => server.posts.filter(({ call }) => call === 'assistant/context');
  const log = () => pane().getByRole('log', { name: 'Conversation with Gumshoe' });
  const scrolled = () =>
    log().evaluate((list) => ({
      top: Math.round(list.scrollTop),
      fromEnd: Math.round(list.scrollHeight - list.clientHeight - list.scrollTop),
    }));

  it('opens on a greeting, says where the person looks, and sends a prompt that is chosen', async () => {
    await open();
    expect(server.posts).toEqual([{ call: 'assistant', body: { as: 'U1', channel: 'C1' } }]);
    await pane().getByText('Hello, Alice.').waitFor();
    await picture(page, 'pane-prompts');
    await page.getByRole('button', { name: 'incidents' }).click();
    await expect
      .poll(contexts)
      .toEqual([{ call: 'assistant/context', body: { as: 'U1', thread_ts: rootTs, channel: 'C3' } }]);
    const box = pane().getByRole('textbox', { name: 'Ask Gumshoe' });
    await pane().getByRole('button', { name: 'Why does checkout fail?' }).click();
    await expect
      .poll(() => server.posts.at(-1))
      .toEqual({
        call: 'messages',
        body: {
          as: 'U1',
          channel: 'D1',
          text: 'Why does checkout-api fail since 10:41 (#7)?',
          thread_ts: rootTs,
        },
      });
    await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true);
    message(asked);
    await log().getByText('Why does checkout-api fail').waitFor();
    await expect.poll(() => pane().getByRole('region', { name: 'Suggested prompts' }).count()).toBe(0);
  });

  it('opens, writes and closes by keyboard alone', async () => {
    server.answer({ ok: true, channel: 'D1', thread_ts: rootTs });
    const button = page.getByRole('button', { name: 'Chat with Gumshoe' });
    await button.focus();
    await page.keyboard.press('Enter');
    const box = pane().getByRole('textbox', { name: 'Ask Gumshoe' });
    await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.type('what is wrong?');
    await page.keyboard.press('Enter');
    await pane().getByRole('button', { name: 'Close chat' }).focus();
    await expect
      .poll(() => server.posts.at(-1)?.body)
      .toEqual({ as: 'U1', channel: 'D1', text: 'what is wrong?', thread_ts: rootTs });
    // Once it is sent, the box does not take the focus back.
    await expect.poll(() => box.inputValue()).toBe('');
    await page.keyboard.press('Enter');
    await expect.poll(() => pane().count()).toBe(0);
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
  });

  it('says what the app is doing, shows its answer grow, and stops it', async () => {
    await open();
    message(asked);
    const status = pane().getByRole('status', { name: 'What Gumshoe is doing' });
    expect(await status.innerText()).toBe('');
    const titled = { ...chat, title: 'Why does checkout fail?' };
    server.emit({ type: 'assistant', thread: { ...titled, status: 'is thinking…' } });
    await status.getByText('Gumshoe is thinking…').waitFor();
    await pane().getByRole('heading', { name: 'Why does checkout fail?' }).waitFor();
    await picture(page, 'pane-thinking');
    server.emit({ type: 'assistant', thread: titled });
    const text = 'The **connection pool** is exhausted:\n\n- `pool_wait_ms` rose to 1,900\n- since the dep';
    message(answer(text, { streaming: true }));
    const row = log().getByRole('article', { name: 'Message from Gumshoe' });
    await row.getByText('connection pool').waitFor();
    expect([await row.getAttribute('aria-busy'), await status.innerText()]).toEqual(['true', '']);
    await picture(page, 'pane-growing');
    server.answer({ ok: true });
    await row.getByRole('button', { name: 'Stop writing' }).click();
    await expect
      .poll(() => server.posts.at(-1))
      .toEqual({ call: 'streams/stop', body: { as: 'U1', channel: 'D1', ts: answerTs } });
    change(answer(text));
    await expect.poll(() => row.getAttribute('aria-busy')).toBe('false');
    expect(await row.getByRole('button', { name: 'Stop writing' }).count()).toBe(0);
  });

  it('follows what grows while the reader is at its end, and else stays where the reader is', async () => {
    await open();
    message(asked);
    message(answer(lines(3), { streaming: true }));
    await log().getByText('Line 3 ').waitFor();
    change(answer(lines(30), { streaming: true }));
    await log().getByText('Line 30 ').waitFor();
    await expect.poll(async () => (await scrolled()).fromEnd).toBe(0);
    change(answer(lines(50), { streaming: true }));
    await log().getByText('Line 50 ').waitFor();
    await expect.poll(async () => (await scrolled()).fromEnd).toBe(0);

    await log().evaluate((list) => list.scrollTo(0, 300));
    await expect.poll(scrolled).toMatchObject({ top: 300 });
    change(answer(lines(70), { streaming: true }));
    await log().getByText('Line 70 ').waitFor();
    change(answer(lines(71)));
    await log().getByText('Line 71 ').waitFor();
    expect((await scrolled()).top).toBe(300);
  });

  it('lists the earlier conversations, and opens one again', async () => {
    const earlier = { ...chat, thread_ts: minutesAgo(90), title: 'Disk on payments-db' };
    const unused = { ...chat, thread_ts: minutesAgo(60) };
    const inMessages = {
      ...chat,
      thread_ts: minutesAgo(30),
      is_pane: false,
      prompts: [],
      status: 'is thinking…',
    };
    server.assistants.push(earlier, unused, inMessages, { ...chat, user: 'U2', title: 'Of Bob' });
    server.messages.push(
      inChat(minutesAgo(89), { thread_ts: earlier.thread_ts, user: 'U1', text: 'how full is it?' }),
    );
    await page.reload();
    await page.getByText('12.4 %').first().waitFor();
    await open();
    await pane().getByRole('button', { name: 'History' }).click();
    const list = pane().getByRole('list', { name: 'Earlier conversations' });
    await list.getByText('Disk on payments-db').waitFor();
    expect(await list.getByRole('button').count()).toBe(2);
    await picture(page, 'pane-history');
    await list.getByText('Disk on payments-db').click();
    await log().getByText('how full is it?').waitFor();
    await pane().getByRole('heading', { name: 'Disk on payments-db' }).waitFor();
    expect(contexts().at(-1)?.body).toEqual({ as: 'U1', thread_ts: earlier.thread_ts, channel: 'C1' });
  });

  it('makes way for a thread, and for another person', async () => {
    await open();
    await page.getByRole('button', { name: '3 replies' }).click();
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    expect(await pane().count()).toBe(0);
    await page.getByRole('button', { name: 'Chat with Gumshoe' }).click();
    await pane().getByRole('textbox').waitFor();
    expect(server.posts.filter(({ call }) => call === 'assistant').length).toBe(1);
    await page.getByLabel('You act as').selectOption('Bob Tanaka');
    await expect.poll(() => pane().count()).toBe(0);
  });

  it('fills a small screen, where the channels come and go', async () => {
    await page.setViewportSize({ width: 420, height: 800 });
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.getByRole('button', { name: 'Show channels' }).click();
    await picture(page, 'small-channels');
    await page.getByRole('button', { name: 'incidents' }).click();
    await page.getByRole('heading', { name: '#incidents' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Channels' }).isVisible()).toBe(false);
    await open();
    expect((await pane().boundingBox())?.width).toBe(420);
    await picture(page, 'small-pane');
  });

  it('says why it cannot be opened', async () => {
    server.answer({ ok: false, error: 'The app is not running.' });
    await page.getByRole('button', { name: 'Chat with Gumshoe' }).click();
    await page.getByRole('alert').getByText('The app is not running.').waitFor();
    expect(await pane().count()).toBe(0);
  });

  it('says what the app is doing in a thread of its conversation, too', async () => {
    const root: PageMessage = { ...asked, ts: minutesAgo(2), text: 'why is the disk full?' };
    delete root.thread_ts;
    message(root);
    await page
      .getByRole('button', { name: /^@?Gumshoe/ })
      .first()
      .click();
    const busy = { ...chat, thread_ts: root.ts, prompts: [], status: 'is thinking…' };
    server.emit({ type: 'assistant', thread: busy });
    const status = page.getByRole('status', { name: 'What Gumshoe is doing' });
    await status.getByText('Gumshoe is thinking…').waitFor();
    await page.getByText('why is the disk full?').hover();
    await page.getByRole('button', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Gumshoe is thinking…').waitFor();
    expect(await status.getByText('Gumshoe is thinking…').count()).toBe(1);
    await picture(page, 'thread-thinking');
    server.emit({ type: 'assistant', thread: { ...busy, status: null } });
    await expect.poll(() => status.getByText('Gumshoe is thinking…').count()).toBe(0);
  });
});
