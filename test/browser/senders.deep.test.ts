import { browserForTests, chromiumPath, openPage, picture } from 'local-slack/testing/browser';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startBotOn, startSurroundings } from '../support/program.ts';

/** What a homemade checker posted before anybody watched the channel. */
const EARLIER = ['db1', 'db2', 'db1', 'db3'].flatMap((host, at) => [
  `Sicherung von ${host} nicht gelaufen, Versuch ${at + 1}`,
  `Sicherung von ${host} gelaufen in ${at + 3} Minuten`,
]);

describe.skipIf(chromiumPath() === null)('the senders in the form of /gumshoe watch', () => {
  const browser = browserForTests();

  async function pictures(page: Page, name: string): Promise<void> {
    await picture(page, name);
    await page.setViewportSize({ width: 420, height: 800 });
    await picture(page, `${name}-small`);
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  it('are shown in two lines each, and one is corrected with the keyboard', async () => {
    const around = await startSurroundings('socket');
    const bot = await startBotOn(around);
    const { workspace } = around;
    for (const text of [...EARLIER, 'Guten Morgen, heute ist Montag', 'Guten Morgen, heute ist Dienstag'])
      await workspace.post({ channel: 'general', text, username: 'sicherung' });
    const page = await openPage(browser, workspace);
    const channel = workspace.channels.general;
    await page.getByRole('button', { name: 'general' }).first().click();
    await workspace.command({ as: 'U0ALICE001', channel, command: '/gumshoe', text: 'watch' });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('10 messages, 3 kinds').waitFor();
    await pictures(page, 'senders-form');
    await dialog.getByRole('button', { name: 'Correct…' }).press('Enter');
    const readings = dialog.getByLabel('These messages');
    await readings.first().waitFor();
    await pictures(page, 'senders-correct');
    // The greeting is left to Gumshoe.
    await readings.nth(2).focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => readings.nth(2).evaluate((one) => ('value' in one ? one.value : null)))
      .toBe('open');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.getByText('Confirmed by').waitFor();
    await dialog.getByRole('button', { name: 'Watch' }).press('Enter');
    await page.getByText('turned on Gumshoe in this channel').waitFor();
    await bot.stop();
    await around.close();
  });
});
