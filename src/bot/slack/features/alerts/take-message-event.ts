import { isPersonsMessage } from '../../../alerts/sender.ts';
import type { ChannelMessage } from '../../../filing/channel-message.ts';
import { considerMessage } from '../../../filing/consider.ts';
import { offerFiling } from '../../../render/alerts/suggestion.ts';
import { channelMessage } from '../../listening/channel-message.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { isOwn, isReply, isThreadReply, MessageEvent, messageOf } from '../../listening/event-schema.ts';
import { continueConversation } from '../asking/continue-conversation.ts';

/** Every message in the channels that the bot is in. */
export const message: Register = (app, deps) => {
  app.event('message', async ({ event }) => takeMessage(event, deps));
};

/**
 * Handles a message, live or from the history: files an alert, or continues the conversation of a reply. Handling the
 * same message twice changes nothing.
 *
 * @param raw the `message` event as Slack sends it
 */
export async function takeMessage(raw: unknown, deps: ListenerDeps): Promise<void> {
  const parsed = MessageEvent.safeParse(raw);
  if (!parsed.success) {
    deps.log.warn({ issues: parsed.error.issues.length }, 'skipped a message event that cannot be read');
    return;
  }
  const event = parsed.data;
  const subject = messageOf(event);
  // Our own messages count here too: an issue may live in a channel that is not watched.
  const watched = await learnChannel(event, deps);
  if (event.subtype === 'message_deleted' || isOwn(subject, deps.identity)) return;
  const edited = event.subtype === 'message_changed';
  const persons = isPersonsMessage(subject);
  if (persons && !edited && (event.channel_type === 'im' || isReply(subject))) {
    await continueConversation(event, deps);
  }
  if (!watched) return;
  if (persons && isThreadReply(subject)) return;
  await considerAlert(event, raw, deps);
}

/** Records whether the channel is private, and returns whether it is watched. */
async function learnChannel(
  { channel, channel_type }: MessageEvent,
  { store }: ListenerDeps,
): Promise<boolean> {
  const { watched, isPrivate } = await store.channels.get(channel);
  if (channel_type !== undefined && isPrivate !== (channel_type !== 'channel')) {
    await store.channels.learn(channel, !isPrivate);
  }
  return watched;
}

/** Parses a message in a watched channel and decides what to do with it. */
async function considerAlert(event: MessageEvent, raw: unknown, deps: ListenerDeps): Promise<void> {
  const read = channelMessage(event, raw, deps);
  const author = messageOf(event).user;
  const reports = read.byPerson && read.alert.kind === 'firing' && author !== undefined;
  const byStranger = reports && (await deps.people.refusal(author)) !== null;
  const seen = byStranger ? { ...read, byStranger } : read;
  const { channel, ts, alert } = seen;
  const decided = await considerMessage(seen, deps);
  const { decision, reason, issueId } = decided;
  deps.metrics.count('gumshoe_alerts_total', { decision, format: alert.format });
  deps.log.info({ channel, ts, decision, reason, issue: issueId }, 'decided on a message');
  if (decided.offerToAuthor === true && author !== undefined && seen.threadTs === null && !seen.edited) {
    await offerToFile(seen, author, deps);
  }
}

/** Offers *File it* under a person's report, visible to its author only. Best effort, like any ephemeral message. */
async function offerToFile(
  { channel, ts }: Pick<ChannelMessage, 'channel' | 'ts'>,
  author: string,
  { client, people, log }: Pick<ListenerDeps, 'client' | 'people' | 'log'>,
): Promise<void> {
  try {
    if ((await people.refusal(author)) !== null) return;
    const { text, blocks } = offerFiling({ channel, ts });
    await client.chat.postEphemeral({ channel, user: author, text, blocks });
  } catch (error) {
    log.warn({ err: error, channel, ts }, 'could not offer somebody to file their message');
  }
}
