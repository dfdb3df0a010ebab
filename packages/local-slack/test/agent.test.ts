import { expect, test } from 'vitest';
import {
  AGENT_EVENTS,
  boltOn,
  clientOf,
  eventsOf,
  refusalOf,
  tempFolder,
  testWorkspace,
  until,
} from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const DM = 'D0ALICE001';
const TO = { recipient_user_id: ALICE, recipient_team_id: 'T0LOCAL001' };
const PROMPTS = [{ title: 'Checkout', message: 'What is wrong with checkout?' }];

const place = (channel: string) => ({
  type: 'slack#/types/channel_id',
  value: channel,
  team_id: 'T0LOCAL001',
});

test('a root message to an agent is an ordinary one, and comes with what its author looks at', async () => {
  const workspace = await testWorkspace({ agent: true });
  const events = await eventsOf(workspace);
  const { alerts, general } = workspace.channels;
  const { ts: alert } = await workspace.post({ channel: alerts, user: BOB, text: 'Errors' });
  await workspace.lookAt({ user: ALICE, channel: alerts });
  expect(await workspace.openMessagesTab({ user: ALICE })).toEqual({ channel: DM });
  await workspace.lookAt({ user: ALICE, channel: alerts });
  await workspace.lookAt({ user: ALICE, channel: alerts, message_ts: alert });
  const { ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'What is this?' });
  await workspace.closeMessagesTab(ALICE);
  await workspace.lookAt({ user: ALICE, channel: general });
  await workspace.openHome(ALICE, 'messages');
  await until(() => events.length >= 5);
  const message = {
    type: 'slack#/types/message_context',
    value: { message_ts: alert, channel_id: alerts },
    team_id: 'T0LOCAL001',
  };
  const both = { entities: [message, place(alerts)] };
  expect(events.slice(1)).toMatchObject([
    { type: 'app_home_opened', tab: 'messages', channel: DM, context: { entities: [place(alerts)] } },
    { type: 'app_context_changed', context: both },
    { type: 'message', ts, user: ALICE, channel_type: 'im', app_context: both },
    { type: 'app_home_opened', tab: 'messages', context: { entities: [place(general)] } },
  ]);
  expect(events[3]).not.toHaveProperty('thread_ts');
  expect(events[3]).not.toHaveProperty('subtype');
});

test('what people look at is told only to an app that subscribes to it', async () => {
  const workspace = await testWorkspace({ agent: true, events: ['app_home_opened', 'message.im'] });
  const events = await eventsOf(workspace);
  await workspace.openMessagesTab({ user: ALICE, channel: 'alerts' });
  await workspace.lookAt({ user: ALICE, channel: 'general' });
  await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  await until(() => events.length >= 2);
  expect(events.map(({ type }) => type)).toEqual(['app_home_opened', 'message']);
  expect(events[0]).not.toHaveProperty('context');
  expect(events[1]).not.toHaveProperty('app_context');
});

test('who it is that looks elsewhere stands in the envelope', async () => {
  const workspace = await testWorkspace({ agent: true });
  const bodies: unknown[] = [];
  await boltOn(workspace, (app) => {
    app.event('app_context_changed', async ({ body }) => {
      bodies.push(body);
    });
  });
  await workspace.openMessagesTab({ user: BOB });
  await workspace.lookAt({ user: BOB, channel: 'alerts' });
  await until(() => bodies.length > 0);
  const context = { entities: [place(workspace.channels.alerts)] };
  expect(bodies).toMatchObject([{ event: { type: 'app_context_changed', context } }]);
  expect(bodies).toMatchObject([{ authorizations: [{ user_id: BOB, is_bot: false }] }]);
});

test('an agent’s prompts stand on top of the Messages tab; with a thread nothing happens, and no error tells', async () => {
  const workspace = await testWorkspace({ agent: true });
  const { assistant } = clientOf(workspace);
  const { ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  const declared = [{ title: 'Open', message: 'What is open?' }];
  expect(workspace.messagesTab(ALICE)).toMatchObject({ channel: DM, prompts: declared });
  await assistant.threads.setSuggestedPrompts({ channel_id: DM, thread_ts: ts, prompts: PROMPTS });
  expect(workspace.messagesTab(ALICE).prompts).toEqual(declared);
  await assistant.threads.setSuggestedPrompts({ channel_id: DM, title: 'Ask', prompts: PROMPTS });
  expect(workspace.messagesTab(ALICE)).toMatchObject({ prompts_title: 'Ask', prompts: PROMPTS });
});

test('a session is processing until the app says otherwise, or for an hour', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ agent: true, clock });
  const { agents, chat } = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const set = (status: string, title?: string) =>
    agents.sessions.setStatus({ channel_id: channel, thread_ts, status, ...(title && { title }) });
  const status = () => workspace.session(channel, thread_ts)?.status;
  const answer = await set('processing', 'Slow checkout');
  expect(answer).toMatchObject({ status: 'processing', agent_status: 'processing', title: 'Slow checkout' });
  expect(answer).not.toHaveProperty('warning');
  await chat.postMessage({ channel, thread_ts, text: 'Because' });
  expect(status()).toBe('processing');
  await clock.pass(50 * 60_000);
  await set('processing', 'Another title');
  await clock.pass(50 * 60_000);
  expect(workspace.session(channel, thread_ts)).toEqual({
    channel,
    thread_ts,
    status: 'processing',
    title: 'Slow checkout',
  });
  await clock.pass(10 * 60_000);
  expect(status()).toBe('active');
  await set('suspended');
  await clock.pass(120 * 60_000);
  expect(status()).toBe('suspended');
});

