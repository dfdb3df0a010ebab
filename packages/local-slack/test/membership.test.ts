import { expect, test } from 'vitest';
import { clientOf, eventsOf, refusalOf, SCOPES, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const EVENTS = [
  'message.channels',
  'message.groups',
  'member_joined_channel',
  'channel_left',
  'group_left',
  'channel_archive',
  'channel_unarchive',
  'channel_rename',
  'channel_deleted',
  'tokens_revoked',
];

const short = (event: Record<string, unknown>) => [event.subtype ?? event.type, event.text ?? event.channel];
const code = (call: Promise<unknown>) =>
  call.then(
    () => 'fine',
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

test('a private channel says that it is one, and only to who is in it', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const events = await eventsOf(workspace);
  const channel = workspace.channels.secrets;
  expect((await client.conversations.info({ channel })).channel).toMatchObject({
    id: 'C0SECRETS1',
    name: 'secrets',
    is_private: true,
    is_group: true,
    is_channel: false,
    is_member: true,
    is_archived: false,
    num_members: 3,
  });
  expect((await client.conversations.members({ channel })).members).toEqual([
    ALICE,
    'U0BOB00001',
    workspace.botUserId,
  ]);
  await workspace.post({ channel, username: 'Hook', text: 'hush' });
  await until(() => events.length === 1);
  expect(events[0]).toMatchObject({ type: 'message', channel_type: 'group', channel, text: 'hush' });
  const carol = await workspace.react({ as: 'U0CAROL001', channel, message_ts: 'x', name: 'x', on: true });
  expect(carol).toEqual({ ok: false, error: 'Carol Oncall is not a member of this conversation.' });

  await workspace.kick('secrets');
  for (const call of [client.conversations.info({ channel }), client.conversations.history({ channel })]) {
    expect(await refusalOf(call)).toMatchObject({ error: 'channel_not_found' });
  }
});

test('a private channel needs the scopes of private channels', async () => {
  const workspace = await testWorkspace({ scopes: SCOPES.filter((scope) => !scope.startsWith('groups:')) });
  const client = clientOf(workspace);
  const channel = workspace.channels.secrets;
  expect(await refusalOf(client.conversations.info({ channel }))).toMatchObject({
    error: 'missing_scope',
    needed: 'groups:read',
  });
  expect(await refusalOf(client.conversations.history({ channel }))).toMatchObject({
    error: 'missing_scope',
    needed: 'groups:history',
  });
});

test('the app is invited and removed; in between it hears of the channel', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const events = await eventsOf(workspace);
  const channel = workspace.channels.payments;
  await workspace.post({ channel, user: ALICE, text: 'before' });
  await workspace.invite('payments', 'U0BOB00001');
  await workspace.post({ channel, user: ALICE, text: 'during' });
  await until(() => events.length === 3);
  const event_ts = expect.stringMatching(/^\d{10}\.\d{6}$/);
  expect(events.slice(0, 2)).toEqual([
    {
      type: 'message',
      subtype: 'channel_join',
      user: workspace.botUserId,
      inviter: 'U0BOB00001',
      text: `<@${workspace.botUserId}> has joined the channel`,
      channel,
      channel_type: 'channel',
      ts: event_ts,
      event_ts,
    },
    {
      type: 'member_joined_channel',
      user: workspace.botUserId,
      inviter: 'U0BOB00001',
      channel,
      channel_type: 'C',
      team: 'T0LOCAL001',
      event_ts,
    },
  ]);
  expect((await client.conversations.info({ channel })).channel?.is_member).toBe(true);

  await workspace.kick('payments', 'U0BOB00001');
  await workspace.post({ channel, user: ALICE, text: 'after' });
  await workspace.kick('secrets');
  await workspace.post({ channel: 'general', user: ALICE, text: 'elsewhere' });
  await until(() => events.length === 6);
  expect(events[3]).toEqual({ type: 'channel_left', channel, actor_id: 'U0BOB00001', event_ts });
  expect(events.slice(2).map(short)).toEqual([
    ['message', 'during'],
    ['channel_left', channel],
    ['group_left', workspace.channels.secrets],
    ['message', 'elsewhere'],
  ]);
  expect(await refusalOf(client.chat.postMessage({ channel, text: 'x' }))).toMatchObject({
    error: 'not_in_channel',
  });
  expect([await code(workspace.kick('payments')), await code(workspace.invite('general'))]).toEqual([
    'not_in_channel',
    'already_in_channel',
  ]);
});

test('an app that did not ask hears nothing of its coming and going', async () => {
  const workspace = await testWorkspace({ events: ['message.channels'] });
  const events = await eventsOf(workspace);
  await workspace.kick('incidents');
  await workspace.invite('incidents');
  await workspace.archive('incidents');
  await until(() => events.length === 2);
  expect(events.map(short)).toEqual([
    ['channel_join', `<@${workspace.botUserId}> has joined the channel`],
    ['channel_archive', `<@${ALICE}> archived the channel`],
  ]);
});

