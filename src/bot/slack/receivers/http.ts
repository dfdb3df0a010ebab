import type { RequestListener } from 'node:http';
import { HTTPReceiver, type Receiver } from '@slack/bolt';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import { boltLogger } from '../bolt-logger.ts';
import { createGuard } from './guard.ts';
import { behindInbox, type Inbox, NotAnsweredError } from './inbox.ts';

export interface HttpReceiver {
  receiver: Receiver;
  /** Answers `POST /slack/events`: events, commands and interactivity. */
  listener: RequestListener;
}

/**
 * Bolt's HTTP receiver behind the inbox, as a request listener for our own server. The guard in front of it is needed
 * because a signed body that is not an object would end the process, and Bolt refuses a content type with a charset.
 */
export function createHttpReceiver(options: {
  signingSecrets: readonly string[];
  inbox: Inbox;
  clock: Clock;
  log: Logger;
}): HttpReceiver {
  const { inbox, log } = options;
  const guard = createGuard(options);
  const bolt = new HTTPReceiver({
    // Signatures are checked by the guard, with the injected clock.
    signingSecret: '',
    signatureVerification: false,
    logger: boltLogger(log),
    processEventErrorHandler: async ({ error, response }) => {
      if (!(error instanceof NotAnsweredError))
        log.error({ err: error }, 'could not store a delivery; Slack will resend it');
      if (!response.headersSent) response.writeHead(503).end();
      return false;
    },
    // Bolt would answer 404, and a late acknowledgement would then fail its listener.
    unhandledRequestHandler: () =>
      log.warn(
        'a delivery was not acknowledged within three seconds: Slack resends events, and shows an error for the rest',
      ),
  });
  const listener: RequestListener = (req, res) => {
    guard(req)
      .then((found) => {
        if ('status' in found) return void res.writeHead(found.status, found.headers).end();
        req.headers['content-type'] = found.type;
        bolt.requestListener(Object.assign(req, { rawBody: found.rawBody }), res);
      })
      .catch((error) => {
        // The sender disconnected. That is not our failure, and the stack would say nothing.
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'a request to /slack/events ended before its body arrived');
        if (!res.headersSent) res.writeHead(400).end();
      });
  };
  return {
    receiver: {
      init: (app) => bolt.init(behindInbox(app, inbox, log)),
      start: async () => undefined,
      stop: async () => undefined,
    },
    listener,
  };
}
