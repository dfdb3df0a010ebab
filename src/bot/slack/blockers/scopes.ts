import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import { botScopes } from '../ids.ts';

const Refused = z.looseObject({
  error: z.literal('missing_scope'),
  needed: z.string().default(''),
  provided: z.string().default(''),
});

/** A scope that Slack names although it is none of ours. */
const UNNAMED = 'unknown';

/**
 * The scopes of the manifest that Slack says a call lacked. Slack lists all that would do; those that are granted, or
 * that we never asked for, are not what is missing.
 *
 * @returns none where the call failed for another reason
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
