import type { Clock } from '../../lib/clock.ts';
import {
  CancelledError,
  CircuitOpenError,
  KeyRefusedError,
  type KeyVariable,
  RejectedError,
  TimedOutError,
  UnreachableError,
} from './errors.ts';

/**
 * One attempt of a call, for logs and metrics, or a call that the circuit breaker rejected. A streamed answer is
 * reported when its headers have arrived.
 */
export interface CallReport {
  operation: string;
  /** `null` if no response arrived. */
  status: number | null;
  ms: number;
  requestId: string | null;
  /** `ok`, or the name of the error's class. */
  outcome: string;
}

/** Since when something does not work, in milliseconds since the epoch. */
interface Failing {
  since: number;
  reason: 'unreachable' | 'silent' | 'failing' | 'busy' | 'unreadable';
}

/** The state of the service, from the calls of this process. */
export interface ServiceHealth {
  /** Since when it rejects our key (401); nothing is sent meanwhile. */
  key: KeyRefusal | null;
  /** Operations that it refuses, each with since when. */
  refused: ReadonlyMap<string, number>;
  /** Operations whose last call succeeded. */
  working: ReadonlySet<string>;
  /** It takes no new issues; cannot be read. `null` if it does, or if that is not known. */
  filing: Failing | null;
  reading: Failing | null;
}

interface ServiceHealthTracker {
  called(call: CallReport): void;
  /** The key is refused: what succeeded or was refused before says nothing any more. */
  keyRefused(): void;
  read(key: KeyRefusal | null): ServiceHealth;
}

const READS = ['issues.page', 'issues.get', 'issues.byNumber', 'issues.results'];
/** Calls whose address is always there: that it is not says that ours is wrong. */
const ALWAYS_THERE = ['issues.page', 'issues.create'];
const REASONS: Record<string, Failing['reason']> = {
  UnreachableError: 'unreachable',
  TimedOutError: 'silent',
  RateLimitedError: 'busy',
  UnreadableAnswerError: 'unreadable',
};

/** Derives the state of the service from every call. Questions and evidence may fail by themselves, and count for nothing here. */
export function createServiceHealth(clock: Clock): ServiceHealthTracker {
  const refused = new Map<string, number>();
  const working = new Set<string>();
  let filing: Failing | null = null;
  let reading: Failing | null = null;

  const keep = (operation: string, of: (before: Failing | null) => Failing | null): void => {
    if (operation === 'issues.create') filing = of(filing);
    if (READS.includes(operation)) reading = of(reading);
  };

  return {
    called: (call) => {
      const { operation, outcome, status } = call;
      const reason = reasonOf(call);
      if (reason !== null) {
        working.delete(operation);
        keep(operation, (before) => ({ since: before?.since ?? clock.now(), reason }));
      } else if (status === 401 || status === 403) {
        working.delete(operation);
        if (!refused.has(operation)) refused.set(operation, clock.now());
      } else if (status !== null) {
        // Any other answer, a refusal of what was said too, shows that it works.
        refused.delete(operation);
        keep(operation, () => null);
        if (outcome === 'ok') working.add(operation);
      }
    },
    keyRefused: () => {
      refused.clear();
      working.clear();
    },
    read: (key) => ({ key, refused, working, filing, reading }),
  };
}

function reasonOf({ operation, outcome, status }: CallReport): Failing['reason'] | null {
  const known = Object.hasOwn(REASONS, outcome) ? REASONS[outcome] : undefined;
  if (known !== undefined) return known;
  if (status === null) return null;
  if (status >= 500 || status === 408) return 'failing';
  if (status >= 300 && status < 400) return 'unreadable';
  return [404, 405, 410].includes(status) && ALWAYS_THERE.includes(operation) ? 'unreadable' : null;
}

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
  let failures = 0;
  /** While the circuit is open: when the next call is let through, and after what pause. */
  let open: { pauseMs: number; until: number; isTrying: boolean } | null = null;

  function openFor(pauseMs: number): void {
    open = { pauseMs, until: clock.now() + pauseMs, isTrying: false };
  }

  /** Calls that were under way when the circuit opened decide nothing. */
  function ended(isTrial: boolean, outcome: 'answered' | 'failed' | 'cancelled'): void {
    if (open !== null && !isTrial) return;
    if (outcome === 'answered') {
      failures = 0;
      open = null;
    } else if (outcome === 'failed') {
      failures += 1;
      if (open !== null) openFor(Math.min(open.pauseMs * 2, LONGEST_PAUSE_MS));
      else if (failures >= FAILED_CALLS) openFor(FIRST_PAUSE_MS);
    } else if (open !== null) open.isTrying = false;
  }

  return {
    async run(operation, call) {
      const isTrial = open !== null;
      if (open !== null) {
        const retryAfterMs = Math.max(0, open.until - clock.now());
        if (open.isTrying || retryAfterMs > 0) throw new CircuitOpenError({ operation, retryAfterMs });
        open.isTrying = true;
      }
      try {
        const value = await call();
        ended(isTrial, 'answered');
        return value;
      } catch (error) {
        const isCancelled = error instanceof CancelledError;
        ended(isTrial, isCancelled ? 'cancelled' : isFailureOfService(error) ? 'failed' : 'answered');
        throw error;
      }
    },
  };
}

function isFailureOfService(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    error instanceof TimedOutError ||
    (error instanceof RejectedError && (error.status ?? 0) >= 500)
  );
}

/** Often enough that a fixed key is noticed within a minute, and no burden to a service that refuses us. */
const TRY_EVERY_MS = 60_000;

/** The service rejects our key: since when, in milliseconds since the epoch. */
interface KeyRefusal {
  since: number;
}

interface KeyGuard {
  /** Runs a call; rejects at once with `KeyRefusedError` while the key is rejected. */
  run<T>(operation: string, call: () => Promise<T>): Promise<T>;
  refusal(): KeyRefusal | null;
}

/**
 * Stops every call while the service rejects the key (401), except one a minute, whose answer decides. A 403 concerns its
 * operation alone: a key may lack the permission to delete and be good for all else.
 */
export function createKeyGuard({
  clock,
  onRefused,
  keyVariable,
}: {
  clock: Clock;
  onRefused: () => void;
  keyVariable: KeyVariable;
}): KeyGuard {
  let refusal: KeyRefusal | null = null;
  let nextAt = 0;

  return {
    refusal: () => refusal,
    async run(operation, call) {
      if (refusal !== null && clock.now() < nextAt) {
        throw new KeyRefusedError({ operation, retryAfterMs: nextAt - clock.now(), keyVariable });
      }
      if (refusal !== null) nextAt = clock.now() + TRY_EVERY_MS;
      try {
        const value = await call();
        refusal = null;
        return value;
      } catch (error) {
        const status = error instanceof RejectedError ? error.status : null;
        if (status === 401) {
          refusal ??= { since: clock.now() };
          nextAt = clock.now() + TRY_EVERY_MS;
          onRefused();
        } else if (status !== null) refusal = null;
        throw error;
      }
    },
  };
}
