import type { RequestListener, ServerResponse } from 'node:http';
import type { AckFn } from '@slack/bolt';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { createGuard } from './guard.ts';
import { type Inbox, NotAnsweredError } from './inbox.ts';

/** Slack waits no longer for a response. */
const SLACK_WAITS_MS = 3_000;

/** Answers `POST /slack/events`: events, commands and interactivity. */
export function createHttpReceiver(options: {
  signingSecrets: readonly string[];
  inbox: Inbox;
  clock: Clock;
  log: Logger;
}): RequestListener {
  const { inbox, clock, log } = options;
  const guard = createGuard(options);

  async function deliver(body: Record<string, unknown>, res: ServerResponse): Promise<void> {
    const answered = new AbortController();
    const ack: AckFn<unknown> = async (response) => {
      answered.abort();
      reply(res, response);
    };
    void clock.sleep(SLACK_WAITS_MS, answered.signal).then(
      () =>
        log.warn(
          'a delivery was not acknowledged within three seconds: Slack resends events, and shows an error for the rest',
        ),
      () => undefined,
    );
    try {
      await inbox.accept({ body, ack });
    } catch (error) {
      if (!(error instanceof NotAnsweredError))
        log.error({ err: error }, 'could not store a delivery; Slack will resend it');
      answered.abort();
      if (!res.headersSent) res.writeHead(503).end();
    }
  }

  return (req, res) => {
    guard(req)
      .then(async (found) => {
        if ('status' in found) return void res.writeHead(found.status, found.headers).end();
        const { type, challenge } = found.body;
        // Asked once, when the address is entered in the app's settings.
        if (type === 'url_verification') return reply(res, { challenge });
        await deliver(found.body, res);
      })
      .catch((error) => {
        // The sender disconnected. That is not our failure, and the stack would say nothing.
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'a request to /slack/events ended before its body arrived');
        if (!res.headersSent) res.writeHead(400).end();
      });
  };
}

function reply(res: ServerResponse, response: unknown): void {
  if (res.headersSent) return;
  if (response === undefined || response === '') res.writeHead(200).end();
  else if (typeof response === 'string') res.writeHead(200).end(response);
  else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
}
