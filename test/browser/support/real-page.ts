import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../../../src/sandbox/slack/workspace.ts';
import type { Browser } from '../../support/chromium.ts';
import { patientServer } from '../../support/patient-server.ts';

/** The page of a workspace in the browser; closed when the test ends. */
export async function openPage(browser: Browser, workspace: Workspace): Promise<Page> {
  const server = patientServer(workspace.page);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  const page = await browser.context.newPage();
  onTestFinished(async () => {
    await page.close();
    server.closeAllConnections();
    server.close();
  });
  await page.goto(`http://127.0.0.1:${address.port}`);
  return page;
}
