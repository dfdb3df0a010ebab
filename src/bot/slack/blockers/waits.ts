import { classifySlackError } from '../errors.ts';
import { lackingScopes } from './scopes.ts';

/** The process ends, and the next one has another token. */
const WITHOUT_TOKEN_MS = 60_000;
/** Somebody has to install the app again. */
const WITHOUT_SCOPE_MS = 15 * 60_000;

/**
 * How long a failure waits for somebody to mend what it comes from, in milliseconds; `null` where it is a failure of
 * its own. What waits so is not given up.
 */
export function waitForRepair(error: unknown): number | null {
  const waits = [...causesOf(error)].map((cause) => {
    if (classifySlackError(cause).kind === 'token_refused') return WITHOUT_TOKEN_MS;
    return lackingScopes(cause).length > 0 ? WITHOUT_SCOPE_MS : null;
  });
  return waits.find((wait) => wait !== null) ?? null;
}

const DEEPEST = 6;

/** The error, and what Bolt and we have wrapped into it. */
function* causesOf(error: unknown, depth = 0): Generator<unknown> {
  if (depth > DEEPEST || error === undefined || error === null) return;
  yield error;
  if (!(error instanceof Error)) return;
  yield* causesOf(error.cause, depth + 1);
  if ('original' in error) yield* causesOf(error.original, depth + 1);
  if ('originals' in error && Array.isArray(error.originals)) {
    for (const one of error.originals) yield* causesOf(one, depth + 1);
  }
}
