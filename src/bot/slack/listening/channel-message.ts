import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { contentOf, isPersonsMessage, SlackMessage, senderOf } from '../../alerts/message.ts';
import { parseAlert, statusNote } from '../../alerts/parse.ts';
import { plainText, toMarkdown, withoutMarkup } from '../../alerts/slack-text.ts';
import type { Alert } from '../../alerts/types.ts';
import type { ChannelMessage } from '../../filing/channel-message.ts';
import type { ListenerDeps } from './deps.ts';
import { isReply, MessageEvent, messageOf } from './event-schema.ts';

const MAX_TITLE = 500;

/** A message from a channel's history or a shortcut, as filing sees it; `null` if it is not a message. */
export function historyMessage(
  raw: Record<string, unknown>,
  channel: string,
  deps: Pick<ListenerDeps, 'permalink'>,
): ChannelMessage | null {
  const event = { ...raw, type: 'message', channel };
  const parsed = MessageEvent.safeParse(event);
  return parsed.success ? channelMessage(parsed.data, event, deps) : null;
}

/** The same for a message that a person picked: without a parsed title, its own words serve as one. */
export function requestedMessage(
  raw: Record<string, unknown>,
  channel: string,
  deps: Pick<ListenerDeps, 'permalink'>,
): ChannelMessage | null {
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
export function channelMessage(
  event: MessageEvent,
  raw: unknown,
  { permalink }: Pick<ListenerDeps, 'permalink'>,
): ChannelMessage {
  const message = messageOf(event);
  const { ts } = message;
  const alert = parseAlert(raw);
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
  };
}
