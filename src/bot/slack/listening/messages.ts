import { z } from 'zod';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { contentOf, isPersonsMessage, SlackMessage, senderOf } from '../../alerts/message.ts';
import { parseAlert, statusNote } from '../../alerts/parse.ts';
import { observed } from '../../alerts/senders/history.ts';
import { plainText, toMarkdown, withoutMarkup } from '../../alerts/slack-text.ts';
import type { Alert } from '../../alerts/types.ts';
import type { LookingAt } from '../../asking/question.ts';
import type { Deps } from '../../deps.ts';
import type { Occurrence } from '../../filing/occurrence.ts';

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
type Message = z.infer<typeof Message>;

export const MessageEvent = z.looseObject({
  channel: z.string(),
  channel_type: z.string().optional(),
  ...Message.shape,
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

export function isThreadReply(message: Message): boolean {
  return isReply(message) && message.subtype !== 'thread_broadcast';
}

/** The id of a channel, a legacy private channel or a direct message. */
export const CHANNEL_ID = /^[CDG][A-Z0-9]{1,20}$/u;

const MAX_TITLE = 500;

/** A message from a channel's history or a shortcut, as filing sees it; `null` if it is not a message. */
export function historyMessage(raw: Record<string, unknown>, channel: string, deps: Deps): Occurrence | null {
  const event = { ...raw, type: 'message', channel };
  const parsed = MessageEvent.safeParse(event);
  return parsed.success ? channelMessage(parsed.data, event, deps) : null;
}

/** The same for a message that a person picked: without a parsed title, its own words serve as one. */
export function requestedMessage(
  raw: Record<string, unknown>,
  channel: string,
  deps: Deps,
): Occurrence | null {
  const seen = historyMessage(raw, channel, deps);
  return seen === null ? null : { ...seen, alert: withWords(seen.alert, raw) };
}

function withWords(alert: Alert, raw: unknown): Alert {
  if (alert.title !== null && alert.description !== null) return alert;
  const parsed = SlackMessage.safeParse(raw);
  const body = parsed.success ? contentOf(parsed.data).body : '';
  const [first] = body
    .split('\n')
    .map((line) => oneLine(withoutMarkup(plainText(line))))
    .filter((line) => line !== '');
  return {
    ...alert,
    title: alert.title ?? (first === undefined ? null : cutAtWord(first, MAX_TITLE)),
    description: alert.description ?? (toMarkdown(body).trim() || null),
  };
}

/** A message event as filing sees it; `raw` is the event as Slack sent it. */
export function channelMessage(event: MessageEvent, raw: unknown, { permalink }: Deps): Occurrence {
  const message = messageOf(event);
  const { ts } = message;
  const alert = parseAlert(raw);
  const shown = observed(raw, alert);
  return {
    channel: event.channel,
    ts,
    threadTs: isReply(message) ? (message.thread_ts ?? null) : null,
    permalink: permalink(event.channel, ts),
    alert,
    sender: senderOf(raw),
    byPerson: isPersonsMessage(message),
    edited: event.subtype === 'message_changed',
    note: alert.kind === 'not_an_alert' ? statusNote(raw) : null,
    ...(shown === null ? {} : { observed: shown }),
  };
}

/** Not a direct message: that is where people ask. */
const CHANNEL = /^[CG][A-Z0-9]{1,20}$/u;
const Channel = z.looseObject({
  type: z.literal('slack#/types/channel_id'),
  value: z.string().regex(CHANNEL),
});
const OpenMessage = z.looseObject({
  type: z.literal('slack#/types/message_context'),
  value: z.looseObject({
    channel_id: z.string().regex(CHANNEL),
    message_ts: z.string().regex(/^\d{1,16}\.\d{1,9}$/u),
  }),
});
const Context = z.looseObject({ entities: z.array(z.unknown()) });

/**
 * What somebody has open in Slack, from the context of an event: the most relevant message or channel; `null` if there is
 * none. Only a hint: whether they may see it has not been checked.
 */
export function lookingAt(context: unknown): LookingAt | null {
  const entities = Context.safeParse(context).data?.entities ?? [];
  const found = entities.flatMap((entity): LookingAt[] => {
    const message = OpenMessage.safeParse(entity).data?.value;
    if (message !== undefined) return [{ channel: message.channel_id, messageTs: message.message_ts }];
    const channel = Channel.safeParse(entity).data?.value;
    return channel === undefined ? [] : [{ channel, messageTs: null }];
  });
  const [first] = found;
  if (first === undefined) return null;
  // A message is more specific than its channel.
  return found.find(({ channel, messageTs }) => channel === first.channel && messageTs !== null) ?? first;
}
