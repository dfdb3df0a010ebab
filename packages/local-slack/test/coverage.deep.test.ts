import { expect, test } from 'vitest';
import { COVERAGE } from '../src/methods/index.ts';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, refusalOf, SCOPES, testWorkspace } from '../testing/index.ts';
import { AGENT_CALLS, anAgent } from './coverage-agents.ts';
import { ASSISTANT_CALLS, aStream, isKindOfStream, STREAM_CALLS } from './coverage-talking.ts';

// What the workspace claims to check, method by method, and here is a call that is refused for it.
// A claim without a call fails, and so does a call without a claim.

type Args = Record<string, unknown>;

interface Ground {
  workspace: Workspace;
  /** Somebody else's message in `#alerts`. */
  ts: string;
  /** A channel that is archived. */
  archived: string;
  /** A channel that the app is in and may not post in. */
  restricted: string;
  /** A message there. */
  old: string;
  /** A file that is uploaded and not completed. */
  file: string;
  deleted: string;
}

const CHANNEL = 'C0ALERTS01';
const NEVER = '1600000000.000001';
const long = 'x'.repeat(3_000);
const sections = Array(5).fill({ type: 'section', text: { type: 'plain_text', text: long } });

/** Content that each method with content refuses. */
const CONTENT: Record<string, Args> = {
  invalid_blocks_format: { blocks: 'nonsense' },
  invalid_blocks: { blocks: [{ type: 'nonsense' }] },
  msg_blocks_too_long: { blocks: sections },
  invalid_attachments: { attachments: 'nonsense' },
  too_many_attachments: { attachments: Array(101).fill({ text: 'x' }) },
  invalid_metadata_format: { metadata: { event_type: '' } },
};

const LARGE = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Large' },
  blocks: Array(100).fill({ type: 'section', text: { type: 'plain_text', text: long } }),
};
const HOME = { type: 'home', blocks: [] };
const VIEW = { type: 'modal', title: { type: 'plain_text', text: 'New' }, blocks: [] };

type Calls = Record<string, (ground: Ground) => Args>;

function withContent(args: (ground: Ground) => Args): Calls {
  return Object.fromEntries(
    Object.entries(CONTENT).map(([check, content]) => [check, (ground) => ({ ...args(ground), ...content })]),
  );
}

const onMessage: Calls = {
  channel_not_found: ({ ts }) => ({ channel: 'C0NONE', timestamp: ts, name: 'eyes' }),
  not_in_channel: ({ ts }) => ({ channel: 'C0PAYMENTS', timestamp: ts, name: 'eyes' }),
  message_not_found: () => ({ channel: CHANNEL, timestamp: NEVER, name: 'eyes' }),
};
const changesMessage: Calls = {
  ...onMessage,
  is_archived: ({ archived, old }) => ({ channel: archived, timestamp: old, name: 'eyes' }),
};
const reaction = ({ ts }: Ground) => ({ channel: CHANNEL, timestamp: ts, name: 'eyes' });
const badName = ({ ts }: Ground) => ({ channel: CHANNEL, timestamp: ts, name: 'Not An Emoji' });
const noChannel = () => ({ channel: 'C0NONE' });
const badCursor = () => ({ channel: CHANNEL, cursor: 'nonsense' });
const isPrivate = { types: 'im,private_channel' };

