import type { Organization } from '../../contract/client/client.ts';
import type { Clock } from '../../lib/clock.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import type { Store } from '../store/open.ts';
import type { Poller } from './poll.ts';

/** When an issue is looked at first, after its investigation began; each later look is at twice the time of the one before. */
const FIRST_MS = 500;
/** An investigation that has run for longer is the scheduled poll's alone. */
const YOUNG_MS = 64_000;
/** Between two rounds: what falls due within it shares a round, and a list instead of single requests. */
const ROUND_MS = 500;

interface YoungOptions {
  store: Store;
  organization: Organization;
  poller: Pick<Poller, 'check' | 'notBefore'>;
  clock: Clock;
  log: Logger;
  wakeup: Wakeup;
}

/**
 * Looks at issues 0.5, 1, 2, 4 … s after their investigation was started: most end long before the next scheduled poll. When one
 * is next due is not stored: after a restart it follows from when the investigation began.
 */
export function createYoungWatch(options: YoungOptions): Worker {
  const { store, organization, poller, clock, log, wakeup } = options;
  let lastRoundAt = 0;
  const looks = new Map<string, { since: number; nextAt: number }>();

  /** Returns how long to rest. */
  async function round(): Promise<number> {
    const now = clock.now();
    const young = await store.issues.young(organization, now - YOUNG_MS);
    const ids = new Set(young.map(({ id }) => id));
    for (const id of looks.keys()) if (!ids.has(id)) looks.delete(id);
    for (const { id, investigatingSince: since } of young) {
      if (looks.get(id)?.since !== since) looks.set(id, { since, nextAt: nextAfter(since, now) });
    }
    const due = young.filter(({ id }) => (looks.get(id)?.nextAt ?? 0) <= now);
    const isLeftAlone = poller.notBefore() > now;
    if (due.length > 0 && !isLeftAlone && now >= lastRoundAt + ROUND_MS) {
      lastRoundAt = now;
      await poller.check(due);
      for (const { id, investigatingSince: since } of due) {
        looks.set(id, { since, nextAt: nextAfter(since, clock.now()) });
      }
    }
    const next = Math.min(...[...looks.values()].map(({ nextAt }) => nextAt));
    if (!Number.isFinite(next)) return next;
    return Math.max(0, Math.max(next, poller.notBefore(), lastRoundAt + ROUND_MS) - clock.now());
  }

  return createQueueWorker({
    round,
    wakeup,
    onError: (error) => log.error({ err: error }, 'could not check issues under investigation'),
  });
}

/** The first of 0.5, 1, 2, 4 … s after the start that is still to come. A clock that was set back is followed. */
function nextAfter(since: number, now: number): number {
  const age = Math.max(0, now - since);
  let after = FIRST_MS;
  while (after <= age) after *= 2;
  return Math.min(since, now) + after;
}
