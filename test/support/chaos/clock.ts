import { type Clock, systemClock } from '../../../src/lib/clock.ts';

/** A clock that several processes share: it went as the machine's until `start`, and goes so many times as fast since. */
export function sharedClock(start: number, times: number): Clock {
  return {
    now: () => Math.round(start + (systemClock.now() - start) * times),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