const CALLS: Record<string, Calls> = {
  'api.test': {},
  'apps.connections.open': {},
  'auth.test': {},
  'blocks.validate': {
    invalid_arguments: () => ({ blocks: [], view: VIEW }),
    invalid_blocks: () => ({ blocks: [{ type: 'nonsense' }] }),
    invalid_message: () => ({ message: { blocks: [], attachments: 'nonsense' } }),
    invalid_view: () => ({ view: { type: 'modal' } }),
  },
  'bots.info': { bot_not_found: () => ({ bot: 'B0NONE' }) },
  'chat.update': {
    ...withContent(() => ({ channel: CHANNEL, ts: 'own', text: 'x' })),
    channel_not_found: ({ ts }) => ({ channel: 'C0NONE', ts, text: 'x' }),
    is_archived: ({ archived, ts }) => ({ channel: archived, ts, text: 'x' }),
    message_not_found: () => ({ channel: CHANNEL, ts: NEVER, text: 'x' }),
    cant_update_message: ({ ts }) => ({ channel: CHANNEL, ts, text: 'x' }),
    streaming_state_conflict: () => ({ channel: CHANNEL, ts: 'stream of text', text: 'x' }),
    msg_too_long: () => ({ channel: CHANNEL, ts: 'own', text: 'x'.repeat(4_001) }),
    no_text: () => ({ channel: CHANNEL, ts: 'own', text: '' }),
  },
  'chat.delete': {
    channel_not_found: ({ ts }) => ({ channel: 'C0NONE', ts }),
    message_not_found: () => ({ channel: CHANNEL, ts: NEVER }),
    cant_delete_message: ({ ts }) => ({ channel: CHANNEL, ts }),
  },
  'chat.getPermalink': {
    channel_not_found: ({ ts }) => ({ channel: 'C0NONE', message_ts: ts }),
    not_in_channel: ({ ts }) => ({ channel: 'C0PAYMENTS', message_ts: ts }),
    message_not_found: () => ({ channel: CHANNEL, message_ts: NEVER }),
  },
  'chat.postMessage': {
    ...withContent(() => ({ channel: CHANNEL, text: 'x' })),
    channel_not_found: () => ({ channel: 'C0NONE', text: 'x' }),
    not_in_channel: () => ({ channel: 'C0PAYMENTS', text: 'x' }),
    is_archived: ({ archived }) => ({ channel: archived, text: 'x' }),
    restricted_action: ({ restricted }) => ({ channel: restricted, text: 'x' }),
    no_text: () => ({ channel: CHANNEL }),
    thread_not_found: () => ({ channel: CHANNEL, text: 'x', thread_ts: NEVER }),
    missing_scope: () => ({ channel: CHANNEL, text: 'x', username: 'Somebody' }),
  },
  'chat.postEphemeral': {
    ...withContent(() => ({ channel: CHANNEL, user: 'U0ALICE001', text: 'x' })),
    channel_not_found: () => ({ channel: 'C0NONE', user: 'U0ALICE001', text: 'x' }),
    not_in_channel: () => ({ channel: 'C0PAYMENTS', user: 'U0ALICE001', text: 'x' }),
    no_text: () => ({ channel: CHANNEL, user: 'U0ALICE001' }),
    thread_not_found: () => ({ channel: CHANNEL, user: 'U0ALICE001', text: 'x', thread_ts: NEVER }),
    is_archived: ({ archived }) => ({ channel: archived, user: 'U0ALICE001', text: 'x' }),
    user_not_in_channel: () => ({ channel: CHANNEL, user: 'U0NOBODY', text: 'x' }),
    missing_scope: () => ({ channel: CHANNEL, user: 'U0ALICE001', text: 'x', icon_emoji: ':x:' }),
  },
  ...STREAM_CALLS,
  ...AGENT_CALLS,
  ...ASSISTANT_CALLS,
  'conversations.list': {
    missing_scope: () => isPrivate,
    invalid_cursor: badCursor,
  },
  'users.conversations': {
    user_not_found: () => ({ user: 'U0NOBODY' }),
    missing_scope: () => isPrivate,
    invalid_cursor: badCursor,
  },
  'conversations.info': {
    channel_not_found: noChannel,
    missing_scope: () => ({ channel: 'D0ALICE001' }),
  },
  'conversations.members': {
    channel_not_found: noChannel,
    missing_scope: () => ({ channel: 'D0ALICE001' }),
    invalid_cursor: badCursor,
  },
  'conversations.open': {
    channel_not_found: noChannel,
    user_not_found: () => ({ users: 'U0NOBODY' }),
    not_enough_users: () => ({}),
    too_many_users: () => ({ users: 'U0ALICE001,U0BOB00001' }),
  },
  'conversations.join': {
    channel_not_found: noChannel,
    is_archived: ({ archived }) => ({ channel: archived }),
    method_not_supported_for_channel_type: () => ({ channel: 'D0ALICE001' }),
  },
  'conversations.history': {
    channel_not_found: noChannel,
    not_in_channel: () => ({ channel: 'C0PAYMENTS' }),
    missing_scope: () => ({ channel: 'D0ALICE001' }),
    invalid_cursor: badCursor,
  },
  'conversations.replies': {
    channel_not_found: ({ ts }) => ({ channel: 'C0NONE', ts }),
    not_in_channel: ({ ts }) => ({ channel: 'C0PAYMENTS', ts }),
    missing_scope: ({ ts }) => ({ channel: 'D0ALICE001', ts }),
    thread_not_found: () => ({ channel: CHANNEL, ts: NEVER }),
    invalid_cursor: ({ ts }) => ({ channel: CHANNEL, ts, cursor: 'nonsense' }),
  },
  'reactions.add': { ...changesMessage, invalid_name: badName, already_reacted: reaction },
  'reactions.remove': { ...changesMessage, invalid_name: badName, no_reaction: reaction },
  'reactions.get': onMessage,
  'team.info': { team_not_found: () => ({ team: 'T0NONE' }) },
  'users.info': { user_not_found: () => ({ user: 'U0NOBODY' }) },
  'views.open': {
    invalid_arguments: () => ({ trigger_id: 'x', view: { type: 'modal' } }),
    view_too_large: () => ({ trigger_id: 'x', view: LARGE }),
    invalid_trigger_id: () => ({ trigger_id: '1.2.3', view: VIEW }),
  },
  'views.push': {
    invalid_arguments: () => ({ trigger_id: 'x', view: { type: 'modal' } }),
    view_too_large: () => ({ trigger_id: 'x', view: LARGE }),
    invalid_trigger_id: () => ({ trigger_id: '1.2.3', view: VIEW }),
  },
  'views.update': {
    invalid_arguments: () => ({ view: VIEW }),
    view_too_large: () => ({ view_id: 'V0NONE', view: LARGE }),
    not_found: () => ({ view_id: 'V0NONE', view: VIEW }),
  },
  'views.publish': {
    invalid_arguments: () => ({ user_id: 'U0NOBODY', view: HOME }),
    view_too_large: () => ({ user_id: 'U0ALICE001', view: { ...HOME, blocks: LARGE.blocks } }),
    not_enabled: () => ({ user_id: 'U0ALICE001', view: HOME }),
  },
  'files.getUploadURLExternal': {
    invalid_arguments: () => ({ filename: 'x'.repeat(256), length: 1 }),
    missing_argument: () => ({ filename: 'a.txt', length: 0 }),
    alt_txt_too_large: () => ({ filename: 'a.png', length: 1, alt_txt: 'x'.repeat(1_001) }),
    snippet_too_large: () => ({ filename: 'a.py', length: 1_000_001, snippet_type: 'python' }),
    storage_limit_reached: () => ({ filename: 'a.bin', length: 200_000_001 }),
  },
  'files.completeUploadExternal': {
    invalid_arguments: ({ file }) => ({ files: [{ id: file, title: 'x'.repeat(256) }] }),
    file_not_found: () => ({ files: [{ id: 'F0NONE' }] }),
    channel_not_found: ({ file }) => ({ files: [{ id: file }], channel_id: 'C0NONE' }),
    not_in_channel: ({ file }) => ({ files: [{ id: file }], channel_id: 'C0PAYMENTS' }),
    is_archived: ({ file, archived }) => ({ files: [{ id: file }], channel_id: archived }),
    thread_not_found: ({ file }) => ({ files: [{ id: file }], channel_id: CHANNEL, thread_ts: NEVER }),
    channels_limit_exceeded: ({ file }) => ({
      files: [{ id: file }],
      channels: Array.from({ length: 101 }, (_, index) => `C${index}`).join(','),
    }),
    invalid_blocks: ({ file }) => ({ files: [{ id: file }], channel_id: CHANNEL, blocks: [{ type: 'x' }] }),
  },
  'files.info': {
    file_not_found: ({ file }) => ({ file }),
    file_deleted: ({ deleted }) => ({ file: deleted }),
  },
  'files.list': {},
  'files.delete': {
    file_not_found: () => ({ file: 'F0NONE' }),
    file_deleted: ({ deleted }) => ({ file: deleted }),
  },
  'users.list': { invalid_cursor: () => ({ cursor: 'nonsense', limit: 1 }) },
};

