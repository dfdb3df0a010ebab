import type { AckFn } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { z } from 'zod';
import type { Logger } from '../../shared/log.ts';
import { boltLogger } from '../bolt-logger.ts';
import { clientOptions } from '../client.ts';
import { disconnectReason, isNotice, lifetimeOf } from './disconnects.ts';
import { type Inbox, NotAnsweredError } from './inbox.ts';

/** The client's own 5 s would have a process that is short of processor time hang up on a healthy connection. */
const PONG_WAIT_MS = 15_000;

/** One Socket Mode connection, from its opening to its end; it is never opened again. */
export interface Connection {
  /** Resolves once Slack has sent its hello; rejects if it sends something else, or the connection fails. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
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
export function createConnection(options: ConnectionOptions): Connection {
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
