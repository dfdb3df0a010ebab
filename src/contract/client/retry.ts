import { ConstantBackoff, handleWhen, type IRetryContext, retry } from 'cockatiel';
import type { Clock } from '../../lib/clock.ts';
import {
  CancelledError,
  RateLimitedError,
  RejectedError,
  ServiceError,
  TimedOutError,
  UnreachableError,
} from './errors.ts';

const MAX_REPEATS = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** If the service asks for a longer wait than this, its error is shown instead. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/** Statuses by which a service, or a proxy in front of it, says that a retry may help. */
const PASSING_STATUSES = new Set([408, 500, 502, 503, 504]);

export interface RetryDeps {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** The call to retry: whether it is idempotent, and the signal that cancels it. */
export interface Repeatable {
  operation: string;
  /** Repeating it has no further effect; true of all calls but creating and asking. */
  idempotent: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a call, and retries it if that may help and cannot double its effect: a call that is not idempotent only if the
 * service cannot have seen it (no connection) or says that it did nothing (429). Each attempt is passed the failure of
 * the one before it.
 */
export async function withRetries<T>(
  deps: RetryDeps,
  what: Repeatable,
  attempt: (previous: ServiceError | null) => Promise<T>,
): Promise<T> {
  let previous: ServiceError | null = null;
  const policy = retry(
    handleWhen((error) => error instanceof ServiceError && mayRepeat(error, what.idempotent)),
    // Each attempt waits by itself, on the injected clock and with the caller's signal.
    { maxAttempts: MAX_REPEATS, backoff: new ConstantBackoff(0) },
  );
  return policy.execute(async (context: IRetryContext) => {
    if (previous !== null) await waitBefore(context.attempt, previous, deps, what);
    try {
      return await attempt(previous);
    } catch (error) {
      if (error instanceof ServiceError) previous = error;
      throw error;
    }
  });
}

function mayRepeat(error: ServiceError, idempotent: boolean): boolean {
  if (error instanceof RateLimitedError) return (error.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS;
  if (error instanceof UnreachableError) return idempotent || !error.ambiguous;
  if (!idempotent) return false;
  if (error instanceof TimedOutError) return true;
  return (
    error instanceof RejectedError &&
    PASSING_STATUSES.has(error.status ?? 0) &&
    (error.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS
  );
}

async function waitBefore(
  attempt: number,
  previous: ServiceError,
  deps: RetryDeps,
  what: Repeatable,
): Promise<void> {
  const ceiling = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  // Half of the wait is fixed, so that a retry is never immediate; the other half is jitter.
  const jittered = ceiling / 2 + deps.random() * (ceiling / 2);
  const asked =
    previous instanceof RateLimitedError || previous instanceof RejectedError ? previous.retryAfterMs : null;
  const spread = asked === null ? jittered : asked + deps.random() * FIRST_WAIT_MS;
  try {
    await deps.clock.sleep(spread, what.signal);
  } catch (error) {
    throw new CancelledError({ operation: what.operation, ambiguous: previous.ambiguous, cause: error });
  }
}
