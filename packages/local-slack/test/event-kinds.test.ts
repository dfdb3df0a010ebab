import { expect, test } from 'vitest';
import { EVENT_SCOPES, type EventName } from '../src/events/kinds.ts';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, eventsOf, SCOPES, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const MESSAGES: Record<string, EventName> = {
  channel: 'message.channels',
  group: 'message.groups',
  im: 'message.im',
};

/** What a manifest calls the event. */
function subscriptionOf({ type, channel_type }: Record<string, unknown>): unknown {
  return type === 'message' ? MESSAGES[String(channel_type)] : type;
}

/** Something of everything that an app can be told of; its end is the last. */
async function aDay(workspace: Workspace, events: readonly Record<string, unknown>[]): Promise<void> {
  const { channels, botUserId } = workspace;
  await workspace.openHome(ALICE);
  const { ts } = await workspace.post({ channel: 'general', user: ALICE, text: `<@${botUserId}> hello` });
  const smile = { as: ALICE, channel: channels.general, message_ts: ts, name: 'smile' };
  await workspace.react({ ...smile, on: true });
  await workspace.react({ ...smile, on: false });
  await clientOf(workspace).filesUploadV2({ channel_id: channels.general, filename: 'a.txt', content: 'a' });
  await until(() => events.some(({ type }) => type === 'file_shared'));
  await workspace.invite('payments');
  for (const channel of ['general', 'secrets']) {
    await workspace.post({ channel, text: 'x' });
    await workspace.rename(channel, `${channel}-2`);
    await workspace.archive(`${channel}-2`);
    await workspace.unarchive(`${channel}-2`);
    await workspace.deleteChannel(`${channel}-2`);
  }
  await workspace.kick('payments');
  workspace.refuseToken('account_inactive', 'app_uninstalled');
  workspace.refuseToken('token_revoked', 'tokens_revoked');
}

/** Something of everything that only an agent is told of. */
async function aDayOfAnAgent(workspace: Workspace): Promise<void> {
  const { channel } = await workspace.openMessagesTab({ user: ALICE });
  await workspace.lookAt({ user: ALICE, channel: 'general' });
  const { ts: thread_ts } = await workspace.post({ channel, user: ALICE, text: 'Why?' });
  const { agents } = clientOf(workspace);
  await agents.sessions.setStatus({ channel_id: channel, thread_ts, status: 'processing' });
  await workspace.stopSession({ as: ALICE, channel, thread_ts });
  await workspace.renameSession({ as: ALICE, channel, thread_ts, title: 'Slow checkout' });
}

const everything = { home: true, fileDelay: 0, events: Object.keys(EVENT_SCOPES) } as const;

test('every event that the workspace claims to have is told, and no other', async () => {
  const workspace = await testWorkspace(everything);
  const events = await eventsOf(workspace);
  await aDay(workspace, events);
  await until(() => events.some(({ type }) => type === 'tokens_revoked'));
  // Leaving a private channel, which ends what one hears of it, takes a day of its own.
  const other = await testWorkspace(everything);
  const heard = await eventsOf(other);
  await other.kick('secrets');
  await until(() => heard.length > 0);
  // And so does an app that is an agent.
  const agent = await testWorkspace({ ...everything, agent: true });
  const ofAgent = await eventsOf(agent);
  await aDayOfAnAgent(agent);
  await until(() => ofAgent.some(({ type }) => type === 'agent_session_title_changed'));
  const told = [...events, ...heard, ...ofAgent].map(subscriptionOf);
  expect([...new Set(told)].sort()).toEqual(Object.keys(EVENT_SCOPES).sort());
});

test('an event is told only with its scope, however the manifest subscribes to it', async () => {
  const scopes = SCOPES.filter((scope) => !['reactions:read', 'app_mentions:read'].includes(scope));
  const workspace = await testWorkspace({ scopes });
  const events = await eventsOf(workspace);
  const text = `<@${workspace.botUserId}> hello`;
  const { ts } = await workspace.post({ channel: 'general', user: ALICE, text });
  const message = { as: ALICE, channel: workspace.channels.general, message_ts: ts };
  expect(await workspace.react({ ...message, name: 'smile', on: true })).toEqual({ ok: true });
  await workspace.post({ channel: 'general', user: ALICE, text: 'last' });
  await until(() => events.some((event) => event.text === 'last'));
  expect(events).toMatchObject([
    { type: 'message', text },
    { type: 'message', text: 'last' },
  ]);
});
