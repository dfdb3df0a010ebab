import pg from 'pg';
import { backoffMs, type Clock } from '../clock.ts';
import { createWorkerLoop, type Worker } from '../worker-loop.ts';
import { connectionOptions } from './pool.ts';

/** How often to check the connection: one dropped by the network receives nothing, silently. */
const LOOK_MS = 10_000;
const ANSWER_MS = 5_000;
const RECONNECT = { firstMs: 200, maxMs: 5_000 };

export interface ListenerOptions {
  /** Of the server itself: a pooler that shares connections between clients does not support notifications. */
  url: string;
  applicationName: string;
  channel: string;
  clock: Clock;
  random: () => number;
  /** A notification arrived, or may have been missed while disconnected (`null`). */
  onNotification: (payload: string | null) => void;
  /** The connection was lost or could not be made; it is retried. */
  onFailure: (error: unknown) => void;
}

/** Listens for notifications of a channel on a dedicated connection. */
export function createListener(options: ListenerOptions): Worker {
  const { clock, random, channel, onNotification } = options;
  let failures = 0;

  async function listen(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({ ...connectionOptions(options), query_timeout: ANSWER_MS });
    const lost = new AbortController();
    const either = AbortSignal.any([signal, lost.signal]);
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the server closed the connection')));
    client.on('notification', ({ payload }) => onNotification(payload ?? null));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      failures = 0;
      onNotification(null);
      while (!either.aborted) {
        await clock.sleep(LOOK_MS, either).catch(() => undefined);
        if (!either.aborted) await client.query('select 1');
      }
    } finally {
      // A lost connection needs no closing.
      await client.end().catch(() => undefined);
    }
    if (!signal.aborted) throw lost.signal.reason;
  }

  return createWorkerLoop({
    round: listen,
    rest: async (signal) => {
      failures += 1;
      await clock.sleep(backoffMs(failures, RECONNECT, random), signal);
    },
    onError: options.onFailure,
  });
}
