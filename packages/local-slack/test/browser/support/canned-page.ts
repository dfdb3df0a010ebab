import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { pageFiles } from '../../../src/page-build.ts';
import type { PagePanel } from '../../../src/page-panel.ts';
import { browserForTests } from '../../../testing/browser.ts';
import { story, workspace } from './canned.ts';
import { emptyPanel } from './canned-panel.ts';
import { type FakeWorkspace, startFakeWorkspace } from './fake-workspace.ts';

interface CannedPage {
  page: Page;
  server: FakeWorkspace;
}

interface Options {
  /** One page for all tests of the `describe`, one after the other, in place of one for each. */
  isShared?: boolean;
  panel?: PagePanel;
}

/** In a `describe`: opens the page on canned data before each test, once it shows the messages. */
export function onCannedPage(
  take: (opened: CannedPage) => void,
  { isShared = false, panel = emptyPanel }: Options = {},
): void {
  const browser = browserForTests();
  const [before, after] = isShared ? [beforeAll, afterAll] : [beforeEach, afterEach];
  let opened: CannedPage;
  before(async () => {
    const server = await startFakeWorkspace(await pageFiles(), structuredClone(workspace), story());
    server.panel = panel;
    const page = await browser.context.newPage();
    opened = { page, server };
    take(opened);
    await page.goto(server.url);
    await page.getByText('12.4 %').first().waitFor();
  });
  after(async () => {
    await opened.page.close();
    await opened.server.close();
  });
}
