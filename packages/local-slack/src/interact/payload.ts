import { VERIFICATION_TOKEN } from '../deliver.ts';
import type { Channel, User } from '../entities.ts';
import { PersonError, SlackError } from '../errors.ts';
import type { PageOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** What every interaction says of the person, the organization and the app. */
export function whoAndWhere({ team, app }: WorkspaceContext, user: User): object {
  return {
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
    team: { id: team.id, domain: team.domain },
    api_app_id: app.id,
    token: VERIFICATION_TOKEN,
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** How an interaction names a conversation. */
export function channelOf({ id, name, is_im }: Channel): object {
  return { id, name: is_im ? 'directmessage' : name };
}

/** The moment of an interaction: seconds since the epoch, with six decimals. */
export function actionTs(context: WorkspaceContext): string {
  return (context.clock.now() / 1000).toFixed(6);
}

/**
 * Sends an interaction to the app.
 *
 * @returns what the app acknowledged it with.
 * @throws PersonError if the app takes no interactions or did not acknowledge it within 3 seconds.
 */
export async function sendInteraction(
  context: WorkspaceContext,
  payload: object,
): Promise<Record<string, unknown> | undefined> {
  if (!context.manifest.interactive) {
    throw new PersonError('This app is not configured to handle interactive responses.');
  }
  const ack = await context.send('interactive', payload);
  if (ack.ok) return ack.body;
  throw new PersonError(
    ack.reason === 'timeout'
      ? 'The app did not respond within 3 seconds (operation_timeout).'
      : 'The app could not be reached (dispatch_failed).',
  );
}

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
