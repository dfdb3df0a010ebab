import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PageMessage } from '../../src/page-api.ts';
import { chromiumPath, picture } from '../../testing/browser.ts';
import { alertTs, botReply, minutesAgo } from './support/canned.ts';
import { onCannedPage } from './support/canned-page.ts';
import type { FakeWorkspace } from './support/fake-workspace.ts';

const answerTs = minutesAgo(0);
const answer = (text: string, rest: Partial<PageMessage> = {}) =>
  botReply(answerTs, { text, blocks: [{ type: 'markdown', text }], ...rest });

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `Line ${index + 1} of what was found.`).join('\n\n');

describe.skipIf(chromiumPath() === null)('an answer that grows on the page', () => {
  let server: FakeWorkspace;
  let page: Page;
  onCannedPage((opened) => {
    ({ page, server } = opened);
  });
  const log = () => page.getByRole('log', { name: 'Messages in this thread' });
  const tell = (message: PageMessage) =>
    server.emit({ type: 'message_changed', channel: message.channel, message });
  const scrolled = () =>
    log().evaluate((list) => ({
      top: Math.round(list.scrollTop),
      fromEnd: Math.round(list.scrollHeight - list.clientHeight - list.scrollTop),
    }));
  beforeEach(async () => {
    await log().getByText('who deployed it?').waitFor();
    await log().evaluate((list) => list.scrollTo(0, list.scrollHeight));
  });

  it('is read out once it is whole, and is stopped by the person', async () => {
    const text = 'The **connection pool** is exhausted:\n\n- `pool_wait_ms` rose to 1,900\n- since the dep';
    server.emit({ type: 'message', channel: 'C1', message: answer(text, { streaming: true }) });
    const row = log().getByRole('article').filter({ hasText: 'connection pool is exhausted' });
    await row.waitFor();
    expect(await row.getAttribute('aria-busy')).toBe('true');
    await picture(page, 'growing');
    await row.getByRole('button', { name: 'Stop writing' }).click();
    await expect
      .poll(() => server.posts.at(-1))
      .toEqual({ call: 'streams/stop', body: { as: 'U1', channel: 'C1', ts: answerTs } });
    tell(answer(text));
    await expect.poll(() => row.getAttribute('aria-busy')).toBe('false');
    expect(await row.getByRole('button', { name: 'Stop writing' }).count()).toBe(0);
  });

  it('is followed while the reader is at its end, and else stays where the reader is', async () => {
    server.emit({ type: 'message', channel: 'C1', message: answer(lines(3), { streaming: true }) });
    await log().getByText('Line 3 ').waitFor();
    for (const count of [30, 50]) {
      tell(answer(lines(count), { streaming: true }));
      await log().getByText(`Line ${count} `).waitFor();
      await expect.poll(async () => (await scrolled()).fromEnd).toBe(0);
    }
    await log().evaluate((list) => list.scrollTo(0, 300));
    await expect.poll(scrolled).toMatchObject({ top: 300 });
    tell(answer(lines(70), { streaming: true }));
    await log().getByText('Line 70 ').waitFor();
    tell(answer(lines(71)));
    await log().getByText('Line 71 ').waitFor();
    expect((await scrolled()).top).toBe(300);
  });

  it('has the whole of a small screen, where the channels come and go', async () => {
    await page.setViewportSize({ width: 420, height: 800 });
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.getByRole('button', { name: 'Show channels' }).click();
    await picture(page, 'small-channels');
    await page.getByRole('button', { name: 'incidents' }).click();
    await page.getByRole('heading', { name: '#incidents' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Channels' }).isVisible()).toBe(false);
    await page.goto(`${server.url}archives/C1/p${alertTs.replace('.', '')}`);
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.waitFor();
    expect((await thread.boundingBox())?.width).toBe(420);
  });
});
