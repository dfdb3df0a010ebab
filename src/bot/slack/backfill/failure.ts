import type { WebClient } from '@slack/web-api';
import { checkAlertChannels } from '../checks/alert-channels.ts';
import { slackFailure } from '../checks/result.ts';
import { classifySlackError } from '../errors.ts';
import type { BackfillDeps } from './deps.ts';

/** Some messages could not be taken; the gap stays open. */
export class NotAllTakenError extends Error {
  override name = 'NotAllTakenError';
}

/** Nothing can be posted in an archived channel; the gap stays open. */
export class ArchivedError extends Error {
  override name = 'ArchivedError';
}

/** The outcome as a metric label. */
export function outcomeOf(error: unknown): string {
  if (error instanceof NotAllTakenError) return 'not_all_taken';
  if (error instanceof ArchivedError) return 'is_archived';
  const failure = classifySlackError(error);
  return failure.kind === 'refused' ? failure.error : failure.kind;
}

/** Whether it may succeed soon without anybody's help. */
export function passes(error: unknown): boolean {
  if (error instanceof ArchivedError) return false;
  const { kind } = classifySlackError(error);
  return kind !== 'refused' && kind !== 'token_refused';
}

/** Why a channel could not be read, and what to do, in the words of the doctor. */
export async function inWords(
  error: unknown,
  channel: string,
  client: WebClient,
): Promise<{ detail: string; fix: string | null }> {
  if (error instanceof NotAllTakenError) {
    return { detail: error.message, fix: 'see the errors above; retrying' };
  }
  const [check] = await checkAlertChannels(client, [channel]);
  return check?.ok === false ? check : slackFailure(`channel ${channel}`, error, 'SLACK_BOT_TOKEN');
}

/**
 * Reads one thread, or one person's direct messages; what Slack does not let us read does not hold up the rest.
 *
 * @returns how many messages could not be taken
 * @throws a transient failure of Slack's.
 */
export async function unlessRefused(
  where: { channel: string; thread?: string },
  read: () => Promise<number>,
  { listeners }: Pick<BackfillDeps, 'listeners'>,
): Promise<number> {
  try {
    return await read();
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused') throw error;
    listeners.log.warn({ ...where, reason: failure.error }, 'could not backfill a conversation');
    return 0;
  }
}
