import type { Clock } from '../clock.ts';
import type { Delivery, DeliveryStore } from '../store/deliveries.ts';
import type { Transport } from './transport.ts';

/** Milliseconds before each retry, as Slack waits: at once, a minute, five minutes; then it is lost. */
const RETRY_DELAYS: readonly number[] = [0, 60_000, 300_000];

/** Delivers events until the app acknowledges them or their retries are used up; survives a restart. */
export interface EventQueue {
  /** Takes up what an earlier run left. */
  start(): void;
  add(id: string, body: object): void;
  /** Stops; what is not acknowledged stays for the next start. */
  close(): Promise<void>;
}

interface QueueDeps {
  store: DeliveryStore;
  transport: Transport;
  clock: Clock;
  delays?: readonly number[] | undefined;
}

export function createEventQueue({ store, transport, clock, delays = RETRY_DELAYS }: QueueDeps): EventQueue {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();

  const waitUntil = async (due: number): Promise<boolean> => {
    const wait = due - clock.now();
    if (wait <= 0) return true;
    return clock.sleep(wait, stop.signal).then(
      () => true,
      () => false,
    );
  };

  const deliver = async (first: Delivery): Promise<void> => {
    let delivery = first;
    while (await waitUntil(delivery.due_at)) {
      const body: object = JSON.parse(delivery.payload);
      const { attempt, reason } = delivery;
      const ack = await transport.deliver('events_api', body, attempt > 0 ? { attempt, reason } : undefined);
      if (stop.signal.aborted && !ack.ok) return;
      const delay = delays[attempt];
      if (ack.ok || ack.noRetry || delay === undefined) {
        store.done(delivery.id);
        return;
      }
      const due_at = Math.floor(clock.now() + delay);
      delivery = { ...delivery, attempt: attempt + 1, reason: ack.reason, due_at };
      store.postpone(delivery);
    }
  };

  const run = (delivery: Delivery) => {
    const task = deliver(delivery).finally(() => running.delete(task));
    running.add(task);
  };

  return {
    start: () => {
      for (const delivery of store.pending()) run(delivery);
    },
    add: (id, body) => {
      const due_at = Math.floor(clock.now());
      const delivery: Delivery = { id, payload: JSON.stringify(body), attempt: 0, reason: '', due_at };
      store.add(delivery);
      run(delivery);
    },
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}
