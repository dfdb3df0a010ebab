import { Assistant } from '@slack/bolt';
import { expect, test } from 'vitest';
import { boltOn, clientOf, eventsOf, refusalOf, SCOPES, testWorkspace, until } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

const ALICE = 'U0ALICE001';
const DM = 'D0ALICE001';
const PROMPTS = [
  { title: 'Checkout', message: 'What is wrong with checkout?' },
  { title: 'Search', message: 'Why is search slow?' },
];

const bare = { is_pane: true, title: null, status: null, prompts_title: null, prompts: [] };

test('opening the pane makes a thread with a hidden root, of which the app hears', async () => {
  const workspace = await testWorkspace({ assistant: true });
  const events = await eventsOf(workspace);
  const { alerts, general } = workspace.channels;
  const { channel, thread_ts } = await workspace.openAssistant({ user: ALICE, channel: alerts });
  await workspace.changeContext({ user: ALICE, thread_ts, channel: general });
  await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?', thread_ts });
  await until(() => events.length >= 4);
  expect(channel).toBe(DM);
  const context = (channel_id: string) => ({ channel_id, team_id: 'T0LOCAL001', enterprise_id: null });
  const thread = { user_id: ALICE, channel_id: DM, thread_ts };
  expect(events).toMatchObject([
    {
      type: 'message',
      subtype: 'assistant_app_thread',
      ts: thread_ts,
      user: workspace.botUserId,
      channel: DM,
      channel_type: 'im',
    },
    { type: 'assistant_thread_started', assistant_thread: { ...thread, context: context(alerts) } },
    { type: 'assistant_thread_context_changed', assistant_thread: { ...thread, context: context(general) } },
    { type: 'message', user: ALICE, text: 'Why?', thread_ts, parent_user_id: workspace.botUserId },
  ]);
  expect(workspace.assistantThread(DM, thread_ts)).toEqual({ user: ALICE, channel: DM, thread_ts, ...bare });
});

test('where nobody looks at a channel the context is empty; events come only to whom subscribes', async () => {
  const workspace = await testWorkspace({ assistant: true, events: ['assistant_thread_started'] });
  const events = await eventsOf(workspace);
  const { thread_ts } = await workspace.openAssistant({ user: ALICE });
  await workspace.changeContext({ user: ALICE, thread_ts, channel: workspace.channels.general });
  await workspace.openAssistant({ user: ALICE });
  await until(() => events.length >= 2);
  expect(events.map(({ type }) => type)).toEqual(['assistant_thread_started', 'assistant_thread_started']);
  expect(events[0]).toMatchObject({ assistant_thread: { context: {} } });
});

test('Bolt’s own Assistant greets, suggests, and answers with a stream', async () => {
  const workspace = await testWorkspace({ assistant: true });
  await boltOn(workspace, (app) => {
    app.assistant(
      new Assistant({
        threadStarted: async ({ setSuggestedPrompts, setTitle }) => {
          await setTitle('New');
          await setSuggestedPrompts({ title: 'Ask me', prompts: [PROMPTS[0] ?? { title: '', message: '' }] });
        },
        userMessage: async ({ message, setStatus, sayStream, setTitle }) => {
          await setStatus('is thinking…');
          if ('text' in message) await setTitle(message.text ?? '');
          const stream = sayStream();
          await stream.append({ markdown_text: 'It is DNS.' });
          await stream.stop();
        },
      }),
    );
  });
  const { thread_ts } = await workspace.openAssistant({ user: ALICE });
  await until(() => workspace.assistantThread(DM, thread_ts)?.prompts_title === 'Ask me');
  expect(workspace.assistantThread(DM, thread_ts)).toMatchObject({ title: 'New', prompts: [PROMPTS[0]] });
  await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?', thread_ts });
  const answer = () => workspace.messages(DM, thread_ts)[2];
  await until(() => answer()?.text === 'It is DNS.' && !answer()?.streaming);
  expect(workspace.assistantThread(DM, thread_ts)).toMatchObject({ ...bare, title: 'Why?' });
});

