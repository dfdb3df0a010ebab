import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createInbox, type Inbox, type InboxOptions } from '../../../../src/bot/slack/receivers/inbox.ts';
import type { Store } from '../../../../src/bot/store/open.ts';
import type { Checkpoint } from '../../../../src/lib/clock.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { until } from '../../../support/until.ts';

type Incoming = Parameters<Inbox['accept']>[0];

interface StoredDelivery {
  key: string;
  body: string;
  state: string;
  attempts: number;
  error: string | null;
}

/** An inbox on a real store, on a clock that only the test moves, with a look into its table. */
export async function openInbox(
  options: { checkpoint?: Checkpoint; change?: (store: Store) => Store; gap?: InboxOptions['gap'] } = {},
) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const clock = manualClock();
  const metrics = createMetrics();
  const store = options.change ? options.change(opened.store) : opened.store;
  const create = () =>
    createInbox({
      store,
      clock,
      metrics,
      log: createLogger('silent'),
      checkpoint: options.checkpoint ?? (() => undefined),
      gap: options.gap ?? { begins: async () => undefined, ended: () => undefined },
    });
  const rows = () => rowsOf(opened.file);
  const handled = (count: number) =>
    until(`${count} are handled`, () => rows().filter(({ state }) => state === 'done').length === count);
  return { store: opened.store, clock, metrics, inbox: create(), create, rows, handled };
}

function rowsOf(file: string): StoredDelivery[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    const query = 'select key, body, state, attempts, error from inbox order by received_at, key';
    return db.prepare<[], StoredDelivery>(query).all();
  } finally {
    db.close();
  }
}

/** An event as Slack delivers it; `acks` counts its acknowledgements. */
export function anEvent(id: string, more: Partial<Incoming> = {}) {
  const acks = { count: 0 };
  const incoming: Incoming = {
    body: { type: 'event_callback', event_id: id, event: { type: 'message', text: id } },
    ack: async () => {
      acks.count += 1;
    },
    ...more,
  };
  return { incoming, acks };
}
