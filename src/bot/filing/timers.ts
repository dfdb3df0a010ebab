import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import { heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { statusToReturnTo } from './file.ts';
import { joinOpened } from './held.ts';
import { endPlans, type PlanOptions } from './planned.ts';
import { notifyQueued } from './queued-line.ts';

/** While alerts are held, or issues wait for the service. */
const EVERY_MS = 5_000;
/** A storm is over after this long without another alert. */
const CALM_MS = 60_000;

export interface TimerOptions extends PlanOptions {
  store: Store;
  log: Logger;
  metrics: Metrics;
  /** What people are notified of while it does not work. */
  problems: { watch(source: { name: string; fixedBy: 'members'; sentence: () => string | null }): unknown };
  wakeup: Wakeup;
}

/** What happens as time passes: storms and mutes end, and channels get messages about queued alerts. */
export function createTimers(options: TimerOptions): Worker {
  const { store, clock, log, metrics, wakeup } = options;
  let unreadable = 0;
  options.problems.watch({
    name: 'plans',
    fixedBy: 'members',
    sentence: () =>
      unreadable === 0
        ? null
        : `${unreadable === 1 ? 'a stored plan' : `${unreadable} stored plans`} cannot be read, so alerts are filed as if nothing was planned; /gumshoe plan removes it`,
  });
  return createQueueWorker({
    round: () =>
      store.transaction(async (tx) => {
        const mayHaveWork = (await tx.holds.isAnyOpen()) || (await tx.issues.countPending()) > 0;
        if (mayHaveWork) {
          await joinOpened(tx, clock);
          await endStorms(tx, clock.now());
          await notifyQueued(tx, clock.now());
        }
        await endMutes(tx, clock.now());
        const { untilNext, lost } = await endPlans(tx, options);
        unreadable = (await tx.flags.unreadablePlans()).length;
        if (lost > 0)
          log.error(
            { plans: lost },
            'alerts waited for planned work whose record is not there; they are filed',
          );
        metrics.gauge('gumshoe_plans_unreadable', unreadable);
        return mayHaveWork ? Math.min(EVERY_MS, untilNext) : untilNext;
      }),
    wakeup,
    onError: (error) => log.error({ err: error }, 'could not process storms, mutes and planned work'),
  });
}

async function endStorms(tx: Aggregates, now: number): Promise<void> {
  for (const { id } of await tx.holds.calm(now - CALM_MS)) {
    await tx.holds.become(id, 'quiet');
    await tx.outbox.again(heldKey(id));
  }
  for (const { id } of await tx.holds.doneWith()) {
    await tx.holds.become(id, 'closed');
    await tx.outbox.again(heldKey(id));
  }
}

async function endMutes(tx: Aggregates, now: number): Promise<void> {
  for (const issue of await tx.issues.muteEnded(now)) {
    const text = `Mute ended${issue.hidden > 0 ? `; ${issue.hidden} ${issue.hidden === 1 ? 'repeat' : 'repeats'} hidden` : ''}`;
    await tx.issues.apply(issue.id, transitions.endMute(statusToReturnTo(issue, now), text, now));
    await tx.outbox.refreshCards(issue.id);
  }
}
