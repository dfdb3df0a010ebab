import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGallery } from '../../src/tools/gallery/gallery.ts';
import { testWorkspace } from '../sandbox/slack/support.ts';
import { type Browser, chromiumPath, openBrowser } from '../support/chromium.ts';
import { projectRoot } from '../support/files.ts';
import { contrastProblems, headingProblems } from './support/audit.ts';
import { openPage } from './support/real-page.ts';

const FOLDER = join(projectRoot, 'artifacts/gallery');

describe.skipIf(chromiumPath() === null)('the gallery', () => {
  const gallery = createGallery();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await gallery.close();
    await browser.close();
  });

  it('draws every kind of results, with its pictures', async () => {
    const workspace = await testWorkspace({ gallery });
    const page = await openPage(browser, workspace);
    await page.goto(new URL('/gallery', page.url()).href);
    await page.getByRole('heading', { name: 'Gallery' }).waitFor();
    const entries = await gallery.entries();
    for (const { name, messages } of entries) {
      const section = page.getByRole('region', { name, exact: true });
      for (const image of await section.locator('img.picture-image').all()) {
        await expect
          .poll(() => image.evaluate((one) => Number(Reflect.get(one, 'naturalWidth'))))
          .toBeGreaterThan(0);
      }
      expect(await section.getByText('cannot be shown').count()).toBe(0);
      expect(await section.getByText('cannot draw').count()).toBe(0);
      await section.screenshot({ path: join(FOLDER, `${name.replaceAll(' ', '-')}.png`) });
      for (const [, id = ''] of JSON.stringify(messages).matchAll(/"(FGALLERY\d+)"/g)) {
        const png = await gallery.picture(id);
        if (png)
          await writeFile(
            join(FOLDER, `${name.replaceAll(' ', '-')}-${id.slice('FGALLERY'.length)}.png`),
            png,
          );
      }
    }
    expect(entries.map(({ name }) => name)).toContain('hostile');
    expect(await contrastProblems(page.locator('body'))).toEqual([]);
    expect(await headingProblems(page)).toEqual([]);
  });
});
