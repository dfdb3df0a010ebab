import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { contentOf } from '../../alerts/message-content.ts';
import { SlackMessage } from '../../alerts/schema.ts';
import { plainText, toMarkdown, withoutMarkup } from '../../alerts/slack-text.ts';
import type { Alert } from '../../alerts/types.ts';
import type { ChannelMessage } from '../../filing/seen.ts';
import { seenOf } from '../features/alerts/seen-of.ts';
import type { ListenerDeps } from './deps.ts';
import { MessageEvent } from './event-schema.ts';

const MAX_TITLE = 500;

/** A message of a channel's history, or of a shortcut, as filing sees it; `null` for what is no message. */
export function seenInHistory(
  raw: Record<string, unknown>,
  channel: string,
  deps: Pick<ListenerDeps, 'permalink'>,
): ChannelMessage | null {
  const event = { ...raw, type: 'message', channel };
  const parsed = MessageEvent.safeParse(event);
  return parsed.success ? seenOf(parsed.data, event, deps) : null;
}

/** The same of a message that a person points at: what is read of no title in it has its own words for one. */
export function askedFor(
  raw: Record<string, unknown>,
  channel: string,
  deps: Pick<ListenerDeps, 'permalink'>,
): ChannelMessage | null {
  const seen = seenInHistory(raw, channel, deps);
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
