import type { Channel, Message } from '../entities.ts';
import { announceReaction } from '../events/announce.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { showAgain } from './post.ts';

interface ReactionChange {
  user: string;
  /** With or without its colons. */
  name: string;
  on: boolean;
}

/** `:eyes:` and `eyes` are one; anything that no emoji is called is refused. */
function emojiName(raw: string): string {
  const name = raw.replace(/^:|:$/g, '');
  if (!/^[a-z0-9_+'-]{1,100}(::skin-tone-[2-6])?$/.test(name)) throw new SlackError('invalid_name');
  return name;
}

/**
 * Puts an emoji on a message or takes it away, shows it, and tells the app.
 *
 * @throws SlackError `invalid_name`, `already_reacted`, `no_reaction`.
 */
export function setReaction(
  context: WorkspaceContext,
  channel: Channel,
  message: Message,
  change: ReactionChange,
): void {
  const { user, on } = change;
  const reaction = emojiName(change.name);
  const { reactions } = context.store;
  const isNew = on
    ? reactions.add(channel.id, message.ts, reaction, user)
    : reactions.remove(channel.id, message.ts, reaction, user);
  if (!isNew) throw new SlackError(on ? 'already_reacted' : 'no_reaction');
  showAgain(context, channel.id, message);
  announceReaction(context, channel, message, {
    type: on ? 'reaction_added' : 'reaction_removed',
    user,
    reaction,
  });
}
