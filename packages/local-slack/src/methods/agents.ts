import { z } from 'zod';
import { keepSession, sessionOf, setSession, setTabPrompts, type ThreadPlace } from '../agent/sessions.ts';
import { joinedChannel, requireScope, visibleChannel } from '../conversations.ts';
import { SlackError } from '../errors.ts';
import { subscribed } from '../events/kinds.ts';
import { LIMITS } from '../limits.ts';
import { SESSION_STATUSES } from '../store/people.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { json, type Method, method, timestamp } from './method.ts';

const STOP_WARNING = 'missing_agent_session_stopped_event_subscription';

const place = { channel_id: z.string(), thread_ts: z.union([timestamp, z.literal('')]).default('') };

const CHECKS = [
  'invalid_arguments',
  'channel_not_found',
  'not_authorized',
  'thread_ts_required',
  'thread_not_found',
] as const;

/** The thread that an agent names, in a conversation that it is in. */
function threadOf(
  context: WorkspaceContext,
  { channel_id, thread_ts }: { channel_id: string; thread_ts: string },
): ThreadPlace {
  const { manifest, store, app } = context;
  if (!manifest.agent) throw new SlackError('not_authorized');
  const channel = visibleChannel(context, channel_id);
  if (!store.channels.isMember(channel.id, app.bot_user_id)) throw new SlackError('not_authorized');
  if (thread_ts === '') throw new SlackError('thread_ts_required');
  const root = store.messages.root(channel.id, thread_ts);
  if (!root || root.thread_ts !== undefined) throw new SlackError('thread_not_found');
  return { channel: channel.id, thread_ts };
}

const setStatus = method({
  name: 'agents.sessions.setStatus',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 3,
  checks: [...CHECKS, 'invalid_status', 'user_not_found', 'missing_scope'],
  unchecked: [
    '`username` and icons, which the page does not show',
    '`feature_disabled`, `no_permission` and `thread_ts_not_allowed`',
  ],
  args: z.looseObject({
    ...place,
    // Any other word is refused as an argument, an empty one as a status.
    status: z.enum([...SESSION_STATUSES, '']).default(''),
    title: z.string().min(1).max(LIMITS.sessionTitle).optional(),
    initiator_user_id: z.string().optional(),
    icon_emoji: z.string().optional(),
    icon_url: z.string().optional(),
    username: z.string().optional(),
  }),
  handle: (context, { status, title, initiator_user_id, icon_emoji, icon_url, username, ...at }) => {
    const thread = threadOf(context, at);
    if (status === '') throw new SlackError('invalid_status');
    if ((icon_emoji ?? icon_url ?? username) !== undefined) requireScope(context, 'chat:write.customize');
    const { channels } = context.store;
    if (initiator_user_id !== undefined && !channels.isMember(thread.channel, initiator_user_id)) {
      throw new SlackError('user_not_found');
    }
    const session = setSession(context, thread, status, title);
    const isStoppable = status !== 'processing' || subscribed(context, 'agent_session_stopped');
    return {
      status: session.status,
      agent_status: session.status,
      title: session.title ?? '',
      ...(!isStoppable && { warning: STOP_WARNING, response_metadata: { warnings: [STOP_WARNING] } }),
    };
  },
});

const rename = method({
  name: 'agents.sessions.rename',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 3,
  checks: CHECKS,
  unchecked: ['`feature_disabled`, `no_permission` and `thread_ts_not_allowed`'],
  args: z.looseObject({ ...place, title: z.string().min(1).max(LIMITS.sessionTitle) }),
  handle: (context, { title, ...at }) => {
    keepSession(context, { ...sessionOf(context, threadOf(context, at)), title });
    return { title };
  },
});

const Prompts = z
  .array(z.looseObject({ title: z.string().min(1), message: z.string().min(1) }))
  .min(1)
  .max(LIMITS.prompts);

const setSuggestedPrompts = method({
  name: 'assistant.threads.setSuggestedPrompts',
  tokens: ['bot'],
  scopes: ['assistant:write'],
  tier: 'special',
  checks: ['invalid_arguments', 'channel_not_found', 'not_in_channel', 'missing_scope'],
  unchecked: [
    'the lengths of titles and messages',
    'threads of an assistant: an app here is an agent or none',
  ],
  args: z.looseObject({
    channel_id: z.string(),
    thread_ts: timestamp.optional(),
    title: z.string().optional(),
    prompts: json.pipe(Prompts),
  }),
  handle: (context, { title, prompts, channel_id, thread_ts }) => {
    // Slack takes no manifest with the scope and without a view of its own, so such an app lacks the scope.
    if (!context.manifest.agent) {
      const provided = context.manifest.scopes.join(',');
      throw new SlackError('missing_scope', { needed: 'assistant:write', provided });
    }
    const { im_user } = joinedChannel(context, channel_id);
    // Slack answers an agent that it is well, and does nothing: an agent's prompts belong to no thread.
    if (thread_ts !== undefined || im_user === null) return {};
    const shown = prompts.map(({ title: label, message }) => ({ title: label, message }));
    setTabPrompts(context, im_user, { prompts_title: title || null, prompts: shown });
    return {};
  },
});

export const agentsMethods: readonly Method[] = [rename, setStatus, setSuggestedPrompts];
