import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageFiles } from '../../src/sandbox/workspace/page-build.ts';
import { type Browser, chromiumPath, openBrowser } from '../support/chromium.ts';
import { projectPath } from '../support/files.ts';
import { alertTs, botReply, message, minutesAgo, story, workspace } from './support/canned.ts';
import { type FakeWorkspace, startFakeWorkspace } from './support/fake-workspace.ts';

describe.skipIf(chromiumPath() === null)('the page of the local workspace', () => {
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
    server = await startFakeWorkspace(files, structuredClone(workspace), story());
    page = await browser.context.newPage();
    await page.goto(server.url);
    await page.getByText('12.4 %').first().waitFor();
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });

  it('x', async () => {
    await page.getByText('kubectl').waitFor();
    await mkdir('artifacts', { recursive: true });
    await page.screenshot({ path: 'artifacts/page.png' });
  });
});
