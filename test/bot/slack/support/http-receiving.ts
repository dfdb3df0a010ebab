import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../../../src/bot/health/server.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createHttpReceiver } from '../../../../src/bot/slack/receivers/http.ts';
import type { Inbox } from '../../../../src/bot/slack/receivers/inbox.ts';
import { manualClock } from '../../../support/manual-clock.ts';

export const SECRET = 'signing-secret-of-the-tests';
/** Replaces it. */
export const NEXT_SECRET = 'next-signing-secret-of-the-tests';
export const MEGABYTE = 1024 * 1024;

export const clock = manualClock();
/** What the receiver’s clock says, in seconds. */
export const NOW = Math.floor(clock.now() / 1000);

/** The receiver behind a server of ours, and what it hands to the inbox. */
export async function receiving(accept?: Inbox['accept']) {
  const accepted: Parameters<Inbox['accept']>[0][] = [];
  const inbox: Inbox = {
    accept: async (incoming) => {
      accepted.push(incoming);
      if (accept) return accept(incoming);
      await incoming.ack();
    },
    degraded: () => null,
    start: () => undefined,
    stop: async () => undefined,
  };
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const listener = createHttpReceiver({ signingSecrets: [SECRET, NEXT_SECRET], inbox, clock, log });
  const server = await listen(listener, 0, '127.0.0.1');
  onTestFinished(() => server.close());
  return { accepted, port: server.port, lines };
}

interface Answer {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

/** Sends a signed body in the given pieces, each a chunk of its own; answers the status, or why there is none. */
export function send(
  port: number,
  pieces: string[],
  more: { headers?: Record<string, string>; endEarly?: boolean; method?: string } = {},
): Promise<Answer | string> {
  const body = pieces.join('');
  const timestamp = String(NOW);
  const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
    ...more.headers,
  };
  return new Promise((resolve) => {
    const req = request(
      { port, host: '127.0.0.1', method: more.method ?? 'POST', path: '/slack/events', headers },
      (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, body: text, headers: res.headers }));
      },
    );
    req.on('error', (error) => resolve(error.message));
    void (async () => {
      for (const piece of pieces) {
        // A request that is broken off before it was connected never reaches the receiver.
        await new Promise<void>((sent) => req.write(piece, () => sent()));
      }
      if (more.endEarly === true) req.destroy();
      else req.end();
    })();
  });
}

export const anEvent = (text: string) =>
  JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event: { type: 'message', text } });

/** An event of exactly so many bytes. */
export const ofSize = (bytes: number) => anEvent('x'.repeat(bytes - anEvent('').length));
