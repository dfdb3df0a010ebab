import { CircuitOpenError, KeyRefusedError } from './errors.ts';

/**
 * For a call that was not sent, since the service can do nothing for anybody: how long until it may be tried again, in
 * milliseconds; `null` for every other failure.
 */
export function notSentFor(error: unknown): number | null {
  return error instanceof CircuitOpenError || error instanceof KeyRefusedError ? error.retryAfterMs : null;
}
