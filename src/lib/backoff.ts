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
