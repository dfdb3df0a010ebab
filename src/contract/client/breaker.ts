import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';
import type { Clock } from '../../lib/clock.ts';
import {
  CancelledError,
  CircuitOpenError,
  RejectedError,
  type ServiceError,
  TimedOutError,
  UnreachableError,
} from './errors.ts';

const FAILED_CALLS = 5;
const FIRST_PAUSE_MS = 10_000;
/** Short compared to the callers' own waits (60 seconds and more), so that it delays recovery little. */
const LONGEST_PAUSE_MS = 30_000;

export interface Breaker {
  /**
   * Runs a call, or rejects at once with `CircuitOpenError` while the service has been failing. After a pause one call
   * is let through, and its outcome decides for the others.
   */
  run<T>(operation: string, call: () => Promise<T>): Promise<T>;
}

/**
 * Opens after five consecutive calls that failed because of the service (unreachable, timed out, 5xx), for 10 seconds
 * at first and 30 at most. Any other response, even a rejection, shows that the service is up; a cancelled call shows
 * nothing.
 *
 * It wraps a call with all its retries, which count as one failure together. Inside them, the four attempts of one
 * unlucky call would count as much as four callers.
 */
export function createBreaker(clock: Clock): Breaker {
  let triedAgainAt = 0;
  const pauses: IBackoff<IHalfOpenAfterBackoffContext> = {
    // The library compares this with the machine's clock, so it returns the time of the injected one.
    get duration() {
      return clock.now() < triedAgainAt ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    },
    next({ attempt, result }) {
      const undecided = 'error' in result && result.error instanceof CancelledError;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      triedAgainAt = clock.now() + (undecided ? 0 : pause);
      return pauses;
    },
  };
  const policy = circuitBreaker(
    // A cancelled trial must not close the circuit: the next call is then the trial.
    handleWhen((error) => isTrouble(error) || (error instanceof CancelledError && trying())),
    { breaker: new ConsecutiveBreaker(FAILED_CALLS), halfOpenAfter: pauses },
  );
  const trying = (): boolean => policy.state === CircuitState.HalfOpen;
  const open = (operation: string): ServiceError =>
    new CircuitOpenError({ operation, retryAfterMs: Math.max(0, triedAgainAt - clock.now()) });

  return {
    async run(operation, call) {
      // The library would make the others wait for the trial, which a silent service can delay for minutes.
      if (trying()) throw open(operation);
      try {
        const outcome = await policy.execute(() => outcomeOf(call));
        if ('refusal' in outcome) throw outcome.refusal;
        return outcome.value;
      } catch (error) {
        throw error instanceof BrokenCircuitError ? open(operation) : error;
      }
    },
  };
}

/** Any answer of the service, even a rejection, counts as success for the breaker; so it must not reject here. */
async function outcomeOf<T>(call: () => Promise<T>): Promise<{ value: T } | { refusal: unknown }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (isTrouble(error) || error instanceof CancelledError) throw error;
    return { refusal: error };
  }
}

function isTrouble(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    error instanceof TimedOutError ||
    (error instanceof RejectedError && (error.status ?? 0) >= 500)
  );
}
