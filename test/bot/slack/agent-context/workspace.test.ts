import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkspace } from 'local-slack';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createUserDirectory } from '../../../../src/bot/slack/access/people.ts';
import { createAgentContext } from '../../../../src/bot/slack/agent-context/agent-context.ts';
import { createSlackClient } from '../../../../src/bot/slack/client.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { attachedTo } from '../../../../src/bot/slack/features/asking/events.ts';
import { MessageEvent } from '../../../../src/bot/slack/listening/messages.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { MANIFEST } from '../../../support/program.ts';
import { conversation, question } from './support.ts';

it('a thread and an attached log are read from a real workspace, by Slack’s own client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-materials-'));
  const workspace = await startWorkspace({
    file: join(folder, 'workspace.db'),
    manifest: MANIFEST,
    fileDelay: 0,
  });
  const opened = await openTestStore();
  onTestFinished(async () => {
    await workspace.close();
    await opened[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const { apiUrl, botToken } = workspace;
  const clock = manualClock();
  const log = createLogger('silent');
  const client = createSlackClient({ token: botToken, apiUrl, log });
  const { user_id = '', bot_id = '', team_id = '' } = await client.auth.test();
  const people = createUserDirectory({
    client,
    clock,
    metrics: createMetrics(),
    teamId: team_id,
    allowGuests: false,
    allowExternal: false,
    adminUsers: [],
    settingsBy: 'members',
  });
  const agentContext = createAgentContext({
    slack: { client, pace: createPace(), clock, log, metrics: createMetrics() },
    store: opened.store,
    mayRead: async () => true,
    people,
    identity: { botUserId: user_id, botId: bot_id },
    botToken,
    apiUrl,
    shareThread: true,
    shareUserNames: false,
  });
  const channel = workspace.channels.alerts;
  const root = await workspace.post({ channel, username: 'Alertmanager', text: 'Disk is full on db-1' });
  const say = (user: string, text: string) => workspace.post({ channel, user, text, thread_ts: root.ts });
  await say('U0CAROL001', 'Bob Builder, was it <@U0BOB00001>?');
  await say('U0BOB00001', 'no, ask alice or <@U0CAROL001> & co');
  await say('U0EVE00001', 'it is ours');
  await client.chat.postMessage({ channel, thread_ts: root.ts, text: 'our own words' });
  const upload = await workspace.upload({
    channel,
    user: 'U0BOB00001',
    text: 'why?',
    thread_ts: root.ts,
    files: [{ name: 'app.log', content: 'ERROR no space left\n' }],
  });
  const asked = { ...question, id: `${channel}:${upload.ts}`, asker: 'U0BOB00001' };
  const thread = { ...conversation, channel, threadTs: root.ts };
  expect(await agentContext.talk(thread, asked)).toEqual([
    { speaker: 'Alertmanager', text: 'Disk is full on db-1' },
    { speaker: 'Person A', text: 'Person B, was it Person B?' },
    { speaker: 'Person B', text: 'no, ask alice or Person A & co' },
  ]);
  const { messages = [] } = await client.conversations.replies({ channel, ts: root.ts });
  const sent = messages.find(({ ts }) => ts === upload.ts);
  const [file] = attachedTo(MessageEvent.parse({ channel, ...sent }));
  if (!file) throw new Error('the message has no file');
  expect(await agentContext.file(file)).toEqual({ name: 'app.log', text: 'ERROR no space left\n' });
});
