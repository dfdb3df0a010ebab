import { type App, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from '../../../lib/log.ts';
import { boltLogger } from '../bolt-logger.ts';
import { clientOptions } from '../client.ts';
import { isComing, lifetimeOf, saidAtTheEnd } from './disconnects.ts';
import { NotAnsweredError } from './inbox.ts';

/** One Socket Mode connection, from its opening to its end; it is never opened again. */
export interface Connection {
  /** Resolves once Slack has said hello; rejects where it says something else, or nothing comes of it. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  appToken: string;
  apiUrl: string;
  log: Logger;
  /** The app behind the inbox; `null` hands on nothing. */
  app: App | null;
  /** Slack says hello, and for about how long (milliseconds) the connection lasts; `null` where it does not say. */
  onHello: (lifetimeMs: number | null) => void;
  /** Slack says why it ends the connection. Where it only will, the connection stays open until it does. */
  onGoodbye: (reason: string) => void;
  onEnded: () => void;
}

/**
 * A Socket Mode receiver of Bolt's with one connection. The client's own reconnecting is off: it waits five seconds first,
 * and a failure in it ends the process as an unhandled rejection (node-slack-sdk#2656).
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { log } = options;
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
  if (options.app !== null) receiver.init(options.app);
  const { client } = receiver;
  // The client hangs up as soon as Slack announces an end, some seconds before there is one: it does not hear of it.
  const itsOwn = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const reason = saidAtTheEnd(data);
    if (reason !== null) options.onGoodbye(reason);
    const lifetime = lifetimeOf(data);
    if (lifetime !== undefined) options.onHello(lifetime);
    if (reason !== null && isComing(reason)) return;
    for (const listener of itsOwn) listener(data, isBinary);
  });
  client.on('disconnected', options.onEnded);
  return {
    open: async () => {
      await client.start();
    },
    close: () => client.disconnect(),
  };
}
