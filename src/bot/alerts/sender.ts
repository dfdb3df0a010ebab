import { oneLine } from '../../lib/text.ts';
import { Author } from './schema.ts';

/** Subtypes of messages that people and tools write; all others are Slack's own notices. */
const WRITTEN = new Set(['', 'bot_message', 'thread_broadcast', 'file_share', 'me_message']);

/** The author of Slack's own notices: `USLACK` since June 2026, `USLACKBOT` before. */
const SLACK_ITSELF = new Set(['USLACK', 'USLACKBOT']);

/** Whether a person or a tool wrote the message; joins, topic changes, reminders and the like are Slack's notices. */
export function isAuthored(message: Author): boolean {
  return WRITTEN.has(message.subtype) && !isFromSlack(message);
}

/** Whether a person wrote it, rather than an app, a webhook or Slack itself. */
export function isPerson(message: Author): boolean {
  const tool = message.bot_id || message.app_id || message.bot_profile || message.username;
  const isTool = tool || message.subtype === 'bot_message';
  return !isTool && /^[UW]/u.test(message.user) && !isFromSlack(message);
}

/** What an app posts bears that app's id, whichever user Slack names beside it. */
function isFromSlack({ user, bot_id }: Author): boolean {
  return SLACK_ITSELF.has(user) && !bot_id;
}

/**
 * Whether a Slack message event is a person's own message. Such a report parses as `firing`, but a channel only
 * offers to file it, unless it includes people (DESIGN section 4).
 */
export function isPersonsMessage(event: unknown): boolean {
  const parsed = Author.safeParse(event);
  return parsed.success && isAuthored(parsed.data) && isPerson(parsed.data);
}

/**
 * The name shown above a tool's message: the webhook's, or else the app's. `null` for a person's message, and if the
 * message has no name.
 */
export function senderOf(event: unknown): string | null {
  const outer = Author.safeParse(event).data;
  const inner = outer?.subtype === 'message_changed' ? Author.safeParse(outer.message).data : outer;
  if (inner === undefined || isPerson(inner)) return null;
  return oneLine(inner.username) || oneLine(inner.bot_profile?.name ?? '') || null;
}
