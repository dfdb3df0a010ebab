import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { LONGEST_WAIT_MS } from './longest-wait.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A running Chromium with a profile of its own. */
export interface Browser {
  context: BrowserContext;
  /** Ends it and removes the profile. */
  close: () => Promise<void>;
}

/** The system's Chromium: `CHROMIUM_PATH`, else the usual place; `null` where there is none, and says so. */
export function chromiumPath(): string | null {
  const path = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
  if (existsSync(path)) return path;
  console.warn(`Browser tests are skipped: there is no Chromium at ${path}. Set CHROMIUM_PATH to one.`);
  return null;
}

/** Starts Chromium with a fresh profile and a window of 1280×800. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('Skip the test where chromiumPath() is null.');
  const profile = await mkdtemp(join(tmpdir(), 'gumshoe-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timeout: LONGEST_WAIT_MS,
  });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { context, close };
}
