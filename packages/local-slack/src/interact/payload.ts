import { VERIFICATION_TOKEN } from '../deliver/transport.ts';
import type { Channel, User } from '../entities.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { PersonError } from './person-error.ts';

/** What every interaction says of the person, the organisation and the app. */
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
