import type { Clock } from './clock.ts';

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

/** Resolves when the signal aborts. */
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