test('nobody writes in an archived channel any more', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const events = await eventsOf(workspace);
  const channel = workspace.channels.incidents;
  const { ts } = await workspace.post({ channel, user: ALICE, text: 'last words' });
  await workspace.archive('incidents');
  await until(() => events.length === 3);
  expect(events.slice(1).map(short)).toEqual([
    ['channel_archive', `<@${ALICE}> archived the channel`],
    ['channel_archive', channel],
  ]);
  expect((await client.conversations.info({ channel })).channel?.is_archived).toBe(true);
  expect((await client.conversations.history({ channel })).messages).toHaveLength(2);
  expect([
    await code(workspace.post({ channel, text: 'x' })),
    await code(workspace.edit({ channel, ts, text: 'x' })),
    await code(workspace.archive('incidents')),
  ]).toEqual(['is_archived', 'is_archived', 'is_archived']);
  const typed = workspace.command({ as: ALICE, channel, command: '/echo', text: '' });
  expect(await typed).toEqual({ ok: false, error: 'This channel is archived.' });
});

test('people are members, admins, guests, or from elsewhere', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const rights = async (user: string) => {
    const { user: found } = await client.users.info({ user });
    const { is_admin, is_owner, is_restricted, is_ultra_restricted, is_stranger } = { ...found };
    return { is_admin, is_owner, is_restricted, is_ultra_restricted, is_stranger };
  };
  const member = {
    is_admin: false,
    is_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_stranger: undefined,
  };
  expect(await rights('U0BOB00001')).toEqual(member);
  expect(await rights(ALICE)).toEqual({ ...member, is_admin: true });
  expect(await rights('U0GINA0001')).toEqual({ ...member, is_restricted: true });
  expect(await rights('U0EVE00001')).toEqual({ ...member, is_stranger: true });
});

test('an archived channel is opened again, with who was in it', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const channel = workspace.channels.incidents;
  await workspace.archive('incidents');
  const events = await eventsOf(workspace);
  await workspace.unarchive('incidents');
  await until(() => events.length === 2);
  expect(events.map(short)).toEqual([
    ['channel_unarchive', `<@${ALICE}> un-archived the channel`],
    ['channel_unarchive', channel],
  ]);
  expect((await client.chat.postMessage({ channel, text: 'back' })).ok).toBe(true);
  expect(await code(workspace.unarchive('incidents'))).toBe('not_archived');
});

test('a channel has another name, and the same id', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const channel = workspace.channels.incidents;
  const events = await eventsOf(workspace);
  await workspace.rename('incidents', 'outages');
  await until(() => events.length === 2);
  expect(events[1]).toMatchObject({ type: 'channel_rename', channel: { id: channel, name: 'outages' } });
  expect((await client.conversations.info({ channel })).channel?.name).toBe('outages');
  expect(await code(workspace.rename('outages', 'general'))).toBe('name_taken');
});

test('a deleted channel is told of, and is not there any more', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const channel = workspace.channels.incidents;
  const events = await eventsOf(workspace);
  await workspace.deleteChannel('incidents');
  await until(() => events.length === 1);
  expect(events).toMatchObject([{ type: 'channel_deleted', channel, actor_id: ALICE }]);
  expect(await refusalOf(client.chat.postMessage({ channel, text: 'x' }))).toMatchObject({
    error: 'channel_not_found',
  });
});

test('a token that is refused is refused for every call, and its end is told', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  const events = await eventsOf(workspace);
  workspace.refuseToken('token_revoked', 'tokens_revoked');
  await until(() => events.length === 1);
  expect(events).toMatchObject([{ type: 'tokens_revoked', tokens: { bot: [workspace.botUserId] } }]);
  expect(await refusalOf(client.auth.test())).toMatchObject({ error: 'token_revoked' });
  workspace.refuseToken(null);
  expect((await client.auth.test()).ok).toBe(true);
});

test('a scope that is not granted any more is missing until it is granted again', async () => {
  const workspace = await testWorkspace({ events: EVENTS });
  const client = clientOf(workspace);
  workspace.grantScopes(SCOPES.filter((scope) => scope !== 'users:read'));
  expect(await refusalOf(client.users.info({ user: ALICE }))).toMatchObject({
    error: 'missing_scope',
    needed: 'users:read',
  });
  workspace.grantScopes();
  expect((await client.users.info({ user: ALICE })).ok).toBe(true);
});

test('somebody’s conversations are those that the app may know of', async () => {
  const workspace = await testWorkspace({});
  const client = clientOf(workspace);
  const { secrets, payments, alerts } = workspace.channels;
  const types = 'public_channel,private_channel';
  const of = async (user: string) =>
    (await client.users.conversations({ user, types })).channels?.map(({ id }) => id) ?? [];
  expect(await of('U0BOB00001')).toEqual(expect.arrayContaining([secrets, payments, alerts]));
  expect(await of('U0CAROL001')).not.toContain(secrets);
  expect(await of(workspace.botUserId)).not.toContain(payments);
  const refusal = await refusalOf(client.users.conversations({ user: 'U0NOBODY' }));
  expect(refusal).toMatchObject({ error: 'user_not_found' });
  await workspace.kick('secrets');
  expect(await of('U0BOB00001')).not.toContain(secrets);
});
