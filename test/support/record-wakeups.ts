import { createWakeups, type Wakeups } from '../../src/bot/store/wakeups.ts';
import type { Wakeup } from '../../src/lib/worker-loop.ts';

/** The wake-ups of a store, and the names of those that were woken since `woken` was last emptied, each once and sorted. */
export function recordWakeups(nameOf: (queue: string, organization?: string) => string = (queue) => queue): {
  wakeups: Wakeups;
  woken: string[];
} {
  const woken: string[] = [];
  const record = (wakeup: Wakeup, name: string): Wakeup => ({
    wait: wakeup.wait,
    wake: () => {
      if (!woken.includes(name)) woken.push(name);
      woken.sort();
      wakeup.wake();
    },
  });
  const real = createWakeups();
  const ofEach = (queue: 'filed' | 'status' | 'young') => ({
    default: record(real[queue].default, nameOf(queue, 'default')),
    private: record(real[queue].private, nameOf(queue, 'private')),
  });
  return {
    woken,
    wakeups: {
      outbox: record(real.outbox, nameOf('outbox')),
      asked: record(real.asked, nameOf('asked')),
      webhooks: record(real.webhooks, nameOf('webhooks')),
      artifacts: record(real.artifacts, nameOf('artifacts')),
      sessions: record(real.sessions, nameOf('sessions')),
      timers: record(real.timers, nameOf('timers')),
      filed: ofEach('filed'),
      status: ofEach('status'),
      young: ofEach('young'),
    },
  };
}