test('a title stands on the hidden root, and the app hears of the change', async () => {
  const workspace = await testWorkspace({ assistant: true });
  const { assistant } = clientOf(workspace);
  const events = await eventsOf(workspace);
  const { thread_ts } = await workspace.openAssistant({ user: ALICE });
  await assistant.threads.setTitle({ channel_id: DM, thread_ts, title: 'Slow checkout' });
  const changed = await until(() => events.find(({ subtype }) => subtype === 'message_changed'));
  expect(changed).toMatchObject({
    message: { ts: thread_ts, assistant_app_thread: { title: 'Slow checkout' } },
    previous_message: { ts: thread_ts, subtype: 'assistant_app_thread' },
  });
  expect(workspace.assistantThread(DM, thread_ts)?.title).toBe('Slow checkout');
});

test('prompts stay until the person writes; the app’s own words leave them', async () => {
  const workspace = await testWorkspace({ assistant: true });
  const { assistant, chat } = clientOf(workspace);
  const { thread_ts } = await workspace.openAssistant({ user: ALICE });
  const prompts = () => workspace.assistantThread(DM, thread_ts)?.prompts;
  await assistant.threads.setSuggestedPrompts({ channel_id: DM, thread_ts, prompts: PROMPTS });
  await chat.postMessage({ channel: DM, thread_ts, text: 'Hello' });
  expect(prompts()).toEqual(PROMPTS);
  await workspace.post({ channel: ALICE, user: ALICE, text: 'Hi', thread_ts });
  expect(prompts()).toEqual([]);
});

test('a status goes with an empty one, with the app’s next message, and after two minutes', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const { assistant, chat } = clientOf(workspace);
  const channel = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const status = () => workspace.assistantThread(channel, thread_ts)?.status;
  const set = (text: string) => assistant.threads.setStatus({ channel_id: channel, thread_ts, status: text });
  await set('is thinking…');
  expect(workspace.assistantThread(channel, thread_ts)).toMatchObject({ user: '', status: 'is thinking…' });
  await set('');
  expect(status()).toBeNull();
  await set('is thinking…');
  await workspace.post({ channel, user: ALICE, text: 'Hm', thread_ts });
  expect(status()).toBe('is thinking…');
  await chat.postMessage({ channel, thread_ts, text: 'Because' });
  expect(status()).toBeNull();
  await set('is thinking…');
  await clock.pass(60_000);
  await set('still is thinking…');
  await clock.pass(60_000);
  expect(status()).toBe('still is thinking…');
  await clock.pass(60_000);
  expect(status()).toBeNull();
});

test('a status is of a thread, so it names the root and no reply', async () => {
  const workspace = await testWorkspace();
  const { assistant } = clientOf(workspace);
  const channel_id = workspace.channels.general;
  const { ts: thread_ts } = await workspace.post({ channel: 'general', user: ALICE, text: 'root' });
  const { ts } = await workspace.post({ channel: 'general', user: ALICE, text: 'reply', thread_ts });
  const set = assistant.threads.setStatus({ channel_id, thread_ts: ts, status: 'is thinking…' });
  expect(await refusalOf(set)).toMatchObject({ error: 'invalid_thread_ts', detail: 'Thread not found' });
});

test('an app without a pane has no threads in it, but may say what it is doing', async () => {
  const workspace = await testWorkspace({ scopes: SCOPES.filter((scope) => scope !== 'assistant:write') });
  const { assistant } = clientOf(workspace);
  await expect(workspace.openAssistant({ user: ALICE })).rejects.toThrow('This app has no assistant pane.');
  const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  await assistant.threads.setStatus({ channel_id: DM, thread_ts, status: 'is thinking…' });
  expect(workspace.assistantThread(DM, thread_ts)).toMatchObject({ user: ALICE, status: 'is thinking…' });
  const missing = { error: 'missing_scope', needed: 'assistant:write' };
  const title = assistant.threads.setTitle({ channel_id: DM, thread_ts, title: 'x' });
  expect(await refusalOf(title)).toMatchObject(missing);
  const rich = clientOf(await testWorkspace());
  const prompts = rich.assistant.threads.setSuggestedPrompts({ channel_id: DM, thread_ts, prompts: PROMPTS });
  expect(await refusalOf(prompts)).toMatchObject(missing);
  const named = rich.assistant.threads.setTitle({ channel_id: DM, thread_ts, title: 'x' });
  expect(await refusalOf(named)).toMatchObject(missing);
});
