import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../src/faults.ts';
import type { PagePanel } from '../../src/page-panel.ts';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { clientOf, testWorkspace } from '../../testing/index.ts';
import { onCannedPage } from './support/canned-page.ts';
import { emptyPanel, engine, fullPanel, panelEvent, panelWith, pump } from './support/canned-panel.ts';
import type { FakeWorkspace } from './support/fake-workspace.ts';

// However busy the machine is.
const soon = <T>(seen: () => T) => expect.poll(seen);

const BROKEN_SINCE = new Date(2026, 10, 20, 10, 41).getTime();

describe.skipIf(chromiumPath() === null)('the panel', () => {
  const browser = browserForTests();
  let server: FakeWorkspace;
  let page: Page;
  onCannedPage(
    (opened) => {
      ({ page, server } = opened);
    },
    { isShared: true, panel: fullPanel },
  );

  // Most use the same page, one after the other.
  beforeEach(() => {
    server.posts.length = 0;
    server.answer({ ok: true });
    server.emit(panelEvent({}));
  });

  /** The panel of the page, which is opened where it is not. */
  async function open(): Promise<void> {
    if (!(await panel().isVisible())) await opener().click();
    await part('Slack').waitFor();
  }

  /** As above, with nothing chosen in it yet. */
  async function openAnew(panel: PagePanel = fullPanel): Promise<void> {
    server.panel = panel;
    await page.reload();
    await page.getByText('12.4 %').first().waitFor();
    await open();
  }

  const opener = () => page.getByRole('button', { name: 'Scenarios', exact: true });
  const panel = () => page.getByRole('complementary', { name: 'Scenarios' });
  const part = (name: string) => panel().getByRole('region', { name });
  const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
  const isFocused = (one: Locator) => one.evaluate((element) => element.matches(':focus'));
  const posted = (...posts: FakeWorkspace['posts']) => soon(() => server.posts).toEqual(posts);
  const marks = () => page.getByRole('status', { name: 'Degraded parts' }).locator('p').allInnerTexts();

  it('opens beside the channel instead of the thread, and closes when the thread is opened again', async () => {
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.waitFor();
    await opener().click();
    await part('Run a scenario').getByText('Bad deploy', { exact: true }).waitFor();
    expect([await thread.count(), await opener().getAttribute('aria-expanded')]).toEqual([0, 'true']);
    expect(await panel().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Run a scenario',
      'Alerts',
      'The pump',
      'The engine',
      'Slack',
    ]);
    await picture(page, 'panel');
    await page.getByRole('button', { name: /3 replies/u }).click();
    await thread.waitFor();
    expect(await panel().count()).toBe(0);
  });

  it('plays a scenario, shows that it is busy, and shows an error next to it', async () => {
    await open();
    const answer = server.hold();
    server.answer({ ok: false, error: 'The engine is down: start it first.' });
    const row = panel().getByRole('listitem').filter({ hasText: 'A hundred alerts' });
    await press(row, 'Play A storm of 100');
    const busy = row.getByRole('button', { name: 'Playing…' });
    await busy.waitFor();
    expect(await isFocused(busy)).toBe(true);
    await busy.click({ force: true });
    answer();
    await row.getByRole('status').getByText('The engine is down: start it first.').waitFor();
    await posted({ call: 'stage/play', body: { scenario: 'storm' } });
    expect(await page.getByRole('alert').count()).toBe(0);
    server.answer({ ok: true });
    await press(row, 'Play A storm of 100');
    await soon(() => row.getByRole('status').innerText()).toBe('Started.');
  });

  it('sends what is chosen with what a button stands for, and disables what a choice does not have', async () => {
    await open();
    const alerts = part('Alerts');
    await press(alerts, 'Fire');
    const tool = alerts.getByRole('combobox', { name: 'Tool' });
    await tool.selectOption('Sentry');
    const recovered = alerts.getByRole('button', { name: 'Recover' });
    expect(await recovered.isDisabled()).toBe(true);
    await recovered.click({ force: true });
    await alerts.getByText('Sentry does not report recoveries.').waitFor();
    await picture(page, 'panel-alerts');
    await tool.selectOption('Grafana');
    await alerts.getByLabel('Channel').selectOption('#incidents');
    await press(alerts, 'Recover');
    await alerts.getByRole('status').getByText('Posted: Grafana in #incidents.').waitFor();
    await posted(
      { call: 'stage/alert', body: { tool: 'alertmanager', how: 'fires', channel: 'C1' } },
      { call: 'stage/alert', body: { tool: 'grafana', how: 'recovers', channel: 'C3' } },
    );
  });

  it('offers only what goes with the choice before, lists what is there, and disables what is of no use', async () => {
    await open();
    const shown = part('The pump');
    const repair = shown.getByRole('button', { name: 'Repair' });
    await shown.getByText('Nothing is broken.').waitFor();
    expect(await repair.isDisabled()).toBe(true);
    await shown.getByLabel('Fault').selectOption('Jam');
    expect(await shown.getByLabel('Part').locator('option').allInnerTexts()).toEqual(['rotor', 'valve']);
    await shown.getByLabel('Part').selectOption('valve');
    await press(shown, 'Break');
    server.emit(panelEvent(panelWith(pump([{ title: 'Jam', text: 'at valve', since: BROKEN_SINCE }]))));
    await soon(() => shown.getByRole('list', { name: 'Broken now' }).innerText()).toBe(
      'Jam at valve since 10:41 AM',
    );
    await picture(page, 'panel-section');
    await repair.click();
    await posted(
      { call: 'stage/break', body: { fault: 'jam', part: 'valve' } },
      { call: 'stage/mend', body: { fault: 'jam', part: 'valve' } },
    );
  });

  it('shows the state of a section, and warns of it in the sidebar, while the page stays usable', async () => {
    await open();
    const shown = part('The engine');
    const state = shown.getByRole('status', { name: 'Engine status' });
    expect(await state.innerText()).toBe('Running.');
    expect(await shown.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await press(shown, 'Stop');
    server.emit(panelEvent(panelWith(engine(false))));
    server.emit({ type: 'bot', online: false });
    await soon(marks).toEqual(['The engine is down']);
    expect(await state.innerText()).toBe('Down.');
    await picture(page, 'panel-down');
    await page.getByRole('textbox', { name: 'Message #alerts' }).fill('Is anybody there?');
    await page.keyboard.press('Enter');
    await soon(() => server.posts.at(-1)?.call).toBe('messages');
    await press(shown, 'Start');
    server.emit(panelEvent({}));
    await soon(marks).toEqual([]);
    expect(server.posts.filter(({ call }) => call === 'stage/engine').map(({ body }) => body)).toEqual([
      { run: false },
      { run: true },
    ]);
  });

  it('ends the app’s connections in every way that Slack does', async () => {
    await open();
    const slack = part('Slack');
    server.answer({ ok: false, error: 'No connection is open.' });
    await press(slack, 'Drop');
    await slack.getByRole('status').getByText('No connection is open.').waitFor();
    server.answer({ ok: true });
    await press(slack, 'Warning');
    await press(slack, 'Refresh');
    await posted(
      { call: 'stage/socket', body: { reason: 'drop' } },
      { call: 'stage/socket', body: { reason: 'warning' } },
      { call: 'stage/socket', body: { reason: 'refresh_requested' } },
    );
  });

  it('switches on every Slack fault, keeping the others, and switches all of them off', async () => {
    await open();
    const slack = part('Slack');
    const pick = (label: string, option: string) => slack.getByLabel(label).selectOption(option);
    // Before the first is answered: what follows on it holds it, too.
    const answer = server.hold();
    await pick('Latency added to calls', 'By 1 s');
    await pick('Rate-limited calls (429)', '30%');
    // Would come after a second call, had there been one.
    await page.evaluate(`fetch('/page-api/state').then((answer) => answer.json())`);
    expect(server.posts.length).toBe(1);
    answer();
    await soon(() => server.posts.length).toBe(2);
    const wanted = { ...NO_FAULTS, latencyMs: 1_000, rateLimited: 0.3 };
    expect(server.posts.map(({ body }) => body)).toEqual([{ ...NO_FAULTS, latencyMs: 1_000 }, wanted]);
    const told = async (change: object) => {
      Object.assign(wanted, change);
      await soon(() => server.posts.at(-1)).toEqual({ call: 'stage/faults', body: wanted });
      server.emit(panelEvent({ faults: { ...wanted } }));
    };
    await told({});
    await pick('Failing calls (500)', '10%');
    await told({ serverErrors: 0.1 });
    await pick('Connection reset before the call', '10%');
    await told({ resetsBefore: 0.1 });
    await pick('Connection reset after the call', '50%');
    await told({ resetsAfter: 0.5 });
    await soon(() =>
      slack.getByLabel('Failing calls (500)').locator('option:disabled').allInnerTexts(),
    ).toEqual(['30%', '50%', 'All']);
    await pick('Events out of order', 'Within 1 s');
    await told({ shuffleMs: 1_000 });
    await pick('The bot’s token', 'token_revoked');
    await told({ token: 'token_revoked' });
    await slack.getByRole('switch', { name: 'Events delivered twice' }).click();
    await told({ twins: true });
    await slack.getByLabel('Only for these methods').fill('chat.postMessage chat.update');
    await page.keyboard.press('Enter');
    await told({ methods: ['chat.postMessage', 'chat.update'] });
    await slack.getByLabel('Withheld scopes').fill('reactions:write');
    await page.keyboard.press('Tab');
    await told({ withheldScopes: ['reactions:write'] });
    await soon(marks).toEqual([
      'Slack: slow calls, 429, 500, resets, duplicate events, late events, token refused, scopes withheld',
    ]);
    await picture(page, 'panel-faults');
    await press(slack, 'All off');
    await soon(() => server.posts.at(-1)).toEqual({ call: 'stage/faults', body: {} });
    server.emit(panelEvent({}));
    await soon(marks).toEqual([]);
    expect(await slack.getByRole('button', { name: 'All off' }).isDisabled()).toBe(true);
  });

  it('shows faults that were set elsewhere, and keeps rejected input so that it can be corrected', async () => {
    await openAnew({ ...fullPanel, faults: { ...NO_FAULTS, rateLimited: 0.25 } });
    const slack = part('Slack');
    expect(await slack.getByLabel('Rate-limited calls (429)').inputValue()).toBe('0.25');
    server.answer({ ok: false, error: 'There is no method chat.pots.' });
    const methods = slack.getByLabel('Only for these methods');
    await methods.fill('chat.pots');
    await methods.press('Enter');
    await slack.getByText('There is no method chat.pots.').waitFor();
    expect(await methods.inputValue()).toBe('chat.pots');
    await slack.getByLabel('Latency added to calls').selectOption('By 4 s');
    await slack.getByText('There is no method chat.pots.').nth(1).waitFor();
    expect(await slack.getByLabel('Latency added to calls').inputValue()).toBe('0');
  });

  it('shows only what can be controlled, and catches up after the connection was lost', async () => {
    await openAnew(emptyPanel);
    expect(await panel().getByRole('region').count()).toBe(1);
    server.toggleEvents();
    await page.getByText('Offline').waitFor();
    server.panel = panelWith(engine(false));
    server.toggleEvents();
    await soon(marks).toEqual(['The engine is down']);
    await part('The engine').waitFor();
  });

  it('can be opened, used and closed with the keyboard alone', async () => {
    await openAnew();
    await opener().click();
    await opener().focus();
    await page.keyboard.press('Enter');
    await panel().waitFor();
    expect(await isFocused(panel())).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await isFocused(panel().getByRole('button', { name: 'Alerts', exact: true }))).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const tool = panel().getByRole('combobox', { name: 'Tool' });
    expect(await isFocused(tool)).toBe(true);
    await page.keyboard.type('zab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await posted({ call: 'stage/alert', body: { tool: 'zabbix', how: 'fires', channel: 'C1' } });
    await page.keyboard.press('Escape');
    await soon(() => panel().count()).toBe(0);
    await soon(() => isFocused(opener())).toBe(true);
    await page.keyboard.press('Enter');
    expect(await tool.inputValue()).toBe('zabbix');
  });

  it('fits a small screen, where the sidebar with its status is hidden', async () => {
    await page.reload();
    await page.setViewportSize({ width: 390, height: 800 });
    server.emit(panelEvent(panelWith(engine(false))));
    await page.getByRole('button', { name: 'Close thread' }).click();
    await picture(page, 'panel-mark-narrow');
    await page.getByRole('button', { name: 'Show channels' }).click();
    await opener().click();
    await part('The engine').waitFor();
    const tooWide = (one: Locator) =>
      one.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    const parts = [page.locator('body'), panel(), panel().locator('.panel-body')];
    expect(await Promise.all(parts.map(tooWide))).toEqual([0, 0, 0]);
    await picture(page, 'panel-narrow');
    await panel().getByRole('button', { name: 'Slack', exact: true }).click();
    await picture(page, 'panel-narrow-faults');
    await panel().getByRole('button', { name: 'Close scenarios' }).click();
    await page.getByRole('main').waitFor();
  });

  it('switches faults of a real local workspace, which explains what it rejects', async () => {
    const real = await testWorkspace();
    const shown = await openPage(browser, real);
    await shown.getByRole('button', { name: 'Scenarios', exact: true }).click();
    const slack = shown.getByRole('region', { name: 'Slack' });
    await slack.getByLabel('Withheld scopes').fill('money:print');
    await slack.getByLabel('Withheld scopes').press('Enter');
    await slack.getByText('The app’s manifest does not request the scope money:print.').waitFor();
    await slack.getByLabel('Withheld scopes').fill('');
    await slack.getByLabel('The bot’s token').selectOption('token_revoked');
    await soon(() =>
      clientOf(real)
        .auth.test()
        .catch((error) => error.data.error),
    ).toBe('token_revoked');
    await shown.getByText('Slack: token refused').waitFor();
    await slack.getByRole('button', { name: 'All off' }).click();
    await shown.getByText('Slack: token refused').waitFor({ state: 'detached' });
    expect(real.faults()).toEqual(NO_FAULTS);
    await slack.getByRole('button', { name: 'Drop' }).click();
    await slack.getByText('The app has no open Socket Mode connection.').waitFor();
  });
});
