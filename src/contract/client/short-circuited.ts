import { CircuitOpenError, KeyRefusedError, MissingKeyError } from './errors.ts';

/** A key is set by a restart. */
const WITHOUT_KEY_MS = 60_000;

/**
 * For a call that was not sent, since the service can do nothing for anybody: how long until it may be tried again, in
 * milliseconds; `null` for every other failure.
 */
export function shortCircuitedFor(error: unknown): number | null {
  if (error instanceof MissingKeyError) return WITHOUT_KEY_MS;
  return error instanceof CircuitOpenError || error instanceof KeyRefusedError ? error.retryAfterMs : null;
}
