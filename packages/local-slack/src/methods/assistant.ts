import { z } from 'zod';
import { keepSession, sessionOf, setSession, setTabPrompts, type ThreadPlace } from '../agent/sessions.ts';
import { keepThread, plainThread, showStatus } from '../assistant/threads.ts';
import { joinedChannel } from '../conversations.ts';
import { announceEdit } from '../events/announce.ts';
import { LIMITS } from '../limits.ts';
import { showAgain } from '../messages/post.ts';
import { SlackError } from '../slack-error.ts';
import type { AssistantThread } from '../store/assistant.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { json, type Method, method, timestamp } from './method.ts';

const place = { channel_id: z.string(), thread_ts: timestamp };

const CHECKS = ['invalid_arguments', 'channel_not_found', 'not_in_channel', 'invalid_thread_ts'] as const;

interface Place {
  channel_id: string;
  thread_ts: string;
}

const noThread = () => new SlackError('invalid_thread_ts', { detail: 'Thread not found' });

/**
 * A thread of the pane. Slack takes no manifest with `assistant:write` and without `assistant_view`, so that an app
 * without a pane lacks the scope.
 */
function paneThread(context: WorkspaceContext, { channel_id, thread_ts }: Place): AssistantThread {
  const { manifest, store } = context;
  if (!manifest.assistant) {
    throw new SlackError('missing_scope', { needed: 'assistant:write', provided: manifest.scopes.join(',') });
  }
  const thread = store.assistant.get(joinedChannel(context, channel_id).id, thread_ts);
  if (!thread?.pane) throw noThread();
  return thread;
}

/** The thread of a conversation that the app, an agent, is in. */
function agentThread(context: WorkspaceContext, { channel_id, thread_ts }: Place): ThreadPlace {
  const channel = joinedChannel(context, channel_id);
  const root = context.store.messages.root(channel.id, thread_ts);
  if (!root || root.thread_ts !== undefined) throw noThread();
  return { channel: channel.id, thread_ts };
}

const setStatus = method({
  name: 'assistant.threads.setStatus',
  tokens: ['bot'],
  // Either, since March 2026; and in any thread of any conversation that the app is in.
  scopes: ['chat:write', 'assistant:write'],
  tier: 'special',
  checks: CHECKS,
  unchecked: [
    'the lengths of the status and of `loading_messages`, which the page does not show',
    '`username` and icons',
  ],
  args: z.looseObject({
    ...place,
    status: z.string(),
    loading_messages: json.pipe(z.array(z.string()).max(LIMITS.loadingMessages)).optional(),
  }),
  handle: (context, { channel_id, thread_ts, status }) => {
    const channel = joinedChannel(context, channel_id);
    const root = context.store.messages.root(channel.id, thread_ts);
    if (!root || root.thread_ts !== undefined) throw noThread();
    if (context.manifest.agent) {
      const session = status === '' ? 'active' : 'processing';
      setSession(context, { channel: channel.id, thread_ts }, session, { bridged: true });
      return {};
    }
    const known = context.store.assistant.get(channel.id, thread_ts);
    showStatus(context, known ?? plainThread(channel, thread_ts), status);
    return {};
  },
});

const setTitle = method({
  name: 'assistant.threads.setTitle',
  tokens: ['bot'],
  scopes: ['assistant:write'],
  tier: 'special',
  checks: [...CHECKS, 'missing_scope'],
  unchecked: ['the length of the title'],
  args: z.looseObject({ ...place, title: z.string().min(1) }),
  handle: (context, { title, ...at }) => {
    if (context.manifest.agent) {
      const thread = agentThread(context, at);
      keepSession(context, { ...sessionOf(context, thread), title });
      return {};
    }
    const thread = paneThread(context, at);
    keepThread(context, { ...thread, title });
    const channel = context.store.channels.get(thread.channel);
    const root = context.store.messages.get(thread.channel, thread.thread_ts);
    if (!channel || !root) return {};
    const named = { ...root, assistant_app_thread: { title, title_blocks: [], artifacts: [] } };
    context.store.messages.replace(channel.id, named);
    showAgain(context, channel.id, named);
    announceEdit(context, channel, named, root);
    return {};
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
  checks: [...CHECKS, 'missing_scope'],
  unchecked: ['the lengths of titles and messages'],
  args: z.looseObject({
    channel_id: z.string(),
    // Only an app with a pane must name a thread.
    thread_ts: timestamp.optional(),
    title: z.string().optional(),
    prompts: json.pipe(Prompts),
  }),
  handle: (context, { title, prompts, channel_id, thread_ts }) => {
    const shown = prompts.map(({ title: label, message }) => ({ title: label, message }));
    if (context.manifest.agent) {
      const { im_user } = joinedChannel(context, channel_id);
      // To an agent Slack answers that it is well, and does nothing: an agent's prompts belong to no thread.
      if (thread_ts !== undefined || im_user === null) return {};
      setTabPrompts(context, im_user, { prompts_title: title || null, prompts: shown });
      return {};
    }
    if (thread_ts === undefined) throw noThread();
    const thread = paneThread(context, { channel_id, thread_ts });
    keepThread(context, { ...thread, prompts_title: title || null, prompts: shown });
    return {};
  },
});

export const assistantMethods: readonly Method[] = [setStatus, setTitle, setSuggestedPrompts];
