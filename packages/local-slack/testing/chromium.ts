import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_FLAGS, chromiumPath, LONGEST_WAIT_MS } from './browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Chromium of this run takes connections; `null` where there is none. */
    chromium: string | null;
  }
}

/** Starts one Chromium for all browser tests of a run; each test file gets a profile of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!project.vitest.state.getPaths().some((file) => /\/test\/browser\//u.test(file)))
    return async () => undefined;
  const executablePath = chromiumPath();
  if (executablePath === null) {
    project.provide('chromium', null);
    return async () => undefined;
  }
  const server = await chromium.launchServer({
    executablePath,
    args: CHROMIUM_FLAGS,
    headless: true,
    timeout: LONGEST_WAIT_MS,
  });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
