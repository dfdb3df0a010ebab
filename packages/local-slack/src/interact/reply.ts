import { z } from 'zod';
import type { Channel } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { newHex } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { deleteMessage, editEphemeral, editMessage } from '../messages/change.ts';
import { postMessage } from '../messages/post.ts';
import { readContent } from '../methods/chat.ts';
import { flag } from '../methods/method.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

const Reply = z.object({
  response_type: z.enum(['ephemeral', 'in_channel']).default('ephemeral'),
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
  thread_ts: z.string().optional(),
  replace_original: flag.default(false),
  delete_original: flag.default(false),
});

/** Who gets an app's answer, and what it may replace. */
export interface ReplyTarget {
  channel: Channel;
  user: string;
  message_ts: string | null;
}

type Original = { message: Parameters<typeof editMessage>[2]; to: string | undefined };

function originalOf(context: WorkspaceContext, { channel, message_ts }: ReplyTarget): Original | undefined {
  if (message_ts === null) return undefined;
  const message = context.store.messages.get(channel.id, message_ts);
  if (message) return { message, to: undefined };
  return context.store.messages.ephemeral(channel.id, message_ts);
}

/**
 * Does what an app answers to a command, or at a `response_url`: a message to the person alone or to
 * the channel, a change of the message whose button was clicked, or its removal.
 *
 * @throws SlackError `invalid_payload`, or any refusal of the message's content.
 */
export function applyReply(context: WorkspaceContext, target: ReplyTarget, body: unknown): void {
  const parsed = Reply.safeParse(body);
  if (!parsed.success) throw new SlackError('invalid_payload');
  const { response_type, replace_original, delete_original, thread_ts, ...raw } = parsed.data;
  const { channel, user } = target;
  const original = originalOf(context, target);
  if (delete_original && original) {
    deleteMessage(context, channel, original.message, original.to !== undefined);
    return;
  }
  const content = readContent(context, raw);
  if (replace_original && original) {
    if (original.to === undefined) editMessage(context, channel, original.message, content);
    else editEphemeral(context, channel, original.message, original.to, content);
    return;
  }
  const ephemeralTo = response_type === 'ephemeral' ? user : undefined;
  const { text = '', ...rest } = content;
  postMessage(context, { channel, author: { kind: 'app' }, text, thread_ts, ephemeralTo, ...rest });
}

/** A fresh `response_url`: five answers within half an hour. */
export function makeResponseUrl(
  context: WorkspaceContext,
  channel: string,
  user: string,
  message_ts: string | null,
): string {
  const id = newHex(context.random, 16);
  const expires_at = Math.floor(context.clock.now()) + LIMITS.responseLife;
  context.store.responses.add({ id, channel, user, message_ts, uses: 0, expires_at });
  return `${context.origin()}/response/${id}`;
}

/**
 * An answer that an app sends to a `response_url`.
 *
 * @throws SlackError `invalid_url`, `expired_url`, `used_url`, or any refusal of the content.
 */
export function answerResponseUrl(context: WorkspaceContext, id: string, body: unknown): void {
  const target = context.store.responses.get(id);
  const channel = target && context.store.channels.get(target.channel);
  if (!target || !channel) throw new SlackError('invalid_url');
  if (context.clock.now() > target.expires_at) throw new SlackError('expired_url');
  if (target.uses >= LIMITS.responseUses) throw new SlackError('used_url');
  applyReply(context, { channel, user: target.user, message_ts: target.message_ts }, body);
  context.store.responses.use(id);
}
