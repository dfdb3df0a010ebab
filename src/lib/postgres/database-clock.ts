import { type Clock, systemClock } from '../clock.ts';

/** A clock that shows the database's time, which is the same for all replicas, whatever their machines' clocks show. */
export interface DatabaseClock extends Clock {
  /** Sets it by the database's answer to what time it is. To be called now and then. */
  follow(ask: () => Promise<number>): Promise<void>;
}

/** @param monotonicMs goes on evenly, from any moment on: a machine's clock that is set has no effect on it */
export function createDatabaseClock(monotonicMs = () => performance.now()): DatabaseClock {
  let offsetMs = systemClock.now() - monotonicMs();
  let isSet = false;
  return {
    now: () => Math.round(monotonicMs() + offsetMs),
    sleep: systemClock.sleep,
    follow: async (ask) => {
      const askedMs = monotonicMs();
      const answer = await ask();
      const halfMs = (monotonicMs() - askedMs) / 2;
      const foundMs = answer - (askedMs + halfMs);
      // A difference that the answer's way explains is none: the time does not jump back and forth.
      if (isSet && Math.abs(foundMs - offsetMs) <= halfMs) return;
      offsetMs = foundMs;
      isSet = true;
    },
  };
}
