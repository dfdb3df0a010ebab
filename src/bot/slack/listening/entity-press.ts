import type { RespondFn } from '@slack/bolt';
import { z } from 'zod';
import type { ListenerDeps } from './deps.ts';

/** A button of a Work Object that somebody pressed. */
export interface EntityPress {
  /** The `external_ref.id` that Slack names. */
  ref: string;
  isInFlexpane: boolean;
  /** Where the card stands; `null` where Slack does not say. */
  channel: string | null;
  threadTs: string | null;
}

const Pressed = z.looseObject({
  container: z.looseObject({
    // Buttons in attachments of old have the first too, but no reference.
    type: z.enum(['message_attachment', 'entity_detail']),
    external_ref: z.looseObject({ id: z.string() }),
    channel_id: z.string().optional(),
    thread_ts: z.string().optional(),
  }),
});

/** `null` for the button of a block. */
export function entityPressIn(body: unknown): EntityPress | null {
  const { success, data } = Pressed.safeParse(body);
  if (!success) return null;
  const { type, external_ref, channel_id: channel = null, thread_ts: threadTs = null } = data.container;
  return { ref: external_ref.id, isInFlexpane: type === 'entity_detail', channel, threadTs };
}

/** Answers a press for which Slack gives no `response_url`: for the person alone, where the card stands. */
export function respondNear(
  { channel, threadTs }: EntityPress,
  user: string,
  { client }: Pick<ListenerDeps, 'client'>,
): RespondFn {
  return async (message) => {
    if (channel === null) throw new Error('Slack does not say where the Work Object was pressed');
    const { text = '' } = typeof message === 'string' ? { text: message } : message;
    const blocks = typeof message !== 'string' && 'blocks' in message ? (message.blocks ?? []) : [];
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    await client.chat.postEphemeral({ channel, user, text, blocks, ...thread });
    // What Slack answers at a response address.
    return new Response('ok');
  };
}
