import { ZodError } from 'zod';

export type KeyVariable = 'ISSUE_SERVICE_API_KEY' | 'ISSUE_SERVICE_PRIVATE_API_KEY';

/** What is known about a failed call of any kind. */
interface FailureFacts {
  /** The client's name for the call, such as `issues.create`. */
  operation: string;
  /** Whether the call may have had its effect although it failed. Never true for reads. */
  ambiguous: boolean;
  status?: number | null;
  type?: string | null;
  requestId?: string | null;
  details?: Readonly<Record<string, string>> | null;
  bodyExcerpt?: string | null;
  cause?: unknown;
}

/** The base class of every failed call to the service. No message contains the API key. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly operation: string;
  readonly ambiguous: boolean;
  /** The HTTP status, if a response arrived. */
  readonly status: number | null;
  /** The `type` of the error body. */
  readonly type: string | null;
  /** The service's correlation id, for its support. */
  readonly requestId: string | null;
  /** Field by field what is wrong: for 400 and 422, and for what was never sent. */
  readonly details: Readonly<Record<string, string>> | null;
  /** For the log only: the first 200 characters of an answer that is not what the contract says. */
  readonly bodyExcerpt: string | null;
  /** The variable that holds the API key that the call was made with. */
  keyVariable: KeyVariable = 'ISSUE_SERVICE_API_KEY';

  constructor(message: string, facts: FailureFacts) {
    super(
      facts.requestId ? `${message} (request ${facts.requestId})` : message,
      facts.cause === undefined ? {} : { cause: facts.cause },
    );
    this.operation = facts.operation;
    this.ambiguous = facts.ambiguous;
    this.status = facts.status ?? null;
    this.type = facts.type ?? null;
    this.requestId = facts.requestId ?? null;
    this.details = facts.details ?? null;
    this.bodyExcerpt = facts.bodyExcerpt ?? null;
  }
}

/** The service answered, with a status that is no success. */
export class RejectedError extends ServiceError {
  override readonly name = 'RejectedError';
  /** What the service says about it, in its own words; untrusted text. */
  readonly reason: string | null;
  /** How long the service asks to wait, in milliseconds (a 503 may say so). */
  readonly retryAfterMs: number | null;

