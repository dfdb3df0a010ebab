import { IssuePage } from '../answers.ts';
import { RejectedError, UnreadableAnswerError } from './errors.ts';
import type { Http } from './http.ts';

/**
 * Asks for what the contract does not have: only a service that says it is ours is asked, and of another, or of an older
 * one of ours, the answer is `none`. What it is, any call of the contract tells.
 */
export async function beyondContract<T>(
  http: Http,
  { ask, none, signal }: { ask: () => Promise<T>; none: T; signal: AbortSignal | undefined },
): Promise<T> {
  if (http.isOurs() === null) {
    const query = [['limit', 1]] as const;
    await http.json({ operation: 'issues.page', path: '/issues', query, signal }, IssuePage);
  }
  if (http.isOurs() !== true) return none;
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RejectedError || error instanceof UnreadableAnswerError) return none;
    throw error;
  }
}
