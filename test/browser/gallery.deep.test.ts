import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { testWorkspace } from 'local-slack/testing';
import {
  type Browser,
  chromiumPath,
  contrastProblems,
  headingProblems,
  openBrowser,
  openPage,
} from 'local-slack/testing/browser';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGallery } from '../../src/tools/gallery/gallery.ts';
import { projectRoot } from '../support/files.ts';

/** For people to look at: with `GALLERY_SCREENSHOTS=1`, as they take as long as all else here. */
const FOLDER = join(projectRoot, 'artifacts/gallery');
const SCREENSHOTS = process.env.GALLERY_SCREENSHOTS === '1';

async function screenshot(section: Locator, file: string): Promise<void> {
  if (SCREENSHOTS) await section.screenshot({ path: join(FOLDER, file) });
}

/** The verdict is read without a click; the evidence is opened, by mouse and by keyboard, and folded away again. */
async function foldsOut(section: Locator): Promise<void> {
  const evidence = section.getByText('This deploy landed');
  const heading = section.getByText(/^Evidence · \d+/u);
  expect(await section.getByText('Root cause', { exact: true }).isVisible()).toBe(true);
  expect(await section.getByText('Do first:').isVisible()).toBe(true);
  expect(await evidence.isVisible()).toBe(false);
  await heading.click();
  await evidence.waitFor({ state: 'visible' });
  await screenshot(section, 'bad-deploy-unfolded.png');
  await heading.click();
  await evidence.waitFor({ state: 'hidden' });
  await section
    .locator('summary', { hasText: /Evidence · \d+/u })
    .first()
    .press('Enter');
  await evidence.waitFor({ state: 'visible' });
}

describe.skipIf(chromiumPath() === null)('the gallery', () => {
  const gallery = createGallery();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
  });

  it('draws every kind of results', async () => {
    const workspace = await testWorkspace({ gallery });
    const page = await openPage(browser, workspace);
    await page.goto(new URL('/gallery', page.url()).href);
    await page.getByRole('heading', { name: 'Gallery' }).waitFor();
    const entries = await gallery.entries();
    for (const { name } of entries) {
      const section = page.getByRole('region', { name, exact: true });
      expect(await section.getByText('cannot be shown').count()).toBe(0);
      expect(await section.getByText('cannot draw').count()).toBe(0);
      await screenshot(section, `${name.replaceAll(' ', '-')}.png`);
    }
    await foldsOut(page.getByRole('region', { name: 'bad deploy', exact: true }));
    expect(entries.map(({ name }) => name)).toContain('hostile');
    expect(await contrastProblems(page.locator('body'))).toEqual([]);
    expect(await headingProblems(page)).toEqual([]);
  });
});
