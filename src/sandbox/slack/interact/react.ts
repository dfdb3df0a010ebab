import { setReaction } from '../messages/react.ts';
import type { PageOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, personIn } from './person.ts';
import { PersonError } from './person-error.ts';

/** An emoji that a person puts on a message, or takes back. */
export interface ReactionInput {
  as: string;
  channel: string;
  message_ts: string;
  /** With or without its colons. */
  name: string;
  on: boolean;
}

export function react(
  world: WorkspaceContext,
  { as, channel: id, message_ts, name, on }: ReactionInput,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(world, as, id);
    const message = world.store.messages.get(channel.id, message_ts);
    if (!message) throw new PersonError('That message is not there any more.');
    setReaction(world, channel, message, { user: user.id, name, on });
  });
}
