import type { Bell } from '../../lib/bell.ts';
import { createRounds, type Worker } from '../../lib/rounds.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { type DeliverOptions, deliver } from './deliver.ts';

const BATCH = 100;
const IDLE_MS = 250;

/**
 * Works through the outbox: most urgent first, channels side by side, one message at a time in each.
 * The bell wakes it; the short wait is for what was postponed.
 */
export function createDelivery(options: DeliverOptions & { bell: Bell }): Worker {
  const { store, slack, bell } = options;

  async function round(signal: AbortSignal): Promise<number> {
    const due = await store.outbox.due(slack.clock.now(), BATCH);
    const byChannel = Map.groupBy(due, (row) => row.channel);
    await Promise.all([...byChannel.values()].map((rows) => inOrder(rows, signal)));
    slack.metrics.gauge('gumshoe_outbox_due', await store.outbox.countDue());
    return due.length;
  }

  async function inOrder(rows: OutboxRow[], signal: AbortSignal): Promise<void> {
    for (const row of rows) {
      if (signal.aborted) return;
      try {
        const fresh = await store.outbox.get(row.key);
        if (fresh?.state === 'due' && fresh.next_at <= slack.clock.now()) await deliver(fresh, options);
      } catch (error) {
        // Kept to its message: a round that ended early would start a second one beside the channels still at work.
        slack.log.error({ err: error, key: row.key }, 'the outcome of a message could not be recorded');
      }
    }
  }

  return createRounds({
    round,
    rest: (signal, worked) => bell.wait(worked === BATCH ? 0 : IDLE_MS, signal),
    onError: (error) => slack.log.error({ err: error }, 'the outbox could not be worked through'),
  });
}
