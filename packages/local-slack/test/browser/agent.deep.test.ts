import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { clientOf, eventsOf, testWorkspace, until } from '../../testing/index.ts';

const ALICE = 'U0ALICE001';
const DM = 'D0ALICE001';

describe.skipIf(chromiumPath() === null)('the page with an app that is an agent', () => {
  const browser = browserForTests();

  it('asks by a prompt, opens the thread, stops the work with Slack’s button, and renames the session', async () => {
    const workspace = await testWorkspace({ agent: true, home: true });
    const events = await eventsOf(workspace);
    const { agents, chat } = clientOf(workspace);
    await chat.postMessage({ channel: DM, text: 'Issue #12 was resolved while you were away.' });
    const page = await openPage(browser, workspace);
    // Only once the page is connected does it say where the person looks.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/viewing')),
    );
    await page
      .getByRole('navigation', { name: 'Channels' })
      .getByRole('button', { name: 'Tester (private)' })
      .click();
    await page.getByText('Issue #12 was resolved').waitFor();
    const opened = await until(() => events.find(({ type }) => type === 'app_home_opened'));
    const entities = [{ type: 'slack#/types/channel_id', value: 'C0ALERTS01', team_id: 'T0LOCAL001' }];
    expect(opened).toMatchObject({ tab: 'messages', context: { entities } });
    await picture(page, 'agent-messages-tab');

    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('What is open?').waitFor();
    const asked = await until(() => events.find(({ text }) => text === 'What is open?'));
    expect(asked).toMatchObject({ channel: DM, app_context: { entities } });
    const at = { channel_id: DM, thread_ts: String(asked.ts) };
    await agents.sessions.setStatus({ ...at, status: 'processing', title: 'What is open?' });
    await chat.startStream({ channel: DM, thread_ts: at.thread_ts, markdown_text: 'Two issues are' });
    await thread.getByText('Working…').waitFor();
    await thread.getByText('Two issues are').waitFor();
    await picture(page, 'agent-working');
    await thread.getByRole('button', { name: 'Stop', exact: true }).click();
    const stopped = await until(() => events.find(({ type }) => type === 'agent_session_stopped'));
    expect(stopped).toMatchObject({ user: ALICE, thread_ts: at.thread_ts });
    await thread.getByText('Writing', { exact: true }).waitFor({ state: 'detached' });

    await agents.sessions.setStatus({ ...at, status: 'suspended' });
    await thread.getByText('Tester is waiting for you').waitFor();
    await thread.getByRole('button', { name: 'Rename' }).click();
    await thread.getByRole('textbox', { name: 'Title of this thread' }).fill('Open issues');
    await picture(page, 'agent-renaming');
    await thread.getByRole('button', { name: 'Save' }).click();
    await thread.getByRole('heading', { name: 'Open issues' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Open issues' }).waitFor();
    const renamed = await until(() => events.find(({ type }) => type === 'agent_session_title_changed'));
    expect(renamed).toMatchObject({ title: 'Open issues', previous_title: 'What is open?' });
    await agents.sessions.setStatus({ ...at, status: 'active' });
    await thread.getByText('Tester is waiting for you').waitFor({ state: 'detached' });
    await picture(page, 'agent-done');
  });

  it('shows sessions in a channel’s threads, without a button where the app does not hear of it', async () => {
    const workspace = await testWorkspace({ agent: true, events: ['message.channels'] });
    const channel = workspace.channels.alerts;
    const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why is it slow?' });
    const { agents } = clientOf(workspace);
    await agents.sessions.setStatus({ channel_id: channel, thread_ts, status: 'processing' });
    const page = await openPage(browser, workspace);
    const row = page.getByRole('article').filter({ hasText: 'Why is it slow?' });
    await row.getByText('Working…').waitFor();
    expect(await row.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
    await picture(page, 'agent-channel');
  });
});
