import pg from 'pg';
import { backoffMs, type Clock, withTimeout } from '../clock.ts';
import { createWorkerLoop, type Worker } from '../worker-loop.ts';
import { connectionOptions } from './pool.ts';

/** How often to try for the lead, and to check the leader's connection. */
const LOOK_MS = 2_000;
/** A server that takes longer to answer counts as lost, and the lead with it. */
const ANSWER_MS = 4_000;
const GOODBYE_MS = 1_000;
/** Lets the server notice within ten seconds that a replica is gone, even without any packet; seconds, and a count. */
const KEEP_ALIVE = { tcp_keepalives_idle: 4, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 };
const RECONNECT = { firstMs: 500, maxMs: 5_000 };

export interface SessionOptions {
  /**
   * Of the server itself: a pooler that shares connections between clients supports neither locks nor notifications.
   */
  url: string;
  applicationName: string;
  /** The advisory lock held by the leader, the same in every replica. */
  lock: number;
  /** The channel on which replicas notify each other. */
  channel: string;
  clock: Clock;
  random: () => number;
  /** This replica was notified, or may have been while disconnected (`null`). */
  onNotification: (payload: string | null) => void;
  /** Leads until the signal, and resolves once no leader work is running. */
  lead: (signal: AbortSignal) => Promise<void>;
  /** The connection was lost, or could not be made. */
  onFailure: (error: unknown) => void;
}

/**
 * One dedicated connection for a replica's lifetime: it receives the other replicas' notifications, and holds the
 * leader's lock. The server frees the lock when the connection ends for any reason; a leader that cannot reach the
 * server stops leading before that.
 */
export function createSession(options: SessionOptions): Worker {
  const { clock, random } = options;
  let failures = 0;

  async function live(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({
      ...connectionOptions(options),
      query_timeout: ANSWER_MS,
      statement_timeout: ANSWER_MS,
    });
    const lost = new AbortController();
    const either = AbortSignal.any([signal, lost.signal]);
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => options.onNotification(payload ?? null));
    let leading: Promise<void> | null = null;
    try {
      await client.connect();
      for (const [name, value] of Object.entries(KEEP_ALIVE)) await client.query(`set ${name} = ${value}`);
      await client.query(`listen ${client.escapeIdentifier(options.channel)}`);
      options.onNotification(null);
      failures = 0;
      while (!either.aborted) {
        if (leading === null && (await takeLock(client, options.lock))) {
          leading = options.lead(either).finally(() => lost.abort());
          // Awaited below.
          leading.catch(() => undefined);
        } else {
          await client.query('select 1');
        }
        await clock.sleep(LOOK_MS, either).catch(() => undefined);
      }
    } finally {
      lost.abort();
      try {
        await leading;
      } finally {
        await end(client, clock);
      }
    }
  }

  return createWorkerLoop({
    round: live,
    rest: async (signal) => {
      const waitMs = backoffMs(failures, RECONNECT, random);
      failures += 1;
      await clock.sleep(waitMs, signal);
    },
    onError: options.onFailure,
  });
}

/** If the network swallows packets, a clean close gets no answer either: the socket is then destroyed. */
async function end(client: pg.Client, clock: Clock): Promise<void> {
  await withTimeout(client.end(), {
    ms: GOODBYE_MS,
    clock,
    onTimeout: () => void client.connection.stream.destroy(),
  }).catch(() => undefined);
}

async function takeLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
  return rows[0]?.taken === true;
}
