import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PageMessage } from '../../src/page-api.ts';
import {
  chromiumPath,
  contrastProblems,
  headingProblems,
  namingProblems,
  picture,
} from '../../testing/browser.ts';
import { alertTs, botReply, message, minutesAgo, story } from './support/canned.ts';
import { newIssue, patterns, whyFiled } from './support/canned-modals.ts';
import { onCannedPage } from './support/canned-page.ts';
import { fullPanel, panelEvent } from './support/canned-panel.ts';
import type { FakeWorkspace } from './support/fake-workspace.ts';

const button = (text: string, action_id: string) => ({
  type: 'button',
  text: { type: 'plain_text', text },
  action_id,
});
const row = (...elements: object[]) => [{ type: 'actions', block_id: 'row', elements }];

describe.skipIf(chromiumPath() === null)('the page without eyes or mouse', () => {
  let server: FakeWorkspace;
  let page: Page;
  onCannedPage((opened) => {
    ({ page, server } = opened);
  });
  beforeEach(async () => {
    await thread().getByRole('heading', { name: 'Root cause' }).waitFor();
  });

  const main = () => page.getByRole('main');
  const thread = () => page.getByRole('complementary', { name: 'Thread' });
  const box = () => page.getByRole('textbox', { name: 'Message #alerts' });
  const reply = () => page.getByRole('textbox', { name: 'Reply in thread' });
  const alert = () => main().getByRole('article', { name: 'Message from Alertmanager' });
  const live = (type: 'message' | 'message_changed', one: PageMessage) =>
    server.emit({ type, channel: one.channel, message: one });
  const has = (what: ReturnType<Page['locator']>) => what.evaluate((element) => element.matches(':focus'));
  const isFocused = (what: ReturnType<Page['locator']>) => expect.poll(() => has(what)).toBe(true);

  async function expectNoProblems(): Promise<void> {
    const found = [
      ...(await namingProblems(page)),
      ...(await headingProblems(page)),
      ...(await contrastProblems(page.locator('body'))),
    ];
    expect(found).toEqual([]);
  }

  it('names every control and place, orders the headings, and stands out from what is behind', async () => {
    await expectNoProblems();
    await alert().focus();
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'React' }).waitFor();
    await expectNoProblems();
    await page.keyboard.press('Escape');
    await box().fill('/i');
    await page.getByRole('listbox').waitFor();
    await expectNoProblems();
    await box().fill('');

    server.emit(panelEvent(fullPanel));
    await page.getByRole('button', { name: 'Scenarios', exact: true }).click();
    await page.getByRole('heading', { name: 'The pump' }).waitFor();
    await expectNoProblems();
    await page.keyboard.press('Escape');

    server.emit({ type: 'message', channel: 'C3', message: { ...story()[2], channel: 'C3' } as PageMessage });
    server.toggleEvents();
    await page.getByText('Offline: the workspace').waitFor();
    await expectNoProblems();
  });

  it('does so in the app’s windows, and in answers with headings of their own', async () => {
    for (const view of [newIssue(), patterns('None.'), whyFiled()]) {
      server.emit({ type: 'view', view });
      await page.getByRole('dialog').last().waitFor();
      await expectNoProblems();
      server.emit({ type: 'view_closed', user: view.user, id: view.id });
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    const text = '# In short\n\nThe pool.\n\n#### Why\n\n[The graph](https://g.example) says `pool=5`.';
    live('message', botReply(minutesAgo(0), { text, blocks: [{ type: 'markdown', text }] }));
    await thread().getByRole('heading', { name: 'Why' }).waitFor();
    await expectNoProblems();
  });

  it('walks from message to message, opens a thread, and comes back', async () => {
    await box().focus();
    await page.keyboard.press('ArrowUp');
    await isFocused(alert());
    await page.keyboard.press('Home');
    await isFocused(main().getByRole('article', { name: 'Message from Grafana' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await isFocused(alert());
    await page.keyboard.press('Enter');
    await isFocused(reply());
    await reply().fill('/issue 7');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await isFocused(alert());
    expect(await thread().count()).toBe(0);

    await page.keyboard.press('a');
    await isFocused(page.getByRole('menuitem', { name: 'Report this' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => server.posts.map(({ call }) => call)).toEqual(['shortcuts']);
    await isFocused(alert());
  });

  it('goes from part to part, and says which keys there are', async () => {
    await box().focus();
    await page.keyboard.press('F6');
    await isFocused(reply());
    await page.keyboard.press('F6');
    await isFocused(page.getByRole('button', { name: 'alerts', exact: true }));
    await page.keyboard.press('Shift+F6');
    await isFocused(reply());
    await page.keyboard.type('why?');
    expect(await reply().inputValue()).toBe('why?');
    await page.keyboard.press('Control+/');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Open the thread.').waitFor();
    await picture(page, 'keyboard');
    await expectNoProblems();
    await page.keyboard.press('Escape');
    await isFocused(reply());
    // The browser gives the focus back before the page hears that its dialog was closed.
    await help.waitFor({ state: 'detached' });
    await alert().focus();
    await page.keyboard.press('?');
    await help.getByRole('button', { name: 'Close' }).click();
    await isFocused(alert());
    expect(await thread().isVisible()).toBe(true);
  });

  it('never loses the focus: to what is busy, drawn anew, taken away, or closed', async () => {
    const ts = minutesAgo(0);
    live('message', botReply(ts, { text: 'x', blocks: row(button('Done', 'a'), button('Skip', 'b')) }));
    const card = thread().getByRole('article').last();
    const release = server.hold();
    await card.getByRole('button', { name: 'Done' }).press('Enter');
    await expect.poll(() => card.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    release();
    await isFocused(card.getByRole('button', { name: 'Done' }));

    live('message_changed', botReply(ts, { text: 'y', blocks: row(button('Skip', 'b')) }));
    await expect.poll(() => card.getByRole('button', { name: 'Done' }).count()).toBe(0);
    await expect.poll(() => page.locator('article:focus-within').count()).toBe(1);
    server.emit({ type: 'message_deleted', channel: 'C1', ts, thread_ts: alertTs });
    await isFocused(reply());

    await thread().getByRole('button', { name: 'Mute 24 h' }).press('Enter');
    await page.getByRole('dialog', { name: 'Mute this issue?' }).waitFor();
    await page.keyboard.press('Escape');
    await isFocused(thread().getByRole('button', { name: 'Mute 24 h' }));
    await thread().getByRole('button', { name: 'Mute 24 h' }).press('Enter');
    await page.keyboard.press('Enter');
    await isFocused(thread().getByRole('button', { name: 'Mute 24 h' }));
    await thread().getByRole('button', { name: 'Close thread' }).click();
    await isFocused(alert());
  });

  it('keeps the focus in a window of the app’s, and gives it back', async () => {
    await box().focus();
    server.emit({ type: 'view', view: newIssue() });
    const dialog = page.getByRole('dialog', { name: 'New issue' });
    await dialog.waitFor();
    for (let tabs = 0; tabs < 25; tabs += 1) {
      await page.keyboard.press('Tab');
      const isElsewhere = await page.locator('.page > :is(nav, main, aside) :focus').count();
      expect(isElsewhere).toBe(0);
    }
    await page.keyboard.press('Escape');
    await isFocused(box());
  });

  it('reads out what is new, and not what was there before', async () => {
    const log = main().getByRole('log');
    await expect.poll(() => log.getAttribute('aria-live')).toBe('polite');
    expect(await log.getAttribute('aria-relevant')).toBe('additions');
    live('message', message(minutesAgo(0), { user: 'U2', text: 'Rolled *back*' }));
    const name = /^Message from Bob Tanaka, \d+:\d\d .M: Rolled/;
    await log.getByRole('article', { name }).waitFor();
    await page.getByRole('button', { name: 'incidents' }).click();
    await page.getByRole('log', { name: 'Messages in #incidents' }).waitFor();
    live('message', message(minutesAgo(0), { user: 'U2', text: 'Seen?', ts: `${minutesAgo(0)}7` }));
    await page.getByRole('button', { name: 'alerts 1 new' }).waitFor();
  });

  it('shows where the focus is at every step', async () => {
    await page.getByRole('button', { name: 'Keyboard' }).focus();
    for (let tabs = 0; tabs < 45; tabs += 1) {
      await page.keyboard.press('Tab');
      const shown = await page.locator(':focus').evaluateAll((focused) =>
        focused.map((element) => {
          const view = element.ownerDocument.defaultView;
          const { outlineStyle, outlineWidth } = view.getComputedStyle(element);
          // A field has its ring around its frame.
          const frame = element.closest('.box') ?? element;
          const hasFrame = view.getComputedStyle(frame).boxShadow !== 'none';
          const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
          return hasRing || hasFrame ? 'shown' : `not shown on ${element.outerHTML.slice(0, 80)}`;
        }),
      );
      expect(shown.filter((how) => how !== 'shown')).toEqual([]);
    }
  });

  it('moves nothing for who wants no motion', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const text = 'It is growing';
    const grows: Partial<PageMessage> = { text, streaming: true, blocks: [{ type: 'markdown', text }] };
    live('message', botReply(minutesAgo(0), grows));
    await thread().getByText(text).waitFor();
    const moving = () => page.locator('body').evaluate((body) => body.ownerDocument.getAnimations().length);
    await expect.poll(moving).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(moving).toBe(0);
  });

  it.each([
    ['a phone', 390, 800],
    ['a zoom of 200%', 640, 400],
  ])('has room for everything on %s', async (name, width, height) => {
    await page.setViewportSize({ width, height });
    await reply().waitFor();
    const overflow = () =>
      page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(await overflow()).toBe(0);
    await picture(page, `${name.replaceAll(/\W+/g, '-')}-thread`);
    await reply().press('Escape');
    await isFocused(alert());
    expect(await overflow()).toBe(0);
    await expect.poll(async () => ((await box().boundingBox())?.width ?? 0) > width / 2).toBe(true);
    await expectNoProblems();
    await picture(page, name.replaceAll(/\W+/g, '-'));
    await page.getByRole('button', { name: 'Show channels' }).click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('navigation', { name: 'Channels' }).isVisible()).toBe(false);
  });
});
