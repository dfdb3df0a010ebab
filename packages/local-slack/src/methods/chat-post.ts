import { z } from 'zod';
import { joinedChannel, postableChannel, requireScope } from '../conversations.ts';
import type { Author } from '../messages/authors.ts';
import { postMessage } from '../messages/post.ts';
import { present } from '../messages/present.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { CONTENT_CHECKS, content, readContent } from './chat-args.ts';
import { flag, type Method, method, timestamp } from './method.ts';

const custom = {
  username: z.string().optional(),
  icon_emoji: z.string().optional(),
  icon_url: z.string().optional(),
};

interface Custom {
  username?: string | undefined;
  icon_emoji?: string | undefined;
  icon_url?: string | undefined;
}

function authorOf(context: WorkspaceContext, { username, icon_emoji, icon_url }: Custom): Author {
  if (username ?? icon_emoji ?? icon_url) requireScope(context, 'chat:write.customize');
  return { kind: 'app', username, icon: icon_emoji };
}

const postMessageMethod = method({
  name: 'chat.postMessage',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 'special',
  checks: [
    ...CONTENT_CHECKS,
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'restricted_action',
    'no_text',
    'thread_not_found',
    'missing_scope',
  ],
  unchecked: [
    '`parse`, `link_names`, `mrkdwn`, `as_user` and `markdown_text`',
    '`unfurl_links`: nothing is unfurled',
    'fields and lengths of attachments, beside their blocks',
    'the size of metadata',
  ],
  args: z.looseObject({
    channel: z.string(),
    thread_ts: timestamp.optional(),
    reply_broadcast: flag.optional(),
    ...content,
    ...custom,
  }),
  handle: (context, args) => {
    const channel = postableChannel(context, args.channel);
    const author = authorOf(context, args);
    const { text = '', ...rest } = readContent(context, args);
    context.rates.post(channel.id);
    const { thread_ts, reply_broadcast: broadcast } = args;
    const message = postMessage(context, { channel, author, text, thread_ts, broadcast, ...rest });
    return { channel: channel.id, ts: message.ts, message: present(context, channel.id, message, true) };
  },
});

const postEphemeral = method({
  name: 'chat.postEphemeral',
  tokens: ['bot'],
  scopes: ['chat:write'],
  tier: 4,
  checks: [
    ...CONTENT_CHECKS,
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'no_text',
    'thread_not_found',
    'user_not_in_channel',
    'missing_scope',
  ],
  unchecked: [
    '`parse`, `link_names` and `markdown_text`',
    'fields and lengths of attachments, beside their blocks',
    'whether the person is there to see it',
  ],
  args: z.looseObject({
    channel: z.string(),
    user: z.string(),
    thread_ts: timestamp.optional(),
    ...content,
    ...custom,
  }),
  handle: (context, args) => {
    const channel = joinedChannel(context, args.channel);
    if (channel.is_archived) throw new SlackError('is_archived');
    if (!context.store.channels.isMember(channel.id, args.user)) throw new SlackError('user_not_in_channel');
    const author = authorOf(context, args);
    const { text = '', ...rest } = readContent(context, args);
    const { thread_ts, user: ephemeralTo } = args;
    return {
      message_ts: postMessage(context, { channel, author, text, thread_ts, ephemeralTo, ...rest }).ts,
    };
  },
});

export const chatPostMethods: readonly Method[] = [postMessageMethod, postEphemeral];
