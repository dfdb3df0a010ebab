import type { AckFn } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';
import { backoffMs, type Clock, raceAbort, withTimeout } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';
import type { Metrics } from '../../shared/metrics.ts';
import { boltLogger } from '../bolt-logger.ts';
import { clientOptions } from '../client.ts';
import { classifySlackError, terminalSlackError } from '../errors.ts';
import {
  disconnectReason,
  isNotice,
  lasting,
  lifetimeOf,
  NoHelloError,
  notConnecting,
} from './disconnects.ts';
import { type Inbox, NotAnsweredError } from './inbox.ts';

const RETRY = { firstMs: 500, maxMs: 30_000 };
const DISCONNECT_WAIT_MS = 3_000;
/** Without this, a socket that opens and never sends a hello would be waited for indefinitely. */
const HELLO_WAIT_MS = 30_000;
/** A connection that ends sooner was short-lived; after a few in a row, the next attempt backs off. */
const SHORT_LIVED_MS = 10_000;
const SHORT_LIVES = 2;
/** How long a replaced connection stays open: commands and buttons may still have to be answered on it. */
const RETIRING_MS = 10_000;
/** How long before its expected end a connection is replaced; a quarter of its lifetime, if that is shorter. */
const EARLY_MS = 60_000;
const PAUSED = 'left Socket Mode until the database can be reached';
const BROKE_OFF = 'connection lost; reconnecting';

export interface SocketReceiverOptions {
  appToken: string;
  apiUrl: string;
  inbox: Inbox;
  clock: Clock;
  random: () => number;
  log: Logger;
  metrics: Metrics;
  /** Ends the attempts to connect if the process is to stop before it is connected. */
  signal: AbortSignal;
  onConnected: (connected: boolean) => void;
  /** Why deliveries cannot arrive for now, for people; connecting is retried. */
  onFailure: (reason: string) => void;
  /** Whether a delivery could be stored now; `null` if there are no other replicas that could store it instead. */
  canStore: (() => Promise<boolean>) | null;
  /** Slack will never accept this token: the process is to end with this sentence. */
  onTerminal: (sentence: string) => void;
}

