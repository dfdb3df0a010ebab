import { type Clock, systemClock } from '../../src/lib/clock.ts';

/** A clock whose pace a test sets: as long as it goes with the machine's, whatever is timed has the time it has in use. */
export interface PacedClock extends Clock {
  /** From now on it goes so many times as fast as the machine's. */
  go(times: number): void;
}

/** Of the machine. A timer of more than 24 days would fire at once. */
const LONGEST_TIMER_MS = 24 * 60 * 60_000;

/** A clock that begins now, and goes with the machine's until it is told otherwise. */
export function pacedClock(): PacedClock {
  let times = 1;
  let since = systemClock.now();
  let from = since;
  const now = () => Math.round(from + (systemClock.now() - since) * times);
  /** Of those who sleep: the pace has changed. */
  const changes = new Set<AbortController>();
  return {
    now,
    go: (next) => {
      from = now();
      since = systemClock.now();
      times = next;
      for (const change of changes) change.abort();
    },
    sleep: async (ms, signal) => {
      const due = now() + ms;
      do {
        const change = new AbortController();
        changes.add(change);
        const end = signal ? AbortSignal.any([signal, change.signal]) : change.signal;
        try {
          await systemClock.sleep(Math.min(LONGEST_TIMER_MS, left(due, now(), times)), end);
        } catch (error) {
          if (signal?.aborted || !change.signal.aborted) throw error;
        } finally {
          changes.delete(change);
        }
      } while (now() < due);
    },
  };
}

/** A clock that always says the same time. Who sleeps by it sleeps as long as by the machine's. */
export function stoppedClock(at: number): Clock {
  return { ...systemClock, now: () => at };
}

/** A clock that begins now and goes so many times as fast as the machine's. */
export function fastClock(times: number): Clock {
  return clockFrom(systemClock.now(), times);
}

/** A clock that went as the machine's until `start`, and goes so many times as fast since; several processes share it. */
export function clockFrom(start: number, times: number): Clock {
  const now = () => Math.round(start + (systemClock.now() - start) * times);
  return {
    now,
    // A timer of the machine's that fires a millisecond early would be early by many of this clock's.
    sleep: async (ms, signal) => {
      const due = now() + ms;
      do await systemClock.sleep(left(due, now(), times), signal);
      while (now() < due);
    },
  };
}

/** In milliseconds of the machine. */
function left(due: number, now: number, times: number): number {
  return Math.ceil(Math.max(0, due - now) / times);
}
