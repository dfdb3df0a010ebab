import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { projectRoot } from '../../support/files.ts';

/** Puts what the page shows into `artifacts/<name>.png`, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(join(projectRoot, 'artifacts'), { recursive: true });
  await page.screenshot({ path: join(projectRoot, `artifacts/${name}.png`) });
}

/** Scrolls it into view; if the page draws it anew meanwhile, what took its place. */
export async function bringIntoView(what: Locator): Promise<void> {
  const scrolled = () =>
    what.evaluate((element) => {
      element.scrollIntoView({ block: 'nearest' });
      return element.isConnected;
    });
  await expect.poll(scrolled).toBe(true);
}
