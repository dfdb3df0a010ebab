import { type Receiver, SocketModeReceiver } from '@slack/bolt';
import { backoffMs } from '../../../lib/backoff.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import { boltLogger } from '../bolt-logger.ts';
import { clientOptions } from '../client.ts';
import { classifySlackError, terminalSlackError } from '../errors.ts';
import { lasting, notConnecting, saidAtTheEnd } from './disconnects.ts';
import { behindInbox, type Inbox, NotAnsweredError } from './inbox.ts';

const RETRY = { firstMs: 500, maxMs: 30_000 };
const DISCONNECT_WAIT_MS = 3_000;
/** A socket that opens and says nothing would be waited for without end. */
const HELLO_WAIT_MS = 30_000;
/** A connection that ends sooner did not last; after a few of those in a row the next one is waited for. */
const LASTING_MS = 10_000;
const SHORT_LIVES = 2;
const BROKE_OFF = 'connection lost; reconnecting';

export interface SocketReceiverOptions {
  appToken: string;
  apiUrl: string;
  inbox: Inbox;
  clock: Clock;
  random: () => number;
  log: Logger;
  metrics: Metrics;
  /** Ends the tries to connect, when the process is to stop before it is connected. */
  signal: AbortSignal;
  /** Whether deliveries can come in. */
  onConnected: (connected: boolean) => void;
  /** Why deliveries cannot come in for now, in words; it is tried again. */
  onFailure: (reason: string) => void;
  /** Slack will never take this token: the process is to end with this sentence. */
  onTerminal: (sentence: string) => void;
}

/**
 * Bolt's Socket Mode receiver with the inbox in front, reconnecting by itself. The client's own reconnecting
 * is off: it waits five seconds first, and a failure in it ends the process as an unhandled rejection
 * (node-slack-sdk#2656). Here a passing failure is tried again with backoff, a terminal one is told.
 */
export function createSocketReceiver(options: SocketReceiverOptions): Receiver {
  const { inbox, clock, log, metrics } = options;
  const receiver = new SocketModeReceiver({
    appToken: options.appToken,
    logger: boltLogger(log),
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: clientOptions({ apiUrl: options.apiUrl, log }) },
    customPropertiesExtractor: ({ envelope_id }) => ({ envelopeId: envelope_id }),
    processEventErrorHandler: async ({ error }) => {
      if (!(error instanceof NotAnsweredError))
        log.error({ err: error }, 'could not store a delivery; Slack will resend it');
      return false;
    },
  });
  const stopping = new AbortController();
  const over = AbortSignal.any([stopping.signal, options.signal]);
  let connecting: Promise<void> | null = null;
  let connectedAt = 0;
  let shortLives = 0;
  let reason: string | null = null;
  /** Whether Slack has said why it ends the connection that is open. */
  let isExplained = false;

  async function open(): Promise<void> {
    const answered = new AbortController();
    void clock.sleep(HELLO_WAIT_MS, answered.signal).then(
      () => receiver.client.disconnect(),
      () => undefined,
    );
    try {
      await receiver.client.start();
    } finally {
      answered.abort();
    }
    // Slack answered after the stop: without this the socket would stay open, and nobody read it.
    if (over.aborted) await receiver.client.disconnect();
  }

  async function connect(): Promise<void> {
    if (shortLives > SHORT_LIVES) await pause(shortLives - SHORT_LIVES - 1);
    for (let attempt = 0; !over.aborted; attempt += 1) {
      try {
        await unlessAborted(open(), over);
        connectedAt = clock.now();
        if (!over.aborted) options.onConnected(true);
        return;
      } catch (error) {
        const terminal = terminalSlackError(error, 'SLACK_APP_TOKEN');
        if (terminal) return options.onTerminal(terminal);
        options.onFailure(reason ?? notConnecting(error));
        log.warn(
          { reason: reason ?? classifySlackError(error), attempt },
          'Socket Mode is not connected yet',
        );
        await pause(attempt);
      }
    }
  }

  function pause(attempt: number): Promise<void> {
    return clock.sleep(backoffMs(attempt, RETRY, options.random), over).catch(() => undefined);
  }

  function connectOnce(): Promise<void> {
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  receiver.client.on('ws_message', (data: unknown) => {
    const said = saidAtTheEnd(data);
    if (said === null) return;
    reason = lasting(said);
    isExplained = true;
    if (!over.aborted) options.onFailure(reason ?? `Slack closed the connection (${said})`);
  });
  receiver.client.on('connected', () => {
    reason = null;
    isExplained = false;
  });
  receiver.client.on('disconnected', () => {
    options.onConnected(false);
    if (over.aborted) return;
    if (connecting === null && !isExplained) options.onFailure(BROKE_OFF);
    shortLives = clock.now() - connectedAt < LASTING_MS ? shortLives + 1 : 0;
    metrics.count('gumshoe_socket_disconnects_total');
    void connectOnce();
  });

  return {
    init: (app) => receiver.init(behindInbox(app, inbox, log)),
    start: connectOnce,
    stop: async () => {
      stopping.abort();
      const gone = new AbortController();
      await Promise.race([
        receiver.client.disconnect(),
        clock.sleep(DISCONNECT_WAIT_MS, gone.signal).catch(() => undefined),
      ]);
      gone.abort();
    },
  };
}

/** Resolves with the work, or as soon as the signal is aborted; rejects where the work fails before that. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.race([work, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
