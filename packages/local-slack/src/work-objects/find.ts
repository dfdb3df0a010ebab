import type { Channel, Message, User } from '../entities.ts';
import { personIn } from '../interact/payload.ts';
import { PersonError } from '../interact/person-error.ts';
import type { EntityRequest } from '../page-requests.ts';
import type { Entity } from '../validate/entity.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** A Work Object on one of the app's messages, and the person using it. */
interface Found {
  user: User;
  channel: Channel;
  message: Message;
  entity: Entity;
}

/** @throws PersonError if the person cannot see that message, or it has no such Work Object. */
export function findEntity(
  context: WorkspaceContext,
  { as, channel: id, message_ts, ref }: EntityRequest,
): Found {
  const { user, channel } = personIn(context, as, id);
  const message = context.store.messages.get(channel.id, message_ts);
  if (!message) throw new PersonError('That message no longer exists.');
  const entity = message.metadata?.entities?.find(({ external_ref }) => external_ref.id === ref);
  if (!entity || message.bot_id !== context.app.bot_id) {
    throw new PersonError('That Work Object is no longer on the message.');
  }
  return { user, channel, message, entity };
}
