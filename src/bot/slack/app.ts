import { App } from '@slack/bolt';
import { ZodError } from 'zod';
import type { Logger } from '../shared/log.ts';
import { isResponseAddress } from './addresses.ts';
import type { Gaps } from './backfill/gaps.ts';
import { boltLogger } from './bolt-logger.ts';
import { clientOptions } from './client.ts';
import { type Handle, UnreadableError } from './receivers/inbox.ts';

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

const TIMEOUT_MS = 10_000;

/** A delivery wants its answer at an address that is not Slack's. The message does not contain the address. */
class ResponseAddressError extends Error {
  override name = 'ResponseAddressError';
}

/**
 * What is sent goes to Slack alone, to its Web API or a `response_url` on its host for hooks; no redirect is followed,
 * and no answer is waited for without end.
 */
export function respondingFetch(
  apiUrl: string,
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request),
  timeoutMs = TIMEOUT_MS,
): typeof globalThis.fetch {
  return async (url, init) => {
    const address = url instanceof Request ? url.url : String(url);
    if (!isResponseAddress(address, apiUrl))
      throw new ResponseAddressError('the response URL is not Slack’s; nothing is sent there');
    return fetch(url, {
      ...init,
      redirect: 'error',
      signal: init?.signal ?? AbortSignal.timeout(timeoutMs),
    });
  };
}
