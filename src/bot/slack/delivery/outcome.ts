import { classifySlackError } from '../errors.ts';
import { TooEarly } from './calls.ts';

/** Only a post of unknown outcome keeps its mark, for which the thread is searched before the next one. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof TooEarly) && classifySlackError(error).kind === 'ambiguous';
}
