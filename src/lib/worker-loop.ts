import { type Clock, systemClock } from './clock.ts';

/** Background work that goes on until it is stopped. */
export interface Worker {
  start(): void;
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

interface RoundsOptions<T> {
  /** One round of work; once `signal` aborts, there will be no further one. */
  round(signal: AbortSignal): Promise<T>;
  /** Waits for the next round, or for the signal. `did` is the round's result; `null` after a failure. */
  rest(signal: AbortSignal, did: T | null): Promise<unknown>;
  /** A round failed; the next one runs regardless. */
  onError(error: unknown): void;
}

/** Runs rounds of work, one after the other. */
export function createWorkerLoop<T>({
  round,
  rest,
  onError,
}: RoundsOptions<T>): Worker & { signal: AbortSignal } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let loop: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let did: T | null = null;
      try {
        did = await round(signal);
      } catch (error) {
        onError(error);
      }
      // A wait interrupted by the stop rejects.
      if (!signal.aborted) await rest(signal, did).catch(() => undefined);
    }
  }

  return {
    signal,
    start: () => {
      loop = run();
    },
    stop: () => {
      stopping.abort();
      return loop;
    },
  };
}

/** A failed round is repeated after this. */
const RETRY_MS = 1_000;
/** A worker looks this often in any case: a clock may be corrected while it sleeps. */
const LONGEST_MS = 60_000;

interface QueueOptions {
  /** One round of work. @returns how long until more of it is due, in milliseconds; `Infinity` if none is waiting */
  round(signal: AbortSignal): Promise<number>;
  /** Woken by whoever creates work. */
  wakeup: Wakeup;
  onError(error: unknown): void;
}

/**
 * Works through a queue: sleeps until something in it is due, or it is woken.
 *
 * @example
 * createQueueWorker({ wakeup: wakeups.inbox, onError: log.error, round: async () => ((await takeOldest()) ? 0 : Infinity) })
 */
export function createQueueWorker({ round, wakeup, onError }: QueueOptions): Worker {
  return createWorkerLoop({
    round,
    rest: (signal, ms) => wakeup.wait(Math.min(ms ?? RETRY_MS, LONGEST_MS), signal),
    onError,
  });
}

/** Lets a loop sleep until there is work, without polling: whoever creates work wakes it. */
export interface Wakeup {
  wake(): void;
  /** Resolves when woken (or if it was since the last wait), after `ms` milliseconds, or on abort. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWakeup(clock: Clock = systemClock): Wakeup {
  let woken = false;
  let wake: (() => void) | null = null;
  return {
    wake: () => {
      woken = true;
      wake?.();
    },
    wait: async (ms, signal) => {
      const waking = new AbortController();
      const finish = () => waking.abort();
      signal.addEventListener('abort', finish, { once: true });
      wake = finish;
      if (woken || signal.aborted) finish();
      // Being woken rejects the sleep.
      await clock.sleep(ms, waking.signal).catch(() => undefined);
      signal.removeEventListener('abort', finish);
      wake = null;
      woken = false;
    },
  };
}

/** A component that runs from `start` to `stop`. */
interface Part {
  start(): unknown;
  stop(): unknown;
}

/** What has been started so far, in order. */
export interface Lifecycle {
  /** Starts a part. It will be stopped even if its start fails halfway. */
  start(name: string, part: Part): Promise<void>;
  /** Registers how to stop something that is already running. */
  onStop(name: string, stop: () => unknown): void;
}

interface Started<T> {
  value: T;
  /** Stops the parts in the reverse of the order they were started in, one after the other. A second call does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts parts in order. If one fails, the running ones are stopped before the error is rethrown. A part that fails to
 * stop does not keep the others from stopping.
 *
 * @param onStopFailed called with the part that did not stop, and why
 */
export async function startInOrder<T>(
  build: (lifecycle: Lifecycle) => Promise<T>,
  onStopFailed: (error: unknown, name: string) => void,
): Promise<Started<T>> {
  await using starting = new AsyncDisposableStack();
  const onStop = (name: string, stop: () => unknown): void =>
    starting.defer(async () => {
      try {
        await stop();
      } catch (error) {
        onStopFailed(error, name);
      }
    });
  const value = await build({
    onStop,
    start: async (name, part) => {
      onStop(name, () => part.stop());
      await part.start();
    },
  });
  const running = starting.move();
  return { value, stop: () => running.disposeAsync() };
}

/** Serializes work by key: work with the same key runs one after the other, in the order of the calls. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return mine;
  };
}
