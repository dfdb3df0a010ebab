/** How long to wait before the next try. Milliseconds. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/**
 * Doubles with each failed attempt (0 for the first) up to a bound, and takes a random half of it, so that
 * many who failed together do not come back together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}
