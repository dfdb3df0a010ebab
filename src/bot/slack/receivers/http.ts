import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AckFn } from '@slack/bolt';
import { z } from 'zod';
import { createBodyBudget } from '../../../lib/body-budget.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { isSigned, signedBy } from '../signature.ts';
import { type Inbox, NotAnsweredError } from './inbox.ts';

/** Slack waits no longer for a response. */
const SLACK_WAITS_MS = 3_000;

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

/** Slack sends nothing larger, and a message of 40,000 characters takes about a megabyte as a form. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** For Slack's connection test, which carries a legacy token and little else. */
const MAX_TEST_BYTES = 4_096;

const Body = z.record(z.string(), z.unknown());
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

interface Refused {
  status: 200 | 400 | 401 | 405 | 413 | 415 | 503;
  headers?: Record<string, string>;
}

interface Passed {
  body: Record<string, unknown>;
}

/**
 * Admits only deliveries that Slack signed within the last five minutes: a POST with a JSON object or a form. A request
 * whose headers rule that out is not read, and nothing is parsed before its signature is verified. Rejects if the sender
 * disconnects in the middle of the body.
 */
function createGuard(options: {
  signingSecrets: readonly string[];
  clock: Clock;
}): (req: IncomingMessage) => Promise<Passed | Refused> {
  const { signingSecrets, clock } = options;
  const bodies = createBodyBudget();
  return async (req) => {
    if (req.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const signed = signedBy(req.headers, clock.now());
    // Slack's connection test is accepted unsigned: it gets a response and nothing else happens.
    if (signed === null && type !== FORM) return closing(401);
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return closing(413);
    const rawBody = await bodies.read(req, signed === null ? MAX_TEST_BYTES : MAX_BODY_BYTES);
    if (rawBody === 'broken_off') throw new Error('aborted');
    if (rawBody === 'too_large') return closing(413);
    // Slack sends it again.
    if (rawBody === 'no_room') return closing(503);
    if (signed === null) return isConnectionTest(rawBody) ? { status: 200 } : { status: 401 };
    if (!signingSecrets.some((secret) => isSigned(rawBody, signed, secret))) return { status: 401 };
    if (type !== FORM && type !== JSON_TYPE) return { status: 415 };
    const text = rawBody.toString('utf8');
    return type === JSON_TYPE ? readJson(text) : readForm(text);
  };
}

/** Closes the connection with the response, without waiting for the rest of the body. */
function closing(status: Refused['status']): Refused {
  return { status, headers: { connection: 'close' } };
}

function isConnectionTest(body: Buffer): boolean {
  return new URLSearchParams(body.toString('utf8')).get('ssl_check') === '1';
}

function readJson(text: string): Passed | Refused {
  try {
    return { body: Body.parse(JSON.parse(text)) };
  } catch {
    return { status: 400 };
  }
}

/** A command is the form's fields; an interaction is its payload. */
function readForm(text: string): Passed | Refused {
  const fields = new URLSearchParams(text);
  if (fields.get('ssl_check') === '1') return { status: 200 };
  const [payload, another] = fields.getAll('payload');
  if (another !== undefined) return { status: 400 };
  return payload === undefined ? { body: Object.fromEntries(fields) } : readJson(payload);
}
