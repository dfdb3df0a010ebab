import { z } from 'zod';

/** Seconds since 1970; used in arithmetic and comparisons. */
const Ts = z.string().regex(/^\d{1,16}(?:\.\d{1,9})?$/u);

/** The parts of a message event that we use. Slack's own types have more; an edit carries the message inside. */
const Message = z.looseObject({
  ts: Ts,
  thread_ts: Ts.optional(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

export const MessageEvent = z.looseObject({
  channel: z.string(),
  channel_type: z.string().optional(),
  ts: Ts,
  thread_ts: Ts.optional(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  files: z.array(z.unknown()).optional().catch(undefined),
  /** What the person has open next to their direct message with an agent. */
  app_context: z.unknown().optional(),
  message: Message.optional(),
});
export type MessageEvent = z.infer<typeof MessageEvent>;

/** The message that an event is about; for an edit, its current version. */
export function messageOf(event: MessageEvent): Message {
  return event.subtype === 'message_changed' && event.message ? event.message : event;
}

/** Whether the bot wrote it, in every shape that Slack delivers the bot's own messages in. */
export function isOwn(message: Message, identity: { botUserId: string; botId: string }): boolean {
  return message.bot_id === identity.botId || message.user === identity.botUserId;
}

/** A reply in a thread, whether or not it was also sent to the channel. */
export function isReply(message: Message): boolean {
  return message.thread_ts !== undefined && message.thread_ts !== message.ts;
}

/** A reply in a thread that was not also sent to the channel. */
export function isThreadReply(message: Message): boolean {
  return isReply(message) && message.subtype !== 'thread_broadcast';
}

/** The id of a channel, a legacy private channel or a direct message. */
export const CHANNEL_ID = /^[CDG][A-Z0-9]{1,20}$/u;
