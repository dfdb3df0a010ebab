/** How long to wait before the next try. Milliseconds. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/**
 * Exponential backoff with jitter: doubles with each failed attempt (0 for the first) up to a maximum, and randomises the
 * upper half, so that callers that failed together do not retry together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}
