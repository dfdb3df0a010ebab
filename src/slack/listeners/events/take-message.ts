import { isPersonsMessage } from '../../../alerts/sender.ts';
import type { ListenerDeps } from '../deps.ts';
import { considerAlert } from './consider-alert.ts';
import { continueConversation } from './continue-conversation.ts';
import { isOwn, isReply, isThreadReply, MessageEvent, messageOf } from './schema.ts';

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
  if (event.subtype === 'message_deleted' || isOwn(subject, deps.identity)) return;
  const edited = event.subtype === 'message_changed';
  const persons = isPersonsMessage(subject);
  if (persons && !edited && (event.channel_type === 'im' || isReply(subject))) {
    await continueConversation(event, deps);
  }
  const { watched, isPrivate } = await deps.store.channels.get(event.channel);
  if (!watched) return;
  if (event.channel_type !== undefined && isPrivate !== (event.channel_type !== 'channel')) {
    await deps.store.channels.learn(event.channel, !isPrivate);
  }
  if (persons && isThreadReply(subject)) return;
  await considerAlert(event, raw, deps);
}
