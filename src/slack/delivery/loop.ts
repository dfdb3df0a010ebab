import type { Bell } from '../../lib/bell.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { type DeliverOptions, deliver } from './deliver.ts';

const BATCH = 100;
const IDLE_MS = 250;

export interface Delivery {
  start(): void;
  /** Resolves when what is being sent has been recorded. */
  stop(): Promise<void>;
}

/**
 * Works through the outbox: most urgent first, channels side by side, one message at a time in each.
 * The bell wakes it; the short wait is for what was postponed.
 */
export function createDelivery(options: DeliverOptions & { bell: Bell }): Delivery {
  const { store, slack, bell } = options;
  const stopping = new AbortController();
  let loop: Promise<void> = Promise.resolve();

  async function round(): Promise<number> {
    const due = await store.outbox.due(slack.clock.now(), BATCH);
    const byChannel = Map.groupBy(due, (row) => row.channel);
    await Promise.all([...byChannel.values()].map((rows) => inOrder(rows)));
    slack.metrics.gauge('gumshoe_outbox_due', await store.outbox.countDue());
    return due.length;
  }

  async function inOrder(rows: OutboxRow[]): Promise<void> {
    for (const row of rows) {
      if (stopping.signal.aborted) return;
      try {
        const fresh = await store.outbox.get(row.key);
        if (fresh?.state === 'due' && fresh.next_at <= slack.clock.now()) await deliver(fresh, options);
      } catch (error) {
        // Kept to its message: a round that ended early would start a second one beside the channels still at work.
        slack.log.error({ err: error, key: row.key }, 'the outcome of a message could not be recorded');
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let worked = 0;
      try {
        worked = await round();
      } catch (error) {
        slack.log.error({ err: error }, 'the outbox could not be worked through');
      }
      await bell.wait(worked === BATCH ? 0 : IDLE_MS, stopping.signal);
    }
  }

  return {
    start: () => {
      loop = run();
    },
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