test('a session outlives a restart of the workspace, and still falls back in its time', async () => {
  const clock = manualClock();
  const file = `${await tempFolder()}/workspace.db`;
  const first = await testWorkspace({ agent: true, clock, file });
  const { ts: thread_ts } = await first.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  await clientOf(first).agents.sessions.setStatus({ channel_id: DM, thread_ts, status: 'processing' });
  await first.close();
  const second = await testWorkspace({ agent: true, clock, file });
  expect(second.sessions(DM)).toEqual([{ channel: DM, thread_ts, status: 'processing', title: null }]);
  await clock.pass(60 * 60_000);
  expect(second.session(DM, thread_ts)?.status).toBe('active');
});

test('without the event for the stop button Slack warns, and there is no button', async () => {
  const events = AGENT_EVENTS.filter((event) => event !== 'agent_session_stopped');
  const workspace = await testWorkspace({ agent: true, events });
  const { agents } = clientOf(workspace);
  const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  const warning = 'missing_agent_session_stopped_event_subscription';
  const answer = await agents.sessions.setStatus({ channel_id: DM, thread_ts, status: 'processing' });
  expect(answer).toMatchObject({ ok: true, warning, response_metadata: { warnings: [warning] } });
  const stopped = await workspace.stopSession({ as: ALICE, channel: DM, thread_ts });
  expect(stopped).toEqual({ ok: false, error: 'There is nothing to stop in this thread.' });
});

test('a stream begins a session; it ends as the app says, or active, also when its time is over', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ agent: true, clock });
  const { chat } = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const status = () => workspace.session(channel, thread_ts)?.status;
  const start = async () =>
    (await chat.startStream({ channel, thread_ts, markdown_text: 'It', ...TO })).ts ?? '';
  const first = await start();
  expect(status()).toBe('processing');
  await chat.stopStream({ channel, ts: first, session_status: 'suspended' });
  expect(status()).toBe('suspended');
  await chat.stopStream({ channel, ts: await start() });
  expect(status()).toBe('active');
  await start();
  await clock.pass(5 * 60_000);
  expect(status()).toBe('active');
});

test('anybody in the conversation can stop a session: its streams end, and the app hears of it', async () => {
  const workspace = await testWorkspace({ agent: true });
  const events = await eventsOf(workspace);
  const { chat } = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const { ts: other } = await workspace.post({ channel, user: ALICE, text: 'And why?' });
  const stream = { channel, markdown_text: 'It', ...TO };
  const { ts = '' } = await chat.startStream({ ...stream, thread_ts });
  const elsewhere = await chat.startStream({ ...stream, thread_ts: other });
  expect(await workspace.stopSession({ as: BOB, channel, thread_ts })).toEqual({ ok: true });
  const told = await until(() => events.find(({ type }) => type === 'agent_session_stopped'));
  const said = { channel, user: BOB, thread_ts, streaming_message_ts: [ts] };
  expect(told).toEqual({ type: 'agent_session_stopped', ...said, event_ts: expect.any(String) });
  const append = chat.appendStream({ channel, ts, markdown_text: ' is DNS' });
  expect(await refusalOf(append)).toMatchObject({ error: 'stopped_by_user' });
  await chat.appendStream({ channel, ts: elsewhere.ts ?? '', markdown_text: ' is DNS' });
  expect(workspace.session(channel, thread_ts)?.status).toBe('processing');
});

test('people rename a session, and the app hears of it; the app’s own name for it is no event', async () => {
  const workspace = await testWorkspace({ agent: true });
  const events = await eventsOf(workspace);
  const { agents, chat } = clientOf(workspace);
  const { ts: thread_ts = '' } = await chat.postMessage({ channel: DM, text: 'Issue #12 is resolved' });
  const at = { channel_id: DM, thread_ts };
  expect(await agents.sessions.rename({ ...at, title: 'Issue #12' })).toMatchObject({ title: 'Issue #12' });
  const rename = { as: ALICE, channel: DM, thread_ts, title: ' Slow checkout ' };
  expect(await workspace.renameSession(rename)).toEqual({ ok: true });
  const told = await until(() => events.find(({ type }) => type === 'agent_session_title_changed'));
  expect(told).toMatchObject({ channel: DM, user: ALICE, team_id: 'T0LOCAL001', thread_ts });
  expect(told).toMatchObject({ title: 'Slow checkout', previous_title: 'Issue #12' });
  expect(events.filter(({ type }) => type === 'agent_session_title_changed')).toHaveLength(1);
  expect(await workspace.renameSession({ ...rename, as: BOB })).toMatchObject({ ok: false });
});

test('an app that is no agent has no sessions', async () => {
  const workspace = await testWorkspace();
  const { agents, assistant } = clientOf(workspace);
  const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  const at = { channel_id: DM, thread_ts };
  const refused = { error: 'not_authorized' };
  expect(await refusalOf(agents.sessions.setStatus({ ...at, status: 'processing' }))).toMatchObject(refused);
  expect(await refusalOf(agents.sessions.rename({ ...at, title: 'x' }))).toMatchObject(refused);
  const prompts = assistant.threads.setSuggestedPrompts({ channel_id: DM, prompts: PROMPTS });
  expect(await refusalOf(prompts)).toMatchObject({ error: 'missing_scope', needed: 'assistant:write' });
  await expect(workspace.openMessagesTab({ user: ALICE })).rejects.toThrow('This app is no agent.');
});
