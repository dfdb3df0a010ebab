import { z } from 'zod';
import { openIm } from './conversations.ts';
import type { Channel } from './entities.ts';
import type { Author } from './messages/authors.ts';
import { postMessage } from './messages/post.ts';
import { SlackError } from './slack-error.ts';
import type { PostInput } from './workspace.ts';
import type { WorkspaceContext } from './workspace-context.ts';

/** What others send has passed Slack already: only its outer shape matters. */
export const Blocks = z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() }));
export const Attachments = z.array(z.record(z.string(), z.unknown()));

/** A channel by its id or name, or a person's conversation with the app by the person's id. */
export function channelOf(context: WorkspaceContext, ref: string): Channel {
  const { channels, users } = context.store;
  const person = users.get(ref);
  if (person && !person.is_bot) return openIm(context, person.id);
  const channel = channels.get(ref) ?? channels.named(ref.replace(/^#/, ''));
  if (!channel) throw new SlackError('channel_not_found');
  return channel;
}

function authorOf(context: WorkspaceContext, { app, user, username, icon }: PostInput): Author {
  if (app) return { kind: 'other_app', ...app };
  if (user === undefined) return { kind: 'webhook', username: username ?? 'incoming-webhook', icon };
  const person = context.store.users.get(user);
  if (!person) throw new SlackError('user_not_found');
  return { kind: 'person', user: person };
}

/**
 * Posts as a person, an incoming webhook or another app. What those send has passed Slack already, so
 * it is not held to the limits.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `user_not_found`, `no_text`, `thread_not_found`.
 */
export async function postAs(context: WorkspaceContext, input: PostInput): Promise<{ ts: string }> {
  const channel = channelOf(context, input.channel);
  if (channel.is_archived) throw new SlackError('is_archived');
  const message = postMessage(context, {
    channel,
    author: authorOf(context, input),
    text: input.text ?? '',
    blocks: input.blocks && Blocks.parse(input.blocks),
    attachments: input.attachments && Attachments.parse(input.attachments),
    thread_ts: input.thread_ts,
    broadcast: input.reply_broadcast,
  });
  return { ts: message.ts };
}
