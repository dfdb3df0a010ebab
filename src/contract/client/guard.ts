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
  KeyRefusedError,
  type KeyVariable,
  RejectedError,
  type ServiceError,
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
  /** It refuses our key: nothing is sent. */
  key: KeyRefusal | null;
  /** Operations that it refuses although the key is good, each with since when. */
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

/** Hears of every call, and answers how things stand. Questions and evidence fail by themselves, and count for nothing here. */
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

/** Often enough that a fixed key is noticed within a minute, and no burden to a service that refuses us. */
const PROVE_EVERY_MS = 60_000;

/** The service does not take our key. */
interface KeyRefusal {
  status: 401 | 403;
  /** Milliseconds since the epoch. */
  since: number;
}

interface KeyGuard {
  /** Runs a call; rejects at once with `KeyRefusedError` while the key is refused. */
  run<T>(operation: string, call: () => Promise<T>): Promise<T>;
  refusal(): KeyRefusal | null;
}

/**
 * Stops every call while the service refuses the key (401 and 403). One refused call is no proof:
 * a key may lack the right to delete and be good for all else. So what is refused is followed by the cheapest read
 * there is; only if that is refused too does everything stop, until it succeeds. It is tried again once a minute,
 * when somebody calls.
 *
 */
export function createKeyGuard({
  clock,
  prove,
  onRefused,
  keyVariable,
}: {
  clock: Clock;
  /** The cheapest read, once; rejects with the call's error. */
  prove: () => Promise<unknown>;
  onRefused: () => void;
  keyVariable: KeyVariable;
}): KeyGuard {
  let refusal: KeyRefusal | null = null;
  let provedAt = Number.NEGATIVE_INFINITY;
  let proving: Promise<void> | null = null;

  /** What the proof says of the key is kept; a service that does not answer says nothing of it. */
  async function proof(): Promise<void> {
    try {
      await prove();
      refusal = null;
    } catch (error) {
      const status = refusalOf(error);
      if (status !== null) refuse(status);
    } finally {
      provedAt = clock.now();
    }
  }

  function proveOnce(): Promise<void> {
    proving ??= proof().finally(() => {
      proving = null;
    });
    return proving;
  }

  function refuse(status: KeyRefusal['status']): void {
    refusal = { status, since: refusal?.since ?? clock.now() };
    onRefused();
  }

  async function suspect(status: KeyRefusal['status']): Promise<void> {
    if (refusal !== null) return;
    // A missing permission fails repeatedly; do not re-check the key each time.
    if (status === 403 && clock.now() - provedAt < PROVE_EVERY_MS) return;
    await proveOnce();
  }

  return {
    refusal: () => refusal,
    async run(operation, call) {
      if (refusal !== null && clock.now() - provedAt >= PROVE_EVERY_MS) await proveOnce();
      if (refusal !== null) {
        const { status } = refusal;
        const retryAfterMs = Math.max(0, provedAt + PROVE_EVERY_MS - clock.now());
        throw new KeyRefusedError({ operation, refusal: status, retryAfterMs, keyVariable });
      }
      try {
        return await call();
      } catch (error) {
        const status = refusalOf(error);
        if (status !== null) await suspect(status);
        throw error;
      }
    },
  };
}

function refusalOf(error: unknown): KeyRefusal['status'] | null {
  if (!(error instanceof RejectedError)) return null;
  return error.status === 401 || error.status === 403 ? error.status : null;
}
