import { App, type Receiver } from '@slack/bolt';
import { ZodError } from 'zod';
import type { Logger } from '../../lib/log.ts';
import type { Gaps } from './backfill/gaps.ts';
import { boltLogger } from './bolt-logger.ts';
import { clientOptions } from './client.ts';
import { type Handle, UnreadableError } from './receivers/inbox.ts';
import { isBody } from './receivers/outline.ts';
import { respondingFetch } from './responding.ts';

/** Who we are in the workspace, from `auth.test`. */
export interface Identity {
  botUserId: string;
  botId: string;
  teamId: string;
}

/**
 * Bolt offers a delivery to each listener of its app, one after another. With a hundred of them, that would cost a message
 * more than its handling does, so each kind of delivery has an app of its own.
 */
export interface Apps {
  /** What is written in channels and direct messages: nearly all that arrives. */
  messages: App;
  /** What else happens in the workspace: reactions, mentions, changes of channels. */
  events: App;
  /** What people do: commands, buttons, modals, shortcuts. */
  interactions: App;
}

/**
 * The Bolt apps: routing from stored deliveries to the listeners of `features/`, each after what was missed before it.
 * Failures of listeners come back out of `handle`, so that the inbox can try again; our own messages are dropped by the
 * listeners, which know all their shapes.
 */
export function createApp(options: {
  receiver: Receiver;
  identity: Identity;
  botToken: string;
  apiUrl: string;
  log: Logger;
  /** Where older messages may still be missing. */
  gaps: Pick<Gaps, 'caughtUp'>;
  fetch?: typeof globalThis.fetch;
}): { apps: Apps; handle: Handle } {
  const { botToken, identity } = options;
  const appOn = (receiver: Receiver): App => {
    const app = new App({
      receiver,
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
    return app;
  };
  const apps = {
    messages: appOn(options.receiver),
    events: appOn(noReceiver),
    interactions: appOn(noReceiver),
  };
  return {
    apps,
    handle: async ({ body, ack, receivedAt }) => {
      await options.gaps.caughtUp(body);
      try {
        // What listeners find in their context.
        const customProperties = receivedAt === undefined ? {} : { receivedAt };
        await apps[kindOf(body)].processEvent({ body, ack, customProperties });
      } catch (error) {
        // Tried again, it would be unreadable again. An event is tried: it may be an alert.
        if (body.type === 'event_callback' || !isUnreadable(error)) throw error;
        throw new UnreadableError('malformed interaction payload', { cause: error });
      }
    },
  };
}

function kindOf({ type, event }: Record<string, unknown>): keyof Apps {
  if (type !== 'event_callback') return 'interactions';
  return isBody(event) && event.type === 'message' ? 'messages' : 'events';
}

/** Deliveries of every kind arrive at one receiver, and come back from the inbox. */
const noReceiver: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Whether something was not of the shape that a listener can read. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof ZodError) return true;
  return error instanceof Error && 'original' in error && isUnreadable(error.original);
}
