import { z } from 'zod';

/** Seconds since 1970: calculated with, and compared. */
const Ts = z.string().regex(/^\d{1,16}(?:\.\d{1,9})?$/u);

/** What is used of a message event. Slack's own types name more; edits carry the message inside. */
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
  /** What an agent's person has open beside their direct message. */
  app_context: z.unknown().optional(),
  message: Message.optional(),
});
export type MessageEvent = z.infer<typeof MessageEvent>;

/** The message that an event is about: for an edit, its present state. */
export function messageOf(event: MessageEvent): Message {
  return event.subtype === 'message_changed' && event.message ? event.message : event;
}

/** Ours, in every shape that Slack delivers our own messages in. */
export function isOwn(message: Message, identity: { botUserId: string; botId: string }): boolean {
  return message.bot_id === identity.botId || message.user === identity.botUserId;
}

/** A reply in a thread, shown in the channel too or not. */
export function isReply(message: Message): boolean {
  return message.thread_ts !== undefined && message.thread_ts !== message.ts;
}

/** A reply that stands in a thread only, not also in the channel. */
export function isThreadReply(message: Message): boolean {
  return isReply(message) && message.subtype !== 'thread_broadcast';
}

/** What Slack calls a conversation by: of a channel, a private one of old, a direct message. */
export const CHANNEL_ID = /^[CDG][A-Z0-9]{1,20}$/u;
