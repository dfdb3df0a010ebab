import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';
import { botScopes } from './ids.ts';

/** What a failed Web API call means for whoever made it. */
export type SlackFailure =
  /** Slack said no, by name: repeating it changes nothing. */
  | { kind: 'refused'; error: string }
  /** Slack does not take the token, whatever is called: nothing happened, and another token may do it. */
  | { kind: 'token_refused'; error: string }
  /** 429: nothing happened; again after so many seconds. */
  | { kind: 'rate_limited'; retryAfterMs: number }
  /** No answer, or not a readable one: it may have happened. */
  | { kind: 'ambiguous'; error: string }
  /** Slack could not be reached at all: nothing happened. */
  | { kind: 'unreachable'; error: string };

/** A delivery came too early: nothing is wrong, and it can be handled soon. */
export class NotYetError extends Error {
  override name = 'NotYetError';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Errors after which no call of this token will ever work: the process ends and says so. */
const TERMINAL = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'app_uninstalled',
  'user_removed_from_team',
  'team_disabled',
]);

/** For one method it means nothing about the others; from `auth.test` it means the wrong kind of token. */
const WRONG_KIND = 'not_allowed_token_type';

const UNSTATED_RETRY_MS = 5_000;

/** Errors that Slack names although they pass. */
const PASSING = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
]);

/** The client takes an answer that is no JSON, such as a gateway's page, for the name of an error. */
const ERROR_NAME = /^\w[\w.:-]{0,99}$/u;

/** Without its longest words: a secret cut in the middle would no longer be recognized. */
function beginningOf(text: string): string {
  return text.replace(/[^\s<>"',;()[\]{}]{16,}/gu, '…').slice(0, 100);
}

/** Slack's error codes for blocks that it rejects; the message is sent in a simpler form. */
const BLOCK_ERRORS = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
]);

/** Whether Slack rejected a message's blocks: nothing was posted, and a simpler form may be taken. */
export function refusesBlocks(failure: SlackFailure): failure is Extract<SlackFailure, { kind: 'refused' }> {
  return failure.kind === 'refused' && BLOCK_ERRORS.has(failure.error);
}

export function classifySlackError(error: unknown): SlackFailure {
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'rate_limited', retryAfterMs: Math.max(1, error.retryAfter) * 1000 };
  }
  if (error instanceof WebAPIPlatformError) {
    const name = String(error.data.error);
    if (!ERROR_NAME.test(name)) return { kind: 'ambiguous', error: `no JSON: ${beginningOf(name)}` };
    if (PASSING.has(name)) return { kind: 'ambiguous', error: name };
    return { kind: TERMINAL.has(name) ? 'token_refused' : 'refused', error: name };
  }
  if (error instanceof WebAPIHTTPError) return { kind: 'ambiguous', error: `HTTP ${error.statusCode}` };
  if (error instanceof WebAPIRequestError) {
    const text = causes(error);
    const never = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/u.test(text);
    return { kind: never ? 'unreachable' : 'ambiguous', error: text.slice(0, 200) };
  }
  const text = error instanceof Error ? error.message : String(error);
  // A 429 whose Retry-After cannot be read is no error class of its own in the client.
  if (text.startsWith('Retry header did not contain')) {
    return { kind: 'rate_limited', retryAfterMs: UNSTATED_RETRY_MS };
  }
  return { kind: 'ambiguous', error: text };
}

/** The sentence for the operator when this token is finished, or `null` when trying again makes sense. */
export function terminalSlackError(error: unknown, variable: string): string | null {
  const failure = classifySlackError(error);
  const isWrongKind = failure.kind === 'refused' && failure.error === WRONG_KIND;
  if (failure.kind !== 'token_refused' && !isWrongKind) return null;
  return (
    `Slack rejected ${variable} (${failure.error}). Open your app at https://api.slack.com/apps, check that it is ` +
    'installed in the workspace, copy the token again, and restart.'
  );
}

/** Slack has not answered yet, and a person waits. */
export class SlowAnswerError extends Error {
  override name = 'SlowAnswerError';
}

/** The failure is not the call's: the network, or Slack itself, recovers by itself. */
const WITHOUT_SLACK_MS = 5_000;

/**
 * When to call again if a call failed for a reason that passes: as Slack says (`Retry-After`), or in a few seconds.
 * `null` if Slack answered for good, or if the error is not from a call to Slack.
 */
function passingFailure(error: unknown): { retryAfterMs: number } | null {
  if (error instanceof SlowAnswerError) return { retryAfterMs: WITHOUT_SLACK_MS };
  const failure = classifySlackError(error);
  if (failure.kind === 'rate_limited') return failure;
  const isOfSlack =
    error instanceof WebAPIPlatformError ||
    error instanceof WebAPIRequestError ||
    (error instanceof WebAPIHTTPError && error.statusCode >= 500);
  const isPassing = isOfSlack && (failure.kind === 'ambiguous' || failure.kind === 'unreachable');
  return isPassing ? { retryAfterMs: WITHOUT_SLACK_MS } : null;
}

function causes(error: unknown): string {
  const texts: string[] = [];
  for (let e = error; e instanceof Error && texts.length < 6; e = e.cause) {
    texts.push('code' in e ? `${String(e.code)} ${e.message}` : e.message);
    if ('original' in e && e.original instanceof Error) texts.push(causes(e.original));
  }
  return texts.join(': ');
}

/** Slack's error codes for a channel in which nothing can be posted. */
const OF_A_CHANNEL = new Set([
  'is_archived',
  // The error for an edit in an archived channel.
  'is_inactive',
  'not_in_channel',
  'channel_not_found',
  'posting_to_channel_denied',
  'ekm_access_denied',
]);
/** Only one thread is locked; the channel is not. */
const OF_A_THREAD = 'restricted_action_thread_locked';

/**
 * Whether a refusal holds for the whole channel until somebody fixes it. Not for a direct message: whoever closed it
 * wants nothing from us.
 */
export function isOfTheChannel(channel: string, error: string): boolean {
  if (channel.startsWith('D') || error === OF_A_THREAD) return false;
  return OF_A_CHANNEL.has(error) || error.startsWith('restricted_action');
}

/** Reasons that `conversations.info` does not show: only a post tells whether they still hold. */
export function isRestriction(reason: string): boolean {
  return !['is_archived', 'is_inactive', 'not_in_channel', 'channel_not_found'].includes(reason);
}

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
