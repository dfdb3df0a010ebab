import { postWithEntity } from 'local-slack/testing';
import {
  type Browser,
  bringIntoView,
  chromiumPath,
  contrastProblems,
  headingProblems,
  namingProblems,
  openBrowser,
  openPage,
  picture,
} from 'local-slack/testing/browser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert } from '../support/alerts.ts';
import { channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

describe.skipIf(chromiumPath() === null)('a Work Object on the page', () => {
  let browser: Browser;
  let around: Surroundings;
  let bot: Bot;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    around = await startSurroundings('socket');
    bot = await startBotOn(around, { env: { ...around.env, WORK_OBJECTS: 'true' } });
  });
  afterEach(async () => {
    await bot.stop();
    await around.close();
  });

  it('stands below its card, opens in the flexpane, and resolves the issue from there', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const views = channelViews(around);
    await views.seen(/Ready to fix/, 'alerts', ts);
    const page = await openPage(browser, around.workspace);
    const card = page.getByRole('region', { name: 'Work Object: HighErrorRate' });
    await card.getByText('Ready to fix').waitFor();
    expect(await card.getByRole('button').allTextContents()).toEqual([
      expect.stringContaining('HighErrorRate'),
      'Resolve',
      'Mute',
    ]);

    await bringIntoView(card);
    await picture(page, 'work-object-card');
    await card.getByRole('button', { name: /HighErrorRate/ }).click();
    const pane = page.getByRole('complementary', { name: 'Details' });
    await pane.getByText('Root cause').waitFor();
    await picture(page, 'work-object-flexpane');
    expect(await contrastProblems(page.locator('body'))).toEqual([]);
    expect(await headingProblems(page)).toEqual([]);
    expect(await namingProblems(page)).toEqual([]);

    await pane.getByRole('button', { name: 'Resolve' }).click();
    await pane.getByText('Resolved', { exact: true }).waitFor();
    expect(await pane.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
    await pane.getByRole('button', { name: 'Close details' }).click();
    await card.getByText('Resolved').waitFor();
    await picture(page, 'work-object-resolved');
  });

  it('says in the flexpane why it is not shown', async () => {
    const { alerts } = around.workspace.channels;
    const entity = {
      entity_type: 'slack#/entities/incident',
      url: 'https://gumshoe.example/issues/1',
      external_ref: { id: 'of-another-time' },
      entity_payload: { attributes: { title: { text: 'An old issue' } } },
    };
    await postWithEntity(around.workspace, alerts, entity);
    const page = await openPage(browser, around.workspace);
    await page.getByRole('button', { name: 'An old issue' }).click();
    const pane = page.getByRole('complementary', { name: 'Details' });
    await pane.getByRole('heading', { name: 'You cannot see this issue' }).waitFor();
    await picture(page, 'work-object-refused');
    await page.keyboard.press('Escape');
    await until('the pane is closed', async () => (await pane.count()) === 0);
  });
});
