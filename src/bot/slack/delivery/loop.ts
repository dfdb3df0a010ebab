import { createQueueWorker, type Wakeup, type Worker } from '../../../lib/worker-loop.ts';
import { traced } from '../../shared/tracing/spans.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { DeliverOptions } from './content.ts';
import { deliver } from './deliver.ts';

const BATCH = 100;
/** Nobody reads the metric more often. */
const COUNT_MS = 1_000;

/**
 * Works through the outbox: most urgent first, one message at a time per channel. Channels are independent: none waits
 * for a slow call in another.
 */
export function createDelivery(options: DeliverOptions & { wakeup: Wakeup }): Worker {
  const { store, slack, wakeup } = options;
  const working = new Map<string, Promise<void>>();
  let countedAt = Number.NEGATIVE_INFINITY;

  async function round(signal: AbortSignal): Promise<number> {
    const now = slack.clock.now();
    const due = await store.outbox.due(now, BATCH, [...working.keys()]);
    for (const [channel, rows] of Map.groupBy(due, (row) => row.channel)) {
      working.set(channel, inOrder(channel, rows, now, signal));
    }
    const isCounted = now >= countedAt + COUNT_MS;
    // A channel whose outcome could not be recorded wakes nobody.
    const isSettled = isCounted && working.size === 0;
    if (isCounted) {
      countedAt = now;
      slack.metrics.gauge('gumshoe_outbox_due', await store.outbox.countDue());
    }
    if (due.length === BATCH) return 0;
    const later = await store.outbox.untilNext(now);
    return isSettled ? later : Math.min(later, COUNT_MS);
  }

  /**
   * @param now when the rows were read. One that has been postponed since waits for the next round, even if it is due
   *   again by then: the messages before it were postponed as well, and must stay ahead of it.
   */
  async function inOrder(
    channel: string,
    rows: OutboxRow[],
    now: number,
    signal: AbortSignal,
  ): Promise<void> {
    let isRecorded = true;
    for (const row of rows) {
      if (signal.aborted) break;
      try {
        const fresh = await store.outbox.get(row.key);
        if (fresh?.state === 'due' && fresh.nextAt <= now) await deliverTraced(fresh, options);
      } catch (error) {
        isRecorded = false;
        slack.log.error({ err: error, key: row.key }, 'could not record the outcome of a message');
      }
    }
    working.delete(channel);
    // What arrived in the meantime was left alone. If nothing can be recorded, it would be due at once again.
    if (isRecorded) wakeup.wake();
  }

  const rounds = createQueueWorker({
    round,
    wakeup,
    onError: (error) => slack.log.error({ err: error }, 'could not process the outbox'),
  });

  return {
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.all(working.values());
    },
  };
}

/** Delivers it in the trace of its issue or question. */
function deliverTraced(row: OutboxRow, options: DeliverOptions): Promise<void> {
  const { issueId, questionId, kind } = row;
  const work = () => deliver(row, options);
  if (questionId !== null) return traced(`question:${questionId}`, `deliver ${kind}`, work);
  return issueId === null ? work() : traced(`issue:${issueId}`, `deliver ${kind}`, work);
}