const scopes = [...SCOPES.filter((scope) => !['im:read', 'im:history'].includes(scope)), 'team:read'];

/** A file whose bytes are there. */
async function uploaded(workspace: Workspace): Promise<string> {
  const { files } = clientOf(workspace);
  const { upload_url = '', file_id = '' } = await files.getUploadURLExternal({
    filename: 'a.txt',
    length: 2,
  });
  await fetch(upload_url, { method: 'POST', body: 'hi' });
  return file_id;
}

/** What the calls of one method are tried on: none of them succeeds, so none is in the way of another. */
async function prepared(): Promise<Ground> {
  const workspace = await testWorkspace({ scopes });
  const { ts: old } = await workspace.post({ channel: 'general', text: 'old' });
  await workspace.archive('general');
  const { ts } = await workspace.post({ channel: 'alerts', text: 'not yours' });
  const file = await uploaded(workspace);
  const deleted = await uploaded(workspace);
  const { files } = clientOf(workspace);
  await files.completeUploadExternal({ files: [{ id: deleted }] });
  await files.delete({ file: deleted });
  await workspace.restrict('incidents');
  const { general: archived, incidents: restricted } = workspace.channels;
  return { workspace, ts, archived, restricted, old, file, deleted };
}

/** Refusals that need time or an open view, shown in `views.test.ts`, `modal-stack.test.ts` and `home.test.ts`. */
const ELSEWHERE = [
  'exchanged_trigger_id',
  'expired_trigger_id',
  'duplicate_external_id',
  'hash_conflict',
  'push_limit_reached',
];
/** The same, of one method. */
const ELSEWHERE_OF: Record<string, string[]> = {
  'views.push': ['not_found'],
  // Of an app that is no agent: `agent.test.ts`.
  'assistant.threads.setSuggestedPrompts': ['missing_scope'],
};

