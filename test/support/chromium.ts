import { existsSync } from 'node:fs';
import { type BrowserContext, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { LONGEST_WAIT_MS } from './longest-wait.ts';

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Its pages live for seconds: what other threads would compile and collect for them costs a tenth more than it saves.
  '--js-flags=--single-threaded',
  // One process for the pages of a profile, which keeps one open: a third of the processor time of a page is that of its process.
  '--renderer-process-limit=1',
];

/** A profile of its own in the run's Chromium. */
export interface Browser {
  context: BrowserContext;
  /** Removes the profile. */
  close: () => Promise<void>;
}

/** Debian's. A new page costs the headless shell a fifth of the processor time: there is no window around it. */
const USUAL_PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The system's Chromium: `CHROMIUM_PATH`, else the usual places; `null` where there is none, and says so. */
export function chromiumPath(): string | null {
  const { CHROMIUM_PATH } = process.env;
  const places = CHROMIUM_PATH ? [CHROMIUM_PATH] : USUAL_PLACES;
  const path = places.find((place) => existsSync(place));
  if (path !== undefined) return path;
  console.warn(
    `Browser tests are skipped: there is no Chromium at ${places.join(' or ')}. Set CHROMIUM_PATH to one.`,
  );
  return null;
}

/** A fresh profile with a window of 1280×800. */
export async function openBrowser(): Promise<Browser> {
  const endpoint = inject('chromium');
  if (endpoint === null) throw new Error('Skip the test where chromiumPath() is null.');
  const browser = await chromium.connect(endpoint, { timeout: LONGEST_WAIT_MS });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    acceptDownloads: true,
    // An endless animation draws the page sixty times a second.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  // Chromium ends a process with its last page. This one outlives each test's own.
  await context.newPage();
  const close = async () => {
    await context.close();
    await browser.close();
  };
  return { context, close };
}
