import type { Clock } from '../../lib/clock.ts';

const MINUTE_MS = 60_000;
/** The keys of one minute; after that, counting starts over. */
const MOST = 10_000;

/** How often each key was counted in the current minute, by this process alone. */
export function countInMemory(clock: Pick<Clock, 'now'>): (key: string) => number {
  const counts = new Map<string, number>();
  let minute = -1;
  return (key) => {
    const current = Math.floor(clock.now() / MINUTE_MS);
    if (current !== minute || counts.size >= MOST) counts.clear();
    minute = current;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}
