import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { HTTPReceiver, type Receiver } from '@slack/bolt';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { boltLogger } from '../bolt-logger.ts';
import type { Inbox } from '../inbox.ts';
import { behindInbox } from './behind-inbox.ts';
import { isBody } from './body.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SKEW_SECONDS = 5 * 60;

export interface HttpReceiver {
  receiver: Receiver;
  /** Answers `POST /slack/events`: events, commands and interactivity. */
  listener: RequestListener;
}

/**
 * Bolt's HTTP receiver with the inbox in front, as a request listener of our own server. A guard stands before
 * it: a signed body that is no object would end the process, and a content type with a charset is refused.
 */
export function createHttpReceiver(options: {
  signingSecret: string;
  inbox: Inbox;
  clock: Clock;
  log: Logger;
}): HttpReceiver {
  const { inbox, log } = options;
  const bolt = new HTTPReceiver({
    signingSecret: options.signingSecret,
    logger: boltLogger(log),
    processEventErrorHandler: async ({ error, response }) => {
      log.error({ err: error }, 'a delivery was not stored; Slack will send it again');
      if (!response.headersSent) answer(response, 503);
      return false;
    },
  });
  const listener: RequestListener = (req, res) => {
    guard(req, res, options.clock)
      .then((passed) => passed && bolt.requestListener(req, res))
      .catch((error) => {
        log.warn({ err: error }, 'a request to /slack/events could not be read');
        if (!res.headersSent) answer(res, 400);
      });
  };
  return {
    receiver: {
      init: (app) => bolt.init(behindInbox(app, inbox)),
      start: async () => undefined,
      stop: async () => undefined,
    },
    listener,
  };
}

/** Reads the body for Bolt; false when it has been answered already. */
async function guard(req: IncomingMessage, res: ServerResponse, clock: Clock): Promise<boolean> {
  const timestamp = Number(req.headers['x-slack-request-timestamp']);
  // Bolt refuses the old ones only.
  if (timestamp - clock.now() / 1000 > MAX_SKEW_SECONDS) return answer(res, 401);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      res.setHeader('connection', 'close');
      return answer(res, 413);
    }
    chunks.push(bytes);
  }
  const rawBody = Buffer.concat(chunks);
  const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!isReadable(rawBody.toString('utf8'), type)) return answer(res, 400);
  req.headers['content-type'] = type;
  Object.assign(req, { rawBody });
  return true;
}

function isReadable(text: string, type: string): boolean {
  try {
    if (type !== 'application/x-www-form-urlencoded') return isBody(JSON.parse(text));
    const payload = new URLSearchParams(text).get('payload');
    return payload === null || isBody(JSON.parse(payload));
  } catch {
    return false;
  }
}

function answer(res: ServerResponse, status: number): false {
  res.writeHead(status).end();
  return false;
}
