import { whenAborted } from '../../lib/clock.ts';
import { reasonOf } from '../../lib/postgres/errors.ts';
import { createListener } from '../../lib/postgres/listener.ts';
import {
  createInTurn,
  createWorkerLoop,
  type Lifecycle,
  startInOrder,
  type Worker,
} from '../../lib/worker-loop.ts';
import type { Deps } from '../deps.ts';
import type { Replicas } from '../store/dialects/postgres-replicas.ts';
import { namedWakeups } from '../store/wakeups.ts';
import { createLeadership } from './leadership.ts';

const CHANNEL = 'gumshoe';
/** How often a replica sends its heartbeat, and looks for work of replicas that are gone. */
const PRESENT_MS = 3_000;

/** Wakes the workers of the replica that leads, for what this one has stored. */
export interface Notifier {
  notify(name: string): void;
  /** From now on; nobody is to be notified before. */
  start(replicas: Replicas, lead: Deps['lead']): void;
}

/** Sends one notification for each turn of the event loop. One that is lost costs the leader a few seconds. */
export function createNotifier(log: Deps['log']): Notifier {
  const names = new Set<string>();
  let reach: { replicas: Replicas; lead: Deps['lead'] } | null = null;
  async function flush(replicas: Replicas): Promise<void> {
    const payload = [...names].join(',');
    names.clear();
    await replicas.notify(CHANNEL, payload);
  }
  return {
    notify: (name) => {
      if (reach === null || reach.lead.isHeld()) return;
      const { replicas } = reach;
      const isFirst = names.size === 0;
      names.add(name);
      if (!isFirst) return;
      setImmediate(() => {
        flush(replicas).catch((error) =>
          log.warn(
            { reason: reasonOf(error) },
            'could not notify the other replicas; they look by themselves',
          ),
        );
      });
    },
    start: (replicas, lead) => {
      reach = { replicas, lead };
    },
  };
}

export interface ReplicaOptions {
  clock: Deps['clock'];
  random: Deps['random'];
  log: Deps['log'];
  metrics: Deps['metrics'];
  wakeups: Deps['wakeups'];
  replicas: Replicas;
  /** Of the database itself, past any pooler. */
  url: string;
  /** What the leader is seen to do, on every replica. */
  status: { shared(): string; followed(status: string | null): void };
  /** Sets this replica's clock by the database's. */
  followClock: () => Promise<void>;
  /** Starts what the leader does. */
  start: (lifecycle: Lifecycle) => Promise<void>;
}

/**
 * One of several replicas: it sends heartbeats, takes over what others left behind, and leads while it holds the
 * lead. Parts to start in this order.
 */
export function createReplica(
  options: ReplicaOptions,
): Deps['lead'] & { assertLeads: () => void } & { parts: [name: string, worker: Worker][] } {
  const { replicas, clock, random, log, metrics, wakeups } = options;
  let isHeld = false;
  /** From before it begins to lead until nothing of that is under way. */
  let isLeading = false;

  function hold(held: boolean): void {
    isHeld = held;
    metrics.gauge('gumshoe_leader', held ? 1 : 0);
  }

  /** One after the other: the last one counts. */
  const inTurn = createInTurn();
  const sendHeartbeat = () =>
    inTurn('presence', () => replicas.seen(isLeading, isHeld ? options.status.shared() : null));

  async function lead(signal: AbortSignal): Promise<void> {
    isLeading = true;
    try {
      await sendHeartbeat();
      if (!signal.aborted) await leadUntil(signal);
    } finally {
      isLeading = false;
      // Nothing of ours is under way any more. Where this cannot be stored now, the next round of `presence` does.
      await sendHeartbeat().catch((error) => {
        log.warn({ reason: reasonOf(error) }, 'could not announce that this replica no longer leads');
      });
    }
  }

  async function leadUntil(signal: AbortSignal): Promise<void> {
    hold(true);
    log.info({ replica: replicas.id }, 'became leader');
    try {
      const { stop } = await startInOrder(options.start, (error, part) =>
        log.error({ err: error, part }, 'a component did not stop cleanly'),
      );
      await whenAborted(signal);
      hold(false);
      await stop();
    } finally {
      hold(false);
      log.info({ replica: replicas.id }, 'no longer leader');
    }
  }

  const presence = createWorkerLoop({
    round: async () => {
      await sendHeartbeat();
      await options.followClock();
      options.status.followed(isLeading ? null : await replicas.leaderStatus());
      const adopted = await replicas.adoptDeliveries();
      if (adopted > 0) log.info({ deliveries: adopted }, 'took over deliveries from a replica that is gone');
      metrics.gauge('gumshoe_replicas', (await replicas.present()).length);
    },
    rest: (signal) => clock.sleep(PRESENT_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not send the heartbeat'),
  });

  const onFailure = (error: unknown) => {
    metrics.count('gumshoe_database_connections_lost_total');
    log.warn({ reason: reasonOf(error) }, 'lost the connection to the database; connecting again');
  };
  const notifications = createListener({
    url: options.url,
    applicationName: 'gumshoe notifications',
    channel: CHANNEL,
    clock,
    random,
    onNotification: (payload) => {
      const named = namedWakeups(wakeups);
      const names = payload === null ? named.keys() : payload.split(',');
      for (const name of names) named.get(name)?.wake();
    },
    onFailure,
  });
  const leadership = createLeadership({ replicas, clock, lead, onFailure });

  return {
    isHeld: () => isHeld,
    assertLeads: leadership.assertLeads,
    parts: [
      [
        'presence',
        {
          start: presence.start,
          stop: async () => {
            await presence.stop();
            await replicas.leave();
          },
        },
      ],
      ['notifications', notifications],
      ['leadership', leadership],
    ],
  };
}
