import { classifySlackError } from '../errors.ts';
import type { BackfillDeps } from './deps.ts';

/**
 * Reads one thread, or one person's direct messages: what Slack does not let us read holds up no other.
 *
 * @returns how many messages could not be taken
 * @throws a passing failure of Slack's.
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
    listeners.log.warn(
      { ...where, reason: failure.error },
      'what was missed could not be read in a place where people talk with us',
    );
    return 0;
  }
}
