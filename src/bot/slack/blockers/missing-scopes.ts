import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import { classifySlackError, passingFailure } from '../errors.ts';
import { botScopes } from '../ids.ts';

const Refused = z.looseObject({
  error: z.literal('missing_scope'),
  needed: z.string().default(''),
  provided: z.string().default(''),
});

/** A scope that Slack names, but the manifest does not. */
const UNNAMED = 'unknown';

/**
 * The scopes of the manifest that a call lacked, according to Slack. Slack lists every scope that would do; granted
 * ones, and ones we never request, are not what is missing.
 *
 * @returns none if the call failed for another reason
 */
export function lackingScopes(error: unknown): readonly string[] {
  if (!(error instanceof WebAPIPlatformError)) return [];
  const refused = Refused.safeParse(error.data);
  if (!refused.success) return [];
  const provided = namesIn(refused.data.provided);
  const needed = namesIn(refused.data.needed);
  const lacking = botScopes().filter((scope) => needed.includes(scope) && !provided.includes(scope));
  return lacking.length > 0 ? lacking : [needed[0] ?? UNNAMED];
}

function namesIn(list: string): string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}

/** Somebody has to reinstall the app, or to replace the token. */
const WITHOUT_RIGHTS_MS = 60_000;

/**
 * How long a failure waits until its cause may be gone, in milliseconds; `null` if it is the delivery's own.
 * What waits this way is never given up.
 */
export function waitForRepair(error: unknown): number | null {
  const waits = [...causesOf(error)].map((cause) => {
    if (classifySlackError(cause).kind === 'token_refused') return WITHOUT_RIGHTS_MS;
    const passing = passingFailure(cause);
    if (passing !== null) return passing.retryAfterMs;
    return lackingScopes(cause).length > 0 ? WITHOUT_RIGHTS_MS : null;
  });
  return waits.find((wait) => wait !== null) ?? null;
}

const DEEPEST = 6;

/** Whether something failed only because Slack, or the way to it, does not work at the moment. */
export function isPassing(error: unknown): boolean {
  return [...causesOf(error)].some((cause) => passingFailure(cause) !== null);
}

/** The error, and the causes that Bolt and we have wrapped. */
export function* causesOf(error: unknown, depth = 0): Generator<unknown> {
  if (depth > DEEPEST || error === undefined || error === null) return;
  yield error;
  if (!(error instanceof Error)) return;
  yield* causesOf(error.cause, depth + 1);
  if ('original' in error) yield* causesOf(error.original, depth + 1);
  if ('originals' in error && Array.isArray(error.originals)) {
    for (const one of error.originals) yield* causesOf(one, depth + 1);
  }
}
