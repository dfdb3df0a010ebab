import { type Browser, openBrowser } from 'local-slack/testing/browser';
import type { Locator, Page } from 'playwright-core';
import { type Demo, type DemoOptions, runDemo } from '../../support/demo.ts';

/** However busy the machine is. */

/** What `npm start` runs, and its page as a person finds and uses it: by roles and names. */
export interface Tour {
  demo: Demo;
  page: Page;
  channel: Locator;
  thread: Locator;
  panel: Locator;
  /** Degraded parts, as the sidebar says it. */
  marks: Locator;
  /** The last message in the channel of this author. */
  messageOf(author: string): Locator;
  /** Writes in the channel, and sends it. */
  write(text: string): Promise<void>;
  /** What is said to the person alone, the newest. */
  whisper: Locator;
  actAs(name: string): Promise<void>;
  /** Opens the panel where it is closed; a part of it. */
  part(name: string): Promise<Locator>;
  press(within: Locator, name: string): Promise<void>;
  /** Opens the thread of a message in the channel, once it has one. */
  openThread(message: Locator): Promise<void>;
  end(): Promise<void>;
}

/** Starts it with these words behind `npm start --`, and these variables. */
export async function startTour(options: Pick<DemoOptions, 'words' | 'env'>): Promise<Tour> {
  const demo = await runDemo(options);
  const browser: Browser = await openBrowser();
  const page = await browser.context.newPage();
  await page.goto(demo.url);
  const channel = page.getByRole('main');
  await channel.getByRole('heading', { name: '#alerts' }).waitFor();

  const beside = (name: string) => page.getByRole('complementary', { name });
  const panel = beside('Scenarios');
  const press = (within: Locator, name: string) =>
    within.getByRole('button', { name, exact: true }).first().click();
  return {
    demo,
    page,
    channel,
    thread: beside('Thread'),
    panel,
    marks: page.getByRole('status', { name: 'Degraded parts' }),
    messageOf: (author) => channel.getByRole('article', { name: `Message from ${author}` }).last(),
    write: async (text) => {
      const box = channel.getByRole('textbox', { name: 'Message #alerts' });
      await box.fill(text);
      await box.press('Enter');
    },
    whisper: channel.getByRole('article').filter({ hasText: 'Only visible to you' }).last(),
    actAs: async (name) => {
      await page.getByLabel('You act as').selectOption(name);
    },
    part: async (name) => {
      if (!(await panel.isVisible()))
        await press(page.getByRole('navigation', { name: 'Channels' }), 'Scenarios');
      return panel.getByRole('region', { name });
    },
    press,
    openThread: (message) => message.getByRole('button', { name: /repl(y|ies)/u }).click(),
    end: async () => {
      await browser.close();
      await demo.end();
    },
  };
}
