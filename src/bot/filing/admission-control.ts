import { backoffMs } from '../../lib/backoff.ts';
import type { Clock } from '../../lib/clock.ts';

/** Of sixteen connections that the service's client has, for everything. */
const MOST_AT_ONCE = 4;
/**
 * A service that has just come back, with everybody's backlog before it, is easily brought down again: two a second at
 * first, and a tenth faster with each answer, so that after some twenty answers nothing is held up any more.
 */
const START = { atOnce: 2, gapMs: 500 };
const FASTER = 0.9;
const NO_GAP_MS = 50;
const LONGEST_GAP_MS = 30_000;
const RETRY = { firstMs: 1_000, maxMs: 30_000 };
/** So many tries in a row that failed are the service's failure, and not that of one issue. */
const OUTAGE = 3;

/** At what pace issues are brought to the service, and in what order. */
export interface AdmissionControl {
  /** Whether an issue of the channel may be sent now. */
  isFree(channel: string): boolean;
  /** Milliseconds until the next may be sent; 0 where only what is under way is waited for. */
  waitMs(): number;
  begin(channel: string): void;
  /** The service answered. @returns true where it had failed for so long that whatever was put off is due again */
  answered(channel: string): boolean;
  /** The service failed, or was not asked; `retryAfterMs` is what it (or its breaker) asks to wait. */
  failed(channel: string, retryAfterMs: number | null): void;
  /** The process stops, or what became of it could not be kept: that says nothing of the service. */
  dropped(channel: string): void;
  /** Whether the service failed at the last try. */
  isFailing(): boolean;
  /** Nothing waits any more: what comes next goes side by side, in one channel too. */
  caughtUp(): void;
}

/**
 * While the service fails, one issue tries for all. When it answers again, and after a start, what waits goes in its
 * order: one at a time in each channel, slowly at first.
 */
export function createAdmissionControl({
  clock,
  random,
}: {
  clock: Clock;
  random: () => number;
}): AdmissionControl {
  const underWay = new Map<string, number>();
  let running = 0;
  let { atOnce, gapMs }: { atOnce: number; gapMs: number } = { atOnce: MOST_AT_ONCE, gapMs: 0 };
  let failures = 0;
  let notBefore = 0;
  let inOrder = true;

  function end(channel: string): void {
    running -= 1;
    const left = (underWay.get(channel) ?? 1) - 1;
    if (left > 0) underWay.set(channel, left);
    else underWay.delete(channel);
  }

  return {
    isFree: (channel) => {
      if (clock.now() < notBefore) return false;
      if (failures > 0) return running === 0;
      return running < Math.floor(atOnce) && !(inOrder && underWay.has(channel));
    },
    waitMs: () => Math.max(0, notBefore - clock.now()),
    begin: (channel) => {
      running += 1;
      underWay.set(channel, (underWay.get(channel) ?? 0) + 1);
      notBefore = clock.now() + gapMs;
    },
    answered: (channel) => {
      end(channel);
      const wasOut = failures >= OUTAGE;
      failures = 0;
      if (wasOut) {
        inOrder = true;
        atOnce = START.atOnce;
        gapMs = Math.max(gapMs, START.gapMs);
        notBefore = clock.now() + gapMs;
      } else {
        gapMs = gapMs * FASTER < NO_GAP_MS ? 0 : gapMs * FASTER;
        atOnce = Math.min(MOST_AT_ONCE, atOnce * (2 - FASTER));
      }
      return wasOut;
    },
    failed: (channel, retryAfterMs) => {
      end(channel);
      // Those that were sent side by side fail together: that is one failure.
      if (failures === 0 || clock.now() >= notBefore) failures += 1;
      if (gapMs > 0) gapMs = Math.min(LONGEST_GAP_MS, gapMs * 2);
      const wait = Math.max(retryAfterMs ?? 0, backoffMs(failures - 1, RETRY, random));
      notBefore = Math.max(notBefore, clock.now() + wait);
    },
    dropped: end,
    isFailing: () => failures > 0,
    caughtUp: () => {
      if (running === 0 && failures === 0) inOrder = false;
    },
  };
}
