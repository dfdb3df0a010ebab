import { CircuitOpenError, KeyRefusedError, MissingKeyError } from './errors.ts';

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
