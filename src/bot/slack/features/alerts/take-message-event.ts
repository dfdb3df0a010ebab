import { z } from 'zod';
import { isPersonsMessage } from '../../../alerts/message.ts';
import type { ChannelMessage } from '../../../filing/channel-message.ts';
import { considerMessage } from '../../../filing/decide.ts';
import { offerFiling } from '../../../render/alerts/suggestion.ts';
import type { Channel } from '../../../store/channels.ts';
import type { Identity } from '../../app.ts';
import { channelMessage } from '../../listening/channel-message.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { isOwn, isReply, isThreadReply, MessageEvent, messageOf } from '../../listening/event-schema.ts';
import { continueConversation } from '../asking/continue-conversation.ts';

const MessageDelivery = z.object({
  type: z.literal('event_callback'),
  event: MessageEvent.extend({ type: z.literal('message') }),
});

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
  const { channel } = event;
  const follows = whatFollows(event, await deps.store.channels.get(channel), deps.identity);
  if (follows.learns !== null) await deps.store.channels.learn(channel, follows.learns.isPrivate);
  if (follows.mayContinue) await continueConversation(event, deps);
  if (follows.mayBeAlert) await considerAlert(event, raw, deps);
}

/**
 * Whether anything can follow from a delivery. What people say to each other in channels that are not watched is never
 * stored: nothing would be done with it.
 */
export async function canMatter(
  body: Record<string, unknown>,
  { store, identity }: Pick<ListenerDeps, 'store' | 'identity'>,
): Promise<boolean> {
  const delivered = MessageDelivery.safeParse(body);
  if (!delivered.success) return true;
  const { event } = delivered.data;
  const channel = await store.channels.get(event.channel);
  if (channel.watched) return true;
  const { learns, mayContinue } = whatFollows(event, channel, identity);
  return learns !== null || mayContinue;
}

/** What a message may lead to in its channel. */
function whatFollows(
  event: MessageEvent,
  { watched, isPrivate }: Pick<Channel, 'watched' | 'isPrivate'>,
  identity: Identity,
): { learns: Pick<Channel, 'isPrivate'> | null; mayContinue: boolean; mayBeAlert: boolean } {
  const { channel_type, subtype } = event;
  // Our own messages tell this too: an issue may live in a channel that is not watched.
  const isNews = channel_type !== undefined && isPrivate !== (channel_type !== 'channel');
  const learns = isNews ? { isPrivate: !isPrivate } : null;
  const subject = messageOf(event);
  if (subtype === 'message_deleted' || isOwn(subject, identity)) {
    return { learns, mayContinue: false, mayBeAlert: false };
  }
  // Checked last: it is the most expensive check, and most messages are posted where nothing is watched.
  const isPersons = () => isPersonsMessage(subject);
  return {
    learns,
    mayContinue: subtype !== 'message_changed' && (channel_type === 'im' || isReply(subject)) && isPersons(),
    mayBeAlert: watched && !(isThreadReply(subject) && isPersons()),
  };
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
