import {
  CancelledError,
  CircuitOpenError,
  KeyRefusedError,
  type KeyVariable,
  MissingKeyError,
  RateLimitedError,
  RejectedError,
  ServiceError,
  StreamFailedError,
  TimedOutError,
  UnreachableError,
  UnreadableAnswerError,
  UnsendableError,
} from './errors.ts';

/** For everything in the private organization while Gumshoe has no key for it. */
export const NO_PRIVATE_KEY =
  'This belongs to the organization for private channels, and Gumshoe has no API key for it. Ask whoever operates Gumshoe to set ISSUE_SERVICE_PRIVATE_API_KEY.';

/**
 * One or two sentences for a person, with what to do and the service's correlation id. What the service
 * itself says is quoted: the whole is untrusted text, to be escaped where it is shown.
 */
export function explainServiceError(error: unknown): string {
  if (!(error instanceof ServiceError)) {
    return 'Something went wrong in Gumshoe. Try again; if it keeps happening, tell whoever operates Gumshoe.';
  }
  const request = error.requestId === null ? '' : ` (request ${error.requestId})`;
  return `${sentence(error)}${request}`;
}

function sentence(error: ServiceError): string {
  if (error instanceof RateLimitedError) {
    return `The investigation service is rate-limiting me. Try again ${inTime(error.retryAfterMs)}.`;
  }
  if (error instanceof UnreachableError) {
    return error.ambiguous
      ? 'The connection to the investigation service dropped before it answered.'
      : 'The investigation service is unreachable. Try again in a few minutes; if it persists, tell whoever operates Gumshoe.';
  }
  if (error instanceof TimedOutError) {
    return 'The investigation service timed out. Try again in a few minutes.';
  }
  if (error instanceof UnsendableError) {
    return `The investigation service does not accept this${fields(error)}. Change it and try again.`;
  }
  if (error instanceof CircuitOpenError) {
    const trial = error.retryAfterMs === 0 ? 'is retrying now' : `retries ${inTime(error.retryAfterMs)}`;
    return `The investigation service has been failing. Gumshoe ${trial}.`;
  }
  if (error instanceof KeyRefusedError) return keyRefused(401, error.keyVariable);
  if (error instanceof MissingKeyError) return NO_PRIVATE_KEY;
  if (error instanceof UnreadableAnswerError) {
    return 'The investigation service sent an answer Gumshoe cannot read. Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL and the log.';
  }
  if (error instanceof StreamFailedError) {
    return `The investigation service cut off its answer${quoted(error.reason)}. Ask again.`;
  }
  if (error instanceof CancelledError) return 'This was cancelled before the investigation service answered.';
  return error instanceof RejectedError ? rejected(error) : 'The investigation service failed. Try again.';
}

function rejected(error: RejectedError): string {
  const status = error.status ?? 0;
  if (status === 401 || status === 403) return keyRefused(status, error.keyVariable);
  if (status === 404) {
    return 'The investigation service cannot find this. Check the number; it may have been deleted.';
  }
  if (status >= 500) {
    return `The investigation service returned an error (HTTP ${status}). Try again in a few minutes.`;
  }
  if (status < 400) {
    return `The investigation service redirected me elsewhere (HTTP ${status}). Ask whoever operates Gumshoe to check ISSUE_SERVICE_URL.`;
  }
  return `The investigation service rejected this${quoted(error.reason)}${fields(error)}. Change it and try again.`;
}

function keyRefused(status: 401 | 403, variable: KeyVariable): string {
  const key = variable === 'ISSUE_SERVICE_API_KEY' ? 'our API key' : 'our API key for private channels';
  return status === 401
    ? `The investigation service rejected ${key}. Ask whoever operates Gumshoe to check ${variable}.`
    : `O${key.slice(1)} is not allowed to do this at the investigation service. Ask whoever operates Gumshoe to check the key's permissions.`;
}

function quoted(reason: string | null): string {
  const text = (reason ?? '').trim().replace(/[.!\s]+$/u, '');
  return text === '' ? '' : `: ${text}`;
}

function fields(error: ServiceError): string {
  const listed = Object.entries(error.details ?? {}).map(([field, problem]) => `${field}: ${problem}`);
  return listed.length === 0 ? '' : ` (${listed.join('; ')})`;
}

function inTime(ms: number | null): string {
  if (ms === null) return 'in a minute';
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 90) return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