test('every claim has a call that shows it', () => {
  const claimed = COVERAGE.map(({ method, checks }) => [
    method,
    checks.filter((check) => ![...ELSEWHERE, ...(ELSEWHERE_OF[method] ?? [])].includes(check)).sort(),
  ]);
  const shown = Object.entries(CALLS).map(([method, calls]) => [method, Object.keys(calls).sort()]);
  expect(shown.sort()).toEqual(claimed.sort());
});

/** Our own message or stream, of which a channel takes only so many a second. */
async function makeOne(workspace: Workspace, kind: Parameters<typeof aStream>[1] | 'own'): Promise<string> {
  if (kind !== 'own') return aStream(workspace, kind);
  return (await clientOf(workspace).chat.postMessage({ channel: CHANNEL, text: 'mine' })).ts ?? '';
}

test.each(Object.entries(CALLS))('%s refuses with each of them', async (method, calls) => {
  const ground = await prepared();
  const made: Record<string, string> = {};
  const refused: Record<string, unknown> = {};
  for (const [check, args] of Object.entries(calls)) {
    const given = args(ground);
    const client = clientOf(
      method in AGENT_CALLS || method in ASSISTANT_CALLS ? await anAgent(given) : ground.workspace,
    );
    const { ts } = given;
    if (ts === 'own' || isKindOfStream(ts)) given.ts = made[ts] ??= await makeOne(ground.workspace, ts);
    if (check === 'already_reacted') await client.apiCall(method, given);
    refused[check] = await refusalOf(client.apiCall(method, given));
  }
  const answers = Object.keys(calls).map((check) => [
    check,
    expect.objectContaining({ ok: false, error: check }),
  ]);
  expect(refused).toEqual(Object.fromEntries(answers));
});
