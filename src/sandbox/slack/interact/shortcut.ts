import type { Channel, Message, User } from '../entities.ts';
import { present } from '../messages/present.ts';
import type { PageOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { actionTs, channelOf, sendInteraction, whoAndWhere } from './payload.ts';
import { outcomeOf, personIn, personOf } from './person.ts';
import { PersonError } from './person-error.ts';
import { makeResponseUrl } from './response-url.ts';

/** A shortcut that a person picks: of a message's menu, or, without `channel` and `message_ts`, a global one. */
export interface ShortcutInput {
  as: string;
  callback_id: string;
  channel?: string | undefined;
  message_ts?: string | undefined;
}

function messageFor(world: WorkspaceContext, channel: Channel, ts: string): Message {
  const message = world.store.messages.get(channel.id, ts);
  if (message) return message;
  const ephemeral = world.store.messages.ephemeral(channel.id, ts);
  throw new PersonError(
    ephemeral ? 'A message that only you can see has no shortcuts.' : 'That message is not there any more.',
  );
}

function shared(world: WorkspaceContext, user: User, callback_id: string): object {
  return {
    ...whoAndWhere(world, user),
    callback_id,
    trigger_id: world.triggers.issue(user.id),
    action_ts: actionTs(world),
  };
}

function ofMessage(world: WorkspaceContext, input: ShortcutInput): object {
  const { as, callback_id, channel: channelId = '', message_ts = '' } = input;
  const { user, channel } = personIn(world, as, channelId);
  const message = messageFor(world, channel, message_ts);
  return {
    type: 'message_action',
    ...shared(world, user, callback_id),
    channel: channelOf(channel),
    message_ts: message.ts,
    message: present(world, channel.id, message),
    response_url: makeResponseUrl(world, channel.id, user.id, null),
  };
}

/**
 * Sends a `message_action` or a `shortcut` payload to the app. The app need not be in the channel: Slack
 * hands it the message all the same.
 */
export function runShortcut(world: WorkspaceContext, input: ShortcutInput): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const type = input.message_ts === undefined ? 'global' : 'message';
    const known = world.manifest.shortcuts.some(
      (shortcut) => shortcut.callback_id === input.callback_id && shortcut.type === type,
    );
    if (!known)
      throw new PersonError(`No app of this workspace has the ${type} shortcut ${input.callback_id}.`);
    const payload =
      type === 'message'
        ? ofMessage(world, input)
        : { type: 'shortcut', ...shared(world, personOf(world, input.as), input.callback_id) };
    await sendInteraction(world, payload);
  });
}
