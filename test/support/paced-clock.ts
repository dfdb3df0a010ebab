import { type Clock, systemClock } from '../../src/lib/clock.ts';

/** A clock whose pace a test sets: as long as it goes with the machine's, whatever is timed has the time it has in use. */
export interface PacedClock extends Clock {
  /** From now on it goes so many times as fast as the machine's. */
  go(times: number): void;
}

/** Who sleeps looks again after so many milliseconds of the machine: the pace may have changed. */
const LOOK_MS = 20;

/** A clock that begins now, and goes with the machine's until it is told otherwise. */
export function pacedClock(): PacedClock {
  let times = 1;
  let since = systemClock.now();
  let from = since;
  const now = () => Math.round(from + (systemClock.now() - since) * times);
  return {
    now,
    go: (next) => {
      from = now();
      since = systemClock.now();
      times = next;
    },
    sleep: async (ms, signal) => {
      const due = now() + ms;
      do await systemClock.sleep(Math.min(LOOK_MS, left(due, now(), times)), signal);
      while (now() < due);
    },
  };
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
