import type { Channel, User } from '../entities.ts';
import type { PageOutcome } from '../page-api.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { PersonError } from './person-error.ts';

/** @throws PersonError if there is no such person. */
export function personOf(context: WorkspaceContext, as: string): User {
  const user = context.store.users.get(as);
  if (!user || user.is_bot) throw new PersonError('This workspace has no such person.');
  return user;
}

/** @throws PersonError if there is no such person or channel, or the person is not in it. */
export function personIn(
  context: WorkspaceContext,
  as: string,
  channelId: string,
): { user: User; channel: Channel } {
  const user = personOf(context, as);
  const channel = context.store.channels.get(channelId);
  if (!channel) throw new PersonError('This workspace has no such channel.');
  if (!context.store.channels.isMember(channel.id, user.id)) {
    throw new PersonError(`${user.real_name} is not a member of this conversation.`);
  }
  if (channel.is_archived) throw new PersonError('This channel is archived.');
  return { user, channel };
}

/** Turns a refusal into a sentence; rethrows anything else. */
export function refused(cause: unknown): { ok: false; error: string } {
  if (cause instanceof PersonError) return { ok: false, error: cause.message };
  if (cause instanceof SlackError) return { ok: false, error: `Slack refused it: ${describe(cause)}.` };
  throw cause;
}

/** Runs a person's action; an error becomes a sentence. */
export async function outcomeOf(act: () => void | Promise<void>): Promise<PageOutcome> {
  try {
    await act();
    return { ok: true };
  } catch (cause) {
    return refused(cause);
  }
}

/** A refusal with its details, e.g. `invalid_blocks (must be less than 3001 characters […])`. */
export function describe({ code, extra }: SlackError): string {
  return Array.isArray(extra.errors) ? `${code} (${extra.errors.join('; ')})` : code;
}
