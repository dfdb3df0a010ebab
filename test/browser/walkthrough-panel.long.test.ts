import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { chromiumPath } from '../support/chromium.ts';
import { picture } from './support/picture.ts';
import { startTour, type Tour } from './support/walkthrough.ts';

/** Control what happens around the bot, played on the page of a running program. */
describe.skipIf(chromiumPath() === null)('a tour of the panel', () => {
  let tour: Tour;
  beforeAll(async () => {
    tour = await startTour({ words: ['--scenario', 'quiet'] });
  });
  afterAll(() => tour.end());
  beforeEach(() => {
    onTestFailed(() => picture(tour.page, 'tour-panel-failed'));
  });

  const shot = (name: string) => picture(tour.page, `tour-panel-${name}`);

  /** Plays an alert on the panel, and waits until it stands in the channel. */
  async function play(tool: string, how = 'Fire'): Promise<void> {
    const alerts = await tour.part('Alerts');
    const field = alerts.getByRole('combobox', { name: 'Tool' });
    await field.click();
    await field.fill(tool);
    await alerts.getByRole('option', { name: tool, exact: true }).click();
    await tour.press(alerts, how);
    await alerts.getByRole('status').getByText(tool).waitFor();
  }

  /** The thread of the newest alert of a tool, with the results in it; each was filed and told once. */
  async function investigated(author: string, finding: string | RegExp): Promise<Locator> {
    await tour.openThread(tour.messageOf(author));
    await tour.thread.getByText(finding).first().waitFor();
    await tour.thread.getByText('Ready to fix').first().waitFor();
    expect(await tour.thread.getByRole('article').filter({ hasText: 'Results of' }).count()).toBe(1);
    expect(await tour.thread.getByRole('article').filter({ hasText: 'Ready to fix' }).count()).toBe(1);
    return tour.thread;
  }

  it('the shop is broken, and the result of another tool’s alert names what was broken', async () => {
    const shop = await tour.part('The shop');
    await shop.getByLabel('Fault').selectOption('Expired certificate');
    await shop.getByLabel('Service').selectOption('cart');
    await tour.press(shop, 'Break');
    await shop.getByRole('list', { name: 'Broken now' }).getByText('at cart since').waitFor();
    await shot('broken');
    await play('Grafana');
    await investigated('Grafana', /Expired TLS certificate on cart/u);
    await shot('named');
  });

  it('the same alert again is counted, and its recovery noted, on the one card', async () => {
    const first = tour.thread;
    await play('Grafana', 'Fire again');
    await play('Grafana', 'Recover');
    await tour.openThread(tour.channel.getByRole('article', { name: 'Message from Grafana' }).first());
    await first.getByText(/Fired again 1 time/u).waitFor();
    await first.getByText(/The alert recovered/u).waitFor();
    await shot('recovered');
  });

  it('the service is taken down: an alert waits, and is filed when it was brought back', async () => {
    const up = (await tour.part('The service')).getByRole('switch', { name: 'The service is running' });
    await up.click();
    await tour.marks.getByText('The service is down').waitFor();
    await play('Alertmanager');
    await tour.openThread(tour.messageOf('Alertmanager'));
    await tour.thread.getByText('The investigation service is unreachable.').waitFor();
    await shot('service-down');
    await tour.part('The service');
    await up.click();
    await tour.marks.getByText('The service is down').waitFor({ state: 'detached' });
    await investigated('Alertmanager', /Expired TLS certificate on cart/u);
    await shot('service-back');
  });

  it('the socket is dropped, and nothing is lost', async () => {
    const slack = await tour.part('Slack');
    await tour.press(slack, 'Drop');
    await slack.getByText('Connection dropped without a disconnect message.').waitFor();
    await play('Uptime Kuma');
    // A part of the time looks like an emoji's name.
    expect(await tour.messageOf('Uptime Kuma').innerText()).toMatch(/\d\d:\d\d:\d\d/u);
    await shot('socket');
    await investigated('Uptime Kuma', /Expired TLS certificate on cart/u);
  });

  it('the bot is killed and started again: what was posted meanwhile is filed once', async () => {
    const bot = await tour.part('The bot');
    const state = bot.getByRole('status', { name: 'Bot status' });
    await tour.press(bot, 'Kill');
    await state.getByText('Down:').waitFor();
    await tour.marks.getByText('The bot is down').waitFor();
    await tour.page.getByRole('status', { name: 'Gumshoe is offline' }).waitFor();
    await play('Pingdom');
    await tour.part('The bot');
    await shot('bot-down');
    await tour.press(bot, 'Start');
    await state.getByText('Running.').waitFor();
    await investigated('Pingdom', /Expired TLS certificate on cart/u);
    await shot('bot-back');
  });

  it('faults of Slack are switched on, marked in the sidebar, survived, and switched off', async () => {
    const slack = await tour.part('Slack');
    await slack.getByLabel('Rate-limited calls (429)').selectOption('30%');
    await slack.getByLabel('Connection reset after the call').selectOption('10%');
    await slack.getByRole('switch', { name: 'Events delivered twice' }).click();
    await tour.marks.getByText('Slack: 429, resets, duplicate events').waitFor();
    await shot('faults');
    await play('Splunk');
    await investigated('Splunk', /Expired TLS certificate on cart/u);
    await tour.press(await tour.part('Slack'), 'All off');
    await tour.marks.getByText('Slack:').waitFor({ state: 'detached' });
  });

  it('a storm of a hundred is held under one message, of which some are chosen', async () => {
    await play('UptimeRobot', 'Storm of 100');
    const held = tour.messageOf('Gumshoe').filter({ hasText: 'are on hold' });
    await held.filter({ hasText: /\b\d\d alerts are on hold/u }).waitFor();
    await shot('storm');
    await tour.press(tour.panel, 'Close scenarios');
    await tour.press(held, 'Choose');
    const dialog = tour.page.getByRole('dialog', { name: 'Choose alerts to file' });
    await dialog.getByRole('checkbox').nth(0).check();
    await dialog.getByRole('checkbox').nth(1).check();
    await shot('choose');
    await tour.press(dialog, 'File');
    await dialog.waitFor({ state: 'detached' });
    await held
      .getByText(/Filed: 2 alerts/u)
      .first()
      .waitFor();
    await shot('chosen');
  });
});
