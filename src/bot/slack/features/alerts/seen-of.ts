import { parseAlert } from '../../../alerts/parse.ts';
import { isPersonsMessage, senderOf } from '../../../alerts/sender.ts';
import { statusNote } from '../../../alerts/status-note.ts';
import type { ChannelMessage } from '../../../filing/seen.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { isReply, type MessageEvent, messageOf } from '../../listening/event-schema.ts';

/** A message event as filing sees it; `raw` is the event as Slack sent it. */
export function seenOf(
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