  constructor(facts: FailureFacts & { status: number; reason: string | null; retryAfterMs: number | null }) {
    const suffix = facts.reason === null ? '' : `: ${facts.reason}`;
    super(`${facts.operation}: the service answered HTTP ${facts.status}${suffix}`, facts);
    this.reason = facts.reason;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** HTTP 429: too many requests. Nothing happened; the same call may be sent later. */
export class RateLimitedError extends ServiceError {
  override readonly name = 'RateLimitedError';
  /** How long the service asks to wait, in milliseconds; `null` if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(facts: Omit<FailureFacts, 'ambiguous'> & { retryAfterMs: number | null }) {
    super(`${facts.operation}: rate limit of the service exceeded; wait, or ask for a higher quota`, {
      ...facts,
      ambiguous: false,
    });
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** No answer: the connection was refused, the name is unknown, or the connection broke (then ambiguous). */
export class UnreachableError extends ServiceError {
  override readonly name = 'UnreachableError';

  constructor(facts: FailureFacts & { code: string | null }) {
    const what = facts.ambiguous ? 'the connection dropped before the answer' : 'the service is unreachable';
    const code = facts.code === null ? '' : ` [${facts.code}]`;
    super(`${facts.operation}: ${what}${code}; check ISSUE_SERVICE_URL, the network and the proxy`, facts);
  }
}

/** No whole answer in time. */
export class TimedOutError extends ServiceError {
  override readonly name = 'TimedOutError';

  constructor(facts: FailureFacts & { timeoutMs: number }) {
    super(`${facts.operation}: no answer within ${facts.timeoutMs} ms; the service may be overloaded`, facts);
  }
}

/** An answer that is not what the contract says: no JSON, too long, or a required field is missing. */
export class UnreadableAnswerError extends ServiceError {
  override readonly name = 'UnreadableAnswerError';
  /** The path of the field that is missing or wrong, such as `data.0.uuid`; `null` if it is not about one. */
  readonly field: string | null;
  /** It was more than is read: of a part of what was asked for it may be less. */
  readonly isTooLarge: boolean;

  constructor(facts: FailureFacts & { problem: string; field?: string | null; isTooLarge?: boolean }) {
    super(
      `${facts.operation}: ${facts.problem}; check that ISSUE_SERVICE_URL is the service's address with /api/v2`,
      facts,
    );
    this.field = facts.field ?? null;
    this.isTooLarge = facts.isTooLarge === true;
  }
}

/** The service reported a failure inside a stream that it had begun with success. */
export class StreamFailedError extends ServiceError {
  override readonly name = 'StreamFailedError';
  /** What the service says about it, in its own words; untrusted text. */
  readonly reason: string | null;

  constructor(facts: FailureFacts & { reason: string | null }) {
    const suffix = facts.reason === null ? '' : `: ${facts.reason}`;
    super(`${facts.operation}: the service cut off its answer${suffix}`, facts);
    this.reason = facts.reason;
  }
}

/** The call was not sent: something in it is outside the bounds of the contract (section 8). */
export class UnsendableError extends ServiceError {
  override readonly name = 'UnsendableError';

  constructor(facts: { operation: string; details: Readonly<Record<string, string>> }) {
    const wrong = Object.entries(facts.details).map(([field, problem]) => `${field}: ${problem}`);
    super(`${facts.operation}: not sent, because the contract does not allow it (${wrong.join('; ')})`, {
      ...facts,
      ambiguous: false,
    });
  }
}

/** The call was not sent: calls like it have failed in a row, and the service is left alone for a while. */
export class CircuitOpenError extends ServiceError {
  override readonly name = 'CircuitOpenError';
  /** Until the service is tried again, in milliseconds; 0 while it is being tried. */
  readonly retryAfterMs: number;

  constructor(facts: { operation: string; retryAfterMs: number }) {
    super(`${facts.operation}: not sent, because the service has been failing; see the earlier failures`, {
      operation: facts.operation,
      ambiguous: false,
    });
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The call was not sent: the service refuses our key, which is tried again only now and then. */
export class KeyRefusedError extends ServiceError {
  override readonly name = 'KeyRefusedError';
  /** Until the key is tried again, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(facts: { operation: string; retryAfterMs: number; keyVariable?: KeyVariable }) {
    const { keyVariable = 'ISSUE_SERVICE_API_KEY' } = facts;
    super(
      `${facts.operation}: not sent, because the service rejects the API key (HTTP 401); check ${keyVariable}`,
      { operation: facts.operation, ambiguous: false },
    );
    this.keyVariable = keyVariable;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The call was not sent: it is for the private organization, whose API key is not configured (any more). */
export class MissingKeyError extends ServiceError {
  override readonly name = 'MissingKeyError';

  constructor(facts: { operation: string }) {
    super(
      `${facts.operation}: not sent, because the private organization has no API key; set ISSUE_SERVICE_PRIVATE_API_KEY`,
      { operation: facts.operation, ambiguous: false },
    );
    this.keyVariable = 'ISSUE_SERVICE_PRIVATE_API_KEY';
  }
}

/** The caller's signal ended the call. */
export class CancelledError extends ServiceError {
  override readonly name = 'CancelledError';

  constructor(facts: FailureFacts) {
    super(`${facts.operation}: cancelled`, facts);
  }
}

/** Statuses that pass, or that an operator mends: a key, a right, an address. */
const GO_ON_AFTER = [401, 403, 404, 408, 409, 425, 429];

/** Whether the service will never take this request, however often it is sent. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof UnsendableError || error instanceof ZodError) return true;
  if (!(error instanceof ServiceError) || error.status === null) return false;
  return error.status >= 400 && error.status < 500 && !GO_ON_AFTER.includes(error.status);
}

/** A key is set by a restart. */
const WITHOUT_KEY_MS = 60_000;

/**
 * For a call that was not sent because all calls would fail: how long until it may be retried, in milliseconds; `null` for
 * any other failure.
 */
export function shortCircuitedFor(error: unknown): number | null {
  if (error instanceof MissingKeyError) return WITHOUT_KEY_MS;
  return error instanceof CircuitOpenError || error instanceof KeyRefusedError ? error.retryAfterMs : null;
}
