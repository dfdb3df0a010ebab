import { App } from '@slack/bolt';
import { ZodError } from 'zod';
import type { Logger } from '../shared/log.ts';
import type { Gaps } from './backfill/gaps.ts';
import { boltLogger } from './bolt-logger.ts';
import { clientOptions } from './client.ts';
import { type Handle, UnreadableError } from './receivers/inbox.ts';
import { respondingFetch } from './responding.ts';

/** Who we are in the workspace, from `auth.test`. */
export interface Identity {
  botUserId: string;
  botId: string;
  teamId: string;
}

/**
 * The Bolt app: routing from stored deliveries to the listeners of `features/`, each after what was missed before it.
 * Failures of listeners come back out of `handle`, so that the inbox can try again; our own messages are dropped by the
 * listeners, which know all their shapes.
 */
export function createApp(options: {
  identity: Identity;
  botToken: string;
  apiUrl: string;
  log: Logger;
  /** Where older messages may still be missing. */
  gaps: Pick<Gaps, 'caughtUp'>;
  fetch?: typeof globalThis.fetch;
}): { app: App; handle: Handle } {
  const { botToken, identity } = options;
  const app = new App({
    // The receivers deliver to the inbox, and that to `handle`.
    receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
    authorize: async () => ({ botToken, botId: identity.botId, botUserId: identity.botUserId }),
    // Bolt answers at the `response_url` of a delivery with what its clients call Slack with.
    clientOptions: clientOptions({ ...options, fetch: respondingFetch(options.apiUrl, options.fetch) }),
    logger: boltLogger(options.log),
    convoStore: false,
    ignoreSelf: false,
  });
  app.error(async (error) => {
    throw error;
  });
  return {
    app,
    handle: async ({ body, ack, receivedAt }) => {
      await options.gaps.caughtUp(body);
      try {
        let isAcknowledged = false;
        const acknowledge: typeof ack = (response) => {
          isAcknowledged = true;
          return ack(response);
        };
        // What listeners find in their context.
        const customProperties = {
          isAcknowledged: () => isAcknowledged,
          ...(receivedAt === undefined ? {} : { receivedAt }),
        };
        await app.processEvent({ body, ack: acknowledge, customProperties });
      } catch (error) {
        // Tried again, it would be unreadable again. An event is tried: it may be an alert.
        if (body.type === 'event_callback' || !isUnreadable(error)) throw error;
        throw new UnreadableError('malformed interaction payload', { cause: error });
      }
    },
  };
}

/** Whether something was not of the shape that a listener can read. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof ZodError) return true;
  return error instanceof Error && 'original' in error && isUnreadable(error.original);
}
