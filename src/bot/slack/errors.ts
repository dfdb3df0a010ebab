import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';

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

/** Said of one method only it says nothing of the others; said where a token is tried out, it is the wrong kind. */
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

/** Without its longest words: cut in the middle, a secret could not be told any more. */
function beginningOf(text: string): string {
  return text.replace(/[^\s<>"',;()[\]{}]{16,}/gu, '…').slice(0, 100);
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

/** What failed says nothing of the call: a network, or Slack itself, recovers by itself. */
const WITHOUT_SLACK_MS = 5_000;

/**
 * When to call again if a call failed for a reason that passes: as Slack says (`Retry-After`), or in a few seconds.
 * `null` if Slack answered for good, or if the error is none of a call to Slack.
 */
export function passingFailure(error: unknown): { retryAfterMs: number } | null {
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
