import { isPersonsMessage } from '../../../alerts/sender.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { isOwn, isReply, isThreadReply, MessageEvent, messageOf } from '../../listening/event-schema.ts';
import { continueConversation } from '../asking/continue-conversation.ts';
import { considerAlert } from './consider-alert.ts';

/**
 * A message, live or from the history: an alert is filed, a reply goes on with its conversation. The same message
 * again changes nothing.
 *
 * @param raw the `message` event as Slack sends it
 */
export async function takeMessage(raw: unknown, deps: ListenerDeps): Promise<void> {
  const parsed = MessageEvent.safeParse(raw);
  if (!parsed.success) {
    deps.log.warn(
      { issues: parsed.error.issues.length },
      'a message event could not be read and was left out',
    );
    return;
  }
  const event = parsed.data;
  const subject = messageOf(event);
  // Our own messages tell it too: an issue may live in a channel that nobody watches.
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

/** Keeps whether the channel is private, and answers whether it is watched. */
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

/** Every message in the channels that the bot is in. */
export const message: Register = (app, deps) => {
  app.event('message', async ({ event }) => takeMessage(event, deps));
};