export interface SocketReceiver {
  /** Resolves once connected, or when there is no use in trying. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Socket Mode in front of the inbox, reconnecting by itself: a transient failure is retried with backoff, a terminal one is
 * reported. When Slack gives notice, or a connection is near its expected end, the next one is opened first, so that
 * there is always one.
 */
export function createSocketReceiver(options: SocketReceiverOptions): SocketReceiver {
  const { clock, log, metrics } = options;
  const stopping = new AbortController();
  const over = AbortSignal.any([stopping.signal, options.signal]);
  /** `open`: those with Slack's hello; `existing`: those still connecting too. */
  const open = new Set<Connection>();
  const existing = new Set<Connection>();
  let connecting: Promise<void> | null = null;
  let connectedAt = 0;
  let shortLives = 0;
  let reason: string | null = null;
  /** Whether Slack has said why it is closing the open connection. */
  let isExplained = false;
  /** Deliveries are left to other replicas. */
  let isPaused = false;

  function make(): Connection {
    const ended = new AbortController();
    let goodbye: string | null = null;
    let isReplaced = false;
    const replace = () => {
      if (isReplaced || over.aborted) return;
      isReplaced = true;
      void openNextBefore(connection, ended.signal);
    };
    const connection = createConnection({
      ...options,
      onHello: (lifetimeMs) => {
        if (lifetimeMs === null) return;
        const early = Math.min(EARLY_MS, lifetimeMs / 4);
        void clock
          .sleep(lifetimeMs - early, AbortSignal.any([over, ended.signal]))
          .then(replace, () => undefined);
      },
      onGoodbye: (notice) => {
        goodbye = `Slack closed the connection (${notice})`;
        if (isNotice(notice)) return replace();
        // A replacement that is refused does not affect the open connection.
        if (open.size > 0 && !open.has(connection)) return;
        reason = lasting(notice);
        isExplained = true;
        if (!over.aborted) options.onFailure(reason ?? goodbye);
      },
      onEnded: () => {
        if (!existing.delete(connection)) return;
        ended.abort();
        const wasOpen = open.delete(connection);
        if (!over.aborted) metrics.count('gumshoe_socket_disconnects_total');
        if (open.size === 0) allEnded(wasOpen ? goodbye : null);
      },
    });
    existing.add(connection);
    return connection;
  }

  function allEnded(goodbye: string | null): void {
    options.onConnected(false);
    if (over.aborted || isPaused) return;
    if (goodbye !== null) options.onFailure(reason ?? goodbye);
    else if (connecting === null && !isExplained) options.onFailure(BROKE_OFF);
    shortLives = clock.now() - connectedAt < SHORT_LIVED_MS ? shortLives + 1 : 0;
    void connectOnce();
  }

  /** The old connection keeps taking and answering deliveries for a while. */
  async function openNextBefore(old: Connection, ended: AbortSignal): Promise<void> {
    await connectOnce();
    if (over.aborted || open.size < 2) return;
    await clock.sleep(RETIRING_MS, AbortSignal.any([over, ended])).catch(() => undefined);
    if (open.size > 1 && open.has(old)) await old.close();
  }

  async function openOne(connection: Connection): Promise<void> {
    // The client itself would wait for ever for a server that accepts the connection and sends nothing.
    await withTimeout(connection.open(), {
      ms: HELLO_WAIT_MS,
      clock,
      onTimeout: () => {
        void connection.close();
        throw new NoHelloError('Slack sent no hello on a new connection');
      },
    });
    // Slack answered after the stop: without this the socket would stay open with nobody reading it.
    if (over.aborted) await connection.close();
    // While it is being connected, nothing else replaces it.
    else if (!existing.has(connection))
      throw new NoHelloError('the connection ended right after Slack’s hello');
  }

  async function connect(): Promise<void> {
    if (shortLives > SHORT_LIVES) await pause(shortLives - SHORT_LIVES - 1);
    for (let attempt = 0; !over.aborted && !isPaused; attempt += 1) {
      const next = make();
      try {
        await raceAbort(over, openOne(next));
        connected(next);
        return;
      } catch (error) {
        // On a stop, `next` stays among those that `stop` closes.
        if (over.aborted) return;
        existing.delete(next);
        const terminal = terminalSlackError(error, 'SLACK_APP_TOKEN');
        if (terminal) return options.onTerminal(terminal);
        await notConnected(error, attempt);
      }
    }
  }

  function connected(next: Connection): void {
    reason = null;
    isExplained = false;
    connectedAt = clock.now();
    if (over.aborted) return;
    open.add(next);
    if (open.size === 1) options.onConnected(true);
  }

  async function notConnected(error: unknown, attempt: number): Promise<void> {
    const failure = classifySlackError(error);
    // While another connection takes deliveries, there is no failure to report.
    if (open.size === 0) options.onFailure(reason ?? notConnecting(error));
    log.warn({ reason: reason ?? failure, attempt }, 'Socket Mode is not connected yet');
    await pause(attempt, failure.kind === 'rate_limited' ? failure.retryAfterMs : 0);
  }

  function pause(attempt: number, leastMs = 0): Promise<void> {
    const ms = Math.max(backoffMs(attempt, RETRY, options.random), leastMs);
    return clock.sleep(ms, over).catch(() => undefined);
  }

  function connectOnce(): Promise<void> {
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  function pauseDeliveries(): void {
    isPaused = true;
    options.onFailure(PAUSED);
    for (const connection of existing) void connection.close();
  }

  async function resumeDeliveries(): Promise<void> {
    isPaused = false;
    // An attempt from before may just have been given up.
    await connecting;
    if (open.size === 0) await connectOnce();
  }

  return {
    start: async () => {
      const { canStore } = options;
      if (canStore !== null) {
        void pauseWhileDatabaseIsDown({
          canStore,
          clock,
          log,
          signal: over,
          pause: pauseDeliveries,
          resume: () => void resumeDeliveries(),
        });
      }
      await connectOnce();
    },
    stop: async () => {
      stopping.abort();
      const gone = new AbortController();
      await Promise.race([
        Promise.all([...existing].map((connection) => connection.close())),
        clock.sleep(DISCONNECT_WAIT_MS, gone.signal).catch(() => undefined),
      ]);
      gone.abort();
    },
  };
}

const LOOK_EVERY_MS = 2_000;
/** A server that restarts is away for less, and deliveries wait for it. */
const PATIENCE_MS = 10_000;

interface PauseOptions {
  canStore: () => Promise<boolean>;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'info'>;
  signal: AbortSignal;
  pause: () => void;
  resume: () => void;
}

/**
 * Slack gives each delivery to one of an app's connections, whether or not that replica can store it. So a replica that
 * has been without its database for ten seconds leaves the deliveries to the others until it has it again.
 */
export async function pauseWhileDatabaseIsDown(options: PauseOptions): Promise<void> {
  const { canStore, clock, log, signal } = options;
  let storedAt = clock.now();
  let isPaused = false;
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    const can = await canStore().catch(() => false);
    if (signal.aborted) return;
    if (can) storedAt = clock.now();
    if (can && isPaused) {
      isPaused = false;
      log.info('the database is back; taking deliveries from Slack again');
      options.resume();
    } else if (!can && !isPaused && clock.now() - storedAt >= PATIENCE_MS) {
      isPaused = true;
      log.warn('cannot reach the database; leaving deliveries from Slack to the other replicas');
      options.pause();
    }
  }
}

/** The client's own 5 s would have a process that is short of processor time hang up on a healthy connection. */
const PONG_WAIT_MS = 15_000;

/** One Socket Mode connection, from its opening to its end; it is never opened again. */
interface Connection {
  /** Resolves once Slack has sent its hello; rejects if it sends something else, or the connection fails. */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface ConnectionOptions {
  appToken: string;
  apiUrl: string;
  log: Logger;
  inbox: Pick<Inbox, 'accept'>;
  /** Slack sent its hello: for about how long (milliseconds) the connection will last, or `null` if it does not say. */
  onHello: (lifetimeMs: number | null) => void;
  /** Slack says why it is closing the connection. If it only gives notice, the connection stays open until it closes. */
  onGoodbye: (reason: string) => void;
  onEnded: () => void;
}

/** A delivery as the client has it. */
const Envelope = z.object({
  envelope_id: z.string(),
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<AckFn<unknown>>((value) => typeof value === 'function'),
});

/**
 * Slack's client with a single connection. Its own reconnect is off: it waits five seconds first, and a failure while
 * reconnecting ends the process as an unhandled rejection (node-slack-sdk#2656).
 */
function createConnection(options: ConnectionOptions): Connection {
  const { log, inbox } = options;
  const client = new SocketModeClient({
    appToken: options.appToken,
    logger: boltLogger(log),
    autoReconnectEnabled: false,
    clientPingTimeout: PONG_WAIT_MS,
    clientOptions: clientOptions({ apiUrl: options.apiUrl, log }),
  });
  client.on('slack_event', (delivered: unknown) => {
    const envelope = Envelope.safeParse(delivered);
    if (!envelope.success) return log.warn({ err: envelope.error }, 'ignored a malformed envelope');
    const { body, ack, envelope_id: envelopeId } = envelope.data;
    inbox.accept({ body, ack, envelopeId }).catch((error) => {
      if (error instanceof NotAnsweredError) return;
      log.error({ err: error }, 'could not store a delivery; Slack will resend it');
    });
  });
  // The client hangs up on Slack's notice, some seconds before Slack would close: so the notice is kept from it.
  const clientListeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const reason = disconnectReason(data);
    if (reason !== null) options.onGoodbye(reason);
    const lifetime = lifetimeOf(data);
    if (lifetime !== undefined) options.onHello(lifetime);
    if (reason !== null && isNotice(reason)) return;
    for (const listener of clientListeners) listener(data, isBinary);
  });
  client.on('disconnected', options.onEnded);
  let isClosed = false;
  return {
    open: async () => {
      await client.start();
      if (!isClosed) return;
      // Closed while it asked Slack for the address, the client opens a socket all the same.
      await client.disconnect();
      throw new Error('the connection was closed before Slack sent its hello');
    },
    close: () => {
      isClosed = true;
      return client.disconnect();
    },
  };
}
