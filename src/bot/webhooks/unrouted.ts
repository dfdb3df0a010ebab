import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Blocker } from '../store/blockers.ts';
import type { Aggregates, Store } from '../store/open.ts';

/** The name of the blocker: alerts wait for a route. */
export const UNROUTED = 'alerts:unrouted';

const TELL_AGAIN_MS = 60_000;

export interface UnroutedOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Tells the admins, each once. False if nobody can be told. */
  tell: (blocker: Blocker) => Promise<boolean>;
  /** Changes what they were told: it is fixed at this moment. */
  replacePayload: (tx: Aggregates, blocker: Blocker, fixedAt: number | null) => Promise<void>;
}

/**
 * Keeps the admins informed, in one message each, of alerts that are kept because no route names a channel: called
 * after every round of work.
 */
export function createUnroutedNotice({ store, clock, log, tell, replacePayload }: UnroutedOptions) {
  let waitUntil = 0;
  let isTold = false;
  return async (): Promise<void> => {
    const waiting = await store.receivedAlerts.countUnrouted();
    if (waiting === 0) {
      isTold = false;
      // There is rarely anything to end, and an idle bot comes by here every second.
      if ((await store.blockers.get(UNROUTED)) === null) return;
      await store.transaction(async (tx) => {
        const ended = await tx.blockers.end(UNROUTED);
        if (ended !== null) await replacePayload(tx, ended, clock.now());
      });
      return;
    }
    if (isTold || clock.now() < waitUntil) return;
    const blocker = await store.transaction(async (tx) => {
      const known = await tx.blockers.get(UNROUTED);
      const now = known ?? { name: UNROUTED, reason: 'no_route', since: clock.now(), detail: '' };
      await tx.blockers.begin(now);
      return now;
    });
    isTold = await tell(blocker);
    if (isTold) return;
    waitUntil = clock.now() + TELL_AGAIN_MS;
    log.warn({ waiting }, 'could not notify anybody of alerts that no route covers');
  };
}
