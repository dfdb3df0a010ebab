import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { servePage } from './index.ts';

/** Milliseconds, far beyond what any test needs. */
export const LONGEST_WAIT_MS = Number(process.env.LONGEST_WAIT_MS ?? 60_000);

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

/** A browser for the tests of the `describe` that this is called in. */
export function browserForTests(): Pick<Browser, 'context'> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  return {
    get context() {
      if (!browser) throw new Error('The browser is there only while tests run.');
      return browser.context;
    },
  };
}

/** The page of a workspace in the browser; closed when the test ends. */
export async function openPage(browser: Pick<Browser, 'context'>, workspace: Workspace): Promise<Page> {
  const url = await servePage(workspace);
  const page = await browser.context.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

/** Puts what the page shows into `artifacts/<name>.png`, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir('artifacts', { recursive: true });
  await page.screenshot({ path: `artifacts/${name}.png` });
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

/** Roles that a person acts with, looks at or goes to by their name. */
const NAMED = new Set([
  'alertdialog',
  'article',
  'button',
  'checkbox',
  'combobox',
  'complementary',
  'dialog',
  'group',
  'image',
  'link',
  'listbox',
  'log',
  'main',
  'menu',
  'menuitem',
  'navigation',
  'option',
  'radio',
  'radiogroup',
  'region',
  'searchbox',
  'switch',
  'tab',
  'textbox',
]);

/** Chromium has parts of its own in some controls, such as the fields of a date. */
const OWN_PARTS = new Set(['main', 'group']);

/** Of these there may be several on a page only under names of their own. */
const LANDMARKS = new Set(['complementary', 'log', 'main', 'navigation', 'region']);

/** What a screen reader is told that it should not be: controls without a name, places of the same name. */
export async function namingProblems(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const found = nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => ({
        role: String(role?.value ?? ''),
        name: String(name?.value ?? '').trim(),
      }));
    const nameless = found
      .filter(({ role, name }) => NAMED.has(role) && !OWN_PARTS.has(role) && name === '')
      .map(({ role }) => `a ${role} without a name`);
    const places = found
      .filter(({ role }) => LANDMARKS.has(role))
      .map(({ role, name }) => `${role} “${name}”`);
    const twice = places.filter((place, index) => places.indexOf(place) !== index);
    return [...nameless, ...twice.map((place) => `two of ${place}`)];
  } finally {
    await session.detach();
  }
}

/** Headings that skip a level, and a page that has not one first-level heading. */
export async function headingProblems(page: Page): Promise<string[]> {
  const levels = await page.getByRole('heading').evaluateAll((headings) =>
    headings.map((heading) => ({
      level: Number(heading.getAttribute('aria-level') ?? heading.tagName.slice(1)),
      text: String(heading.textContent),
    })),
  );
  const skipped = levels.flatMap(({ level, text }, index) => {
    const before = levels[index - 1]?.level ?? level;
    return level > before + 1 ? [`“${text}” (${level}) comes after a heading of level ${before}`] : [];
  });
  const firsts = levels.filter(({ level }) => level === 1).length;
  return firsts === 1 ? skipped : [`${firsts} headings of level 1`, ...skipped];
}

/** Texts that stand out from what is behind them less than WCAG asks for: 4.5 to 1, large ones 3 to 1. */
export function contrastProblems(within: Locator): Promise<string[]> {
  return within.evaluate((root) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const view = root.ownerDocument.defaultView;
    const read = (css: string): Colour => {
      const numbers = (css.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
      const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
      return css.startsWith('color(')
        ? [red * 255, green * 255, blue * 255, alpha]
        : [red, green, blue, alpha];
    };
    const over = (top: Colour, under: Colour): Colour => {
      const mix = (index: 0 | 1 | 2) => top[index] * top[3] + under[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const luminance = (colour: Colour) => {
      const [red = 0, green = 0, blue = 0] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element: typeof root): Colour => {
      const layers: Colour[] = [];
      for (let at = element; at; at = at.parentElement) {
        const colour = read(view.getComputedStyle(at).backgroundColor);
        layers.push(colour);
        if (colour[3] === 1) break;
      }
      return layers.reduceRight(over2, [255, 255, 255, 1]);
      function over2(under: Colour, top: Colour): Colour {
        return over(top, under);
      }
    };
    const problems = new Set<string>();
    const check = (element: typeof root, text: string, pseudo?: string) => {
      const style = view.getComputedStyle(element, pseudo);
      const back = behind(element);
      const [light = 0, dark = 0] = [luminance(over(read(style.color), back)), luminance(back)].toSorted(
        (a, b) => b - a,
      );
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio >= (isLarge ? 3 : 4.5)) return;
      problems.add(
        `${ratio.toFixed(2)} to 1: “${text.trim().slice(0, 40)}” in ${element.className || element.tagName}`,
      );
    };
    for (const field of root.querySelectorAll('input, textarea')) {
      if (field.placeholder && field.checkVisibility()) check(field, field.placeholder, '::placeholder');
    }
    const texts = root.ownerDocument.createTreeWalker(root, 4);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      const text = String(texts.currentNode.nodeValue);
      const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      // What cannot be used need not stand out; emoji have colors of their own.
      if (text.trim() === '' || !isSeen || element.closest(':disabled, [role="img"], svg')) continue;
      check(element, text);
    }
    return [...problems];
  });
}
