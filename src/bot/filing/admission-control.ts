import { backoffMs, type Clock, hasCome } from '../../lib/clock.ts';

/** Out of the service client's sixteen connections, which everything shares. */
const MOST_AT_ONCE = 4;
/**
 * A service that has just come back, facing everybody's backlog, is easily overloaded again. So start with two
 * requests a second, and a tenth faster with each success; after about twenty, nothing is held back.
 */
const START = { atOnce: 2, gapMs: 500 };
const FASTER = 0.9;
const NO_GAP_MS = 50;
const LONGEST_GAP_MS = 30_000;
/** However long the service asks to wait. */
const LONGEST_WAIT_MS = 5 * 60_000;
const PROBE_RETRY = { firstMs: 1_000, maxMs: 30_000 };
/** This many failures in a row mean that the service is failing, not one issue. */
const OUTAGE = 3;

/** Decides at what pace, and in what order, issues are sent to the service. */
export interface AdmissionControl {
  /** Whether an issue of the channel may be sent now. */
  isFree(channel: string): boolean;
  /** Milliseconds until the next may be sent; 0 if only requests in progress are waited for. */
  waitMs(): number;
  begin(channel: string): void;
  /**
   * The service answered.
   *
   * @returns true if it had been failing for so long that everything postponed is due again
   */
  answered(channel: string): boolean;
  /** The service failed, or was not called; `retryAfterMs` is how long it (or its breaker) asks us to wait. */
  failed(channel: string, retryAfterMs: number | null): void;
  /** The process is stopping, or the outcome could not be stored; this says nothing about the service. */
  dropped(channel: string): void;
  /** Whether the last attempt failed. */
  isFailing(): boolean;
  /** Nothing is waiting anymore: new issues may be sent in parallel, even within a channel. */
  caughtUp(): void;
}

/**
 * While the service fails, one issue at a time probes it. When it answers again, and after a start, the backlog is
 * sent in order: one at a time per channel, slowly at first.
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
      if (!hasCome(notBefore, clock.now(), LONGEST_WAIT_MS)) return false;
      if (failures > 0) return running === 0;
      return running < Math.floor(atOnce) && !(inOrder && underWay.has(channel));
    },
    waitMs: () => (hasCome(notBefore, clock.now(), LONGEST_WAIT_MS) ? 0 : notBefore - clock.now()),
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
      // Requests sent in parallel fail together: that counts as one failure.
      if (failures === 0 || hasCome(notBefore, clock.now(), LONGEST_WAIT_MS)) failures += 1;
      if (gapMs > 0) gapMs = Math.min(LONGEST_GAP_MS, gapMs * 2);
      const wait = Math.max(
        Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS),
        backoffMs(failures - 1, PROBE_RETRY, random),
      );
      const isWaiting = !hasCome(notBefore, clock.now(), LONGEST_WAIT_MS);
      notBefore = Math.max(isWaiting ? notBefore : 0, clock.now() + wait);
    },
    dropped: end,
    isFailing: () => failures > 0,
    caughtUp: () => {
      if (running === 0 && failures === 0) inOrder = false;
    },
  };
}
