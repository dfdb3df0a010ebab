import { setTimeout as delay } from 'node:timers/promises';

/** The program's only source of time. Injected everywhere, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
};

/** How long to wait before the next try. Milliseconds. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/**
 * Whether a moment has come. One that is further ahead than its rule allows was set by a clock that has been corrected since: it
 * has come too, or whatever waits for it would wait for as long as the clock was wrong.
 */
export function hasCome(at: number, now: number, longestMs: number): boolean {
  return at <= now || at > now + longestMs;
}

/**
 * Exponential backoff with jitter: doubles with each failed attempt (0 for the first) up to a maximum, and randomises the
 * upper half, so that callers that failed together do not retry together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

interface Timeout<Late> {
  /** Milliseconds on the clock. */
  ms: number;
  clock: Pick<Clock, 'sleep'>;
  /** Called once if the time runs out first; its result or error becomes the outcome. */
  onTimeout: () => Late;
}

/**
 * The result of the work, or of `onTimeout` if the work takes longer than `ms`. The work itself is not stopped, and its
 * late result or failure is ignored: to stop it, abort its signal in `onTimeout`.
 */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  { ms, clock, onTimeout }: Timeout<Late>,
): Promise<Result | Awaited<Late>> {
  const settled = new AbortController();
  const timeout = clock.sleep(ms, settled.signal).then(() => {
    settled.signal.throwIfAborted();
    return onTimeout();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    settled.abort();
  }
}

/** The result of the work; rejects with the signal's reason as soon as it aborts. The work itself is not stopped. */
export async function raceAbort<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A signal that aborts after `ms` milliseconds of real time, or with the given one. */
export function timeoutSignal(ms: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

/**
 * Called at each named step between a delivery and what people see. Does nothing in production; a test kills the process
 * there, to show that nothing is lost and nothing happens twice.
 */
export type Checkpoint = (name: string) => Promise<void> | void;

export const noCheckpoint: Checkpoint = () => undefined;
