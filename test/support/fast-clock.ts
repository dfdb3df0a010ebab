import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/clock.ts';

/** A clock that begins now and goes so many times as fast as the machine's. */
export function fastClock(times: number): Clock {
  const start = systemClock.now();
  return {
    now: () => Math.round(start + (systemClock.now() - start) * times),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
