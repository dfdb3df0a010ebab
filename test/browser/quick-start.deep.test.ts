import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromiumPath, openBrowser } from 'local-slack/testing/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Child, startChild, untilPrinted } from '../support/child.ts';
import { projectRoot } from '../support/files.ts';
import { unusedPort } from '../support/scripted-service.ts';

/** What `npm start` runs, with nothing configured, driven as a person drives it. */
describe.skipIf(chromiumPath() === null)('npm start with nothing configured', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-start-'));
  let browser: Browser;
  let program: Child;
  let page: Page;
  let port: string;

  async function start(): Promise<string> {
    const env = {
      HOME: process.env.HOME ?? folder,
      DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`,
      PORT: port,
    };
    program = startChild('src/start.ts', env, undefined, ['--ack-timeout', '600']);
    const [, url = ''] = await untilPrinted(program, /Slack: local workspace at (http\S+)/);
    return url;
  }

  beforeAll(async () => {
    port = String(await unusedPort());
    browser = await openBrowser();
    page = await browser.context.newPage();
  });

  afterAll(async () => {
    await browser.close();
    program.process.kill('SIGKILL');
    await program.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const thread = () => page.getByRole('complementary', { name: 'Thread' });

  async function picture(name: string): Promise<void> {
    mkdirSync(join(projectRoot, 'artifacts'), { recursive: true });
    await page.screenshot({ path: join(projectRoot, `artifacts/${name}.png`) });
  }

  it('says what is embedded, and tells the whole story on the page by itself', async () => {
    const url = await start();
    expect(program.output()).toMatch(/Investigation service: embedded at http:\/\/127\.0\.0\.1:\d+\/api\/v2/);
    await page.goto(url);
    await page.getByRole('heading', { name: '#alerts' }).waitFor();
    await page.getByText('[FIRING:1] HighErrorRate checkout-api').first().waitFor();
    await thread().getByText('Results of').waitFor();
    await thread()
      .getByText(/Bad deploy of payments/)
      .first()
      .waitFor();
    await thread().getByText('Ready to fix').first().waitFor();
    await page.getByRole('img', { name: ':mag_right:' }).first().waitFor();
    await picture('story');
  });

  it('answers a question in the thread, and the next one in the same conversation', async () => {
    const box = thread().getByRole('textbox', { name: 'Reply in thread' });
    await box.fill('@gumshoe why is checkout failing?');
    await box.press('Enter');
    await thread().getByText('Against other causes').first().waitFor();
    await box.fill('what should I do?');
    await box.press('Enter');
    await expect.poll(() => thread().innerText()).toMatch(/what should I do\?[\s\S]*Gumshoe[\s\S]*[Rr]oll/);
    await picture('story-asked');
  });

  it('answers in the Messages tab what it suggests to ask about the open issues', async () => {
    const places = page.getByRole('navigation', { name: 'Channels' });
    await places.getByRole('button', { name: 'Gumshoe (private)' }).click();
    const prompts = page.getByRole('region', { name: 'Suggested prompts' });
    await prompts.getByRole('heading', { name: 'Ask me about open issues' }).waitFor();
    await picture('story-prompts');
    await prompts.getByRole('button').first().click();
    await thread().getByRole('button', { name: 'Stop listening' }).waitFor();
    await picture('story-messages-tab');
    await places.getByRole('button', { name: /^alerts/u }).click();
    await page.getByRole('main').getByRole('heading', { name: '#alerts' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: /repl/u }).last().click();
  });

  it('takes a click on a button of the card', async () => {
    await thread().getByRole('button', { name: 'Resolve' }).first().click();
    await thread().getByText('Resolved').first().waitFor();
  });

  it('takes a slash command in the composer', async () => {
    const box = page.getByRole('textbox', { name: 'Message #alerts' });
    await box.fill('/issue 1');
    await box.press('Enter');
    await page.getByText('Only visible to you').first().waitFor();
    await picture('story-command');
  });

  it('stops on Ctrl-C with exit code 0, and has everything again after a restart', async () => {
    program.process.kill('SIGINT');
    expect(await program.ended).toBe(0);
    const url = await start();
    await page.goto(url);
    await page.getByText('[FIRING:1] HighErrorRate checkout-api').first().waitFor();
  });
});
