import type { RespondFn } from '@slack/bolt';
import { z } from 'zod';
import type { ListenerDeps } from './deps.ts';

/** A press of a Work Object's button. */
export interface EntityPress {
  /** The Work Object's `external_ref.id`. */
  ref: string;
  isInFlexpane: boolean;
  /** The card's channel; `null` if Slack does not name it. */
  channel: string | null;
  threadTs: string | null;
}

const Pressed = z.looseObject({
  container: z.looseObject({
    // Buttons in legacy attachments also have the first type, but no reference.
    type: z.enum(['message_attachment', 'entity_detail']),
    external_ref: z.looseObject({ id: z.string() }),
    channel_id: z.string().optional(),
    thread_ts: z.string().optional(),
  }),
});

/** `null` for a button in a block. */
export function entityPressIn(body: unknown): EntityPress | null {
  const { success, data } = Pressed.safeParse(body);
  if (!success) return null;
  const { type, external_ref, channel_id: channel = null, thread_ts: threadTs = null } = data.container;
  return { ref: external_ref.id, isInFlexpane: type === 'entity_detail', channel, threadTs };
}

/** For a press without a `response_url`: replies with an ephemeral message in the card's channel. */
export function respondNear(
  { channel, threadTs }: EntityPress,
  user: string,
  { client }: Pick<ListenerDeps, 'client'>,
): RespondFn {
  return async (message) => {
    if (channel === null) throw new Error('Slack did not name the channel of the Work Object');
    const { text = '' } = typeof message === 'string' ? { text: message } : message;
    const blocks = typeof message !== 'string' && 'blocks' in message ? (message.blocks ?? []) : [];
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    await client.chat.postEphemeral({ channel, user, text, blocks, ...thread });
    // As a response URL would answer.
    return new Response('ok');
  };
}
