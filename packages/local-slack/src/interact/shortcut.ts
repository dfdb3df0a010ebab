import type { Channel, Message, User } from '../entities.ts';
import { present } from '../messages/present.ts';
import type { PageOutcome } from '../page-api.ts';
import type { ShortcutRequest } from '../page-requests.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { actionTs, channelOf, sendInteraction, whoAndWhere } from './payload.ts';
import { outcomeOf, personIn, personOf } from './person.ts';
import { PersonError } from './person-error.ts';
import { makeResponseUrl } from './response-url.ts';

function messageFor(context: WorkspaceContext, channel: Channel, ts: string): Message {
  const message = context.store.messages.get(channel.id, ts);
  if (message) return message;
  const ephemeral = context.store.messages.ephemeral(channel.id, ts);
  throw new PersonError(
    ephemeral ? 'A message that only you can see has no shortcuts.' : 'That message no longer exists.',
  );
}

function shared(context: WorkspaceContext, user: User, callback_id: string): object {
  return {
    ...whoAndWhere(context, user),
    callback_id,
    trigger_id: context.triggers.issue(user.id),
    action_ts: actionTs(context),
  };
}

function ofMessage(context: WorkspaceContext, input: ShortcutRequest): object {
  const { as, callback_id, channel: channelId = '', message_ts = '' } = input;
  const { user, channel } = personIn(context, as, channelId);
  const message = messageFor(context, channel, message_ts);
  return {
    type: 'message_action',
    ...shared(context, user, callback_id),
    channel: channelOf(channel),
    message_ts: message.ts,
    message: present(context, channel.id, message),
    response_url: makeResponseUrl(context, channel.id, user.id, null),
  };
}

/**
 * Sends a `message_action` or a `shortcut` payload to the app. The app need not be in the channel: Slack
 * hands it the message all the same.
 */
export function runShortcut(context: WorkspaceContext, input: ShortcutRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const type = input.message_ts === undefined ? 'global' : 'message';
    const known = context.manifest.shortcuts.some(
      (shortcut) => shortcut.callback_id === input.callback_id && shortcut.type === type,
    );
    if (!known)
      throw new PersonError(`No app in this workspace has the ${type} shortcut ${input.callback_id}.`);
    const payload =
      type === 'message'
        ? ofMessage(context, input)
        : { type: 'shortcut', ...shared(context, personOf(context, input.as), input.callback_id) };
    await sendInteraction(context, payload);
  });
}
