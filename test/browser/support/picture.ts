import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../support/files.ts';

/** Puts what the page shows into `artifacts/<name>.png`, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(join(projectRoot, 'artifacts'), { recursive: true });
  await page.screenshot({ path: join(projectRoot, `artifacts/${name}.png`) });
}
