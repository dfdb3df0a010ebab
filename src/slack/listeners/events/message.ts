import { isPersonsMessage } from '../../../alerts/sender.ts';
import type { Register } from '../deps.ts';
import { considerAlert } from './consider-alert.ts';
import { continueConversation } from './continue-conversation.ts';
import { isOwn, isReply, isThreadReply, MessageEvent, messageOf } from './schema.ts';

/** Every message in the channels that the bot is in: alerts are filed, replies go on with their conversation. */
export const message: Register = (app, deps) => {
  app.event('message', async ({ event: raw }) => {
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
    if (deps.watched.has(event.channel) && !(persons && isThreadReply(subject))) {
      await considerAlert(event, raw, { edited, persons }, deps);
    }
  });
};
