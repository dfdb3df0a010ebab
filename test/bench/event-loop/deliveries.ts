import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createHttpReceiver } from '../../../src/bot/slack/receivers/http.ts';
import type { Inbox } from '../../../src/bot/slack/receivers/inbox.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { fill } from './messages.ts';
import type { Largest } from './stretch.ts';

/** Bytes of a delivery, at most. */
const MOST = 4 * 1024 * 1024;
const SECRET = 'signing-secret-of-the-bench';

/** Sends from a thread of its own, so that only what the receiver does is measured. */
const SENDER = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', async ({ url, body, headers }) => {
  const { status } = await fetch(url, { method: 'POST', body, headers });
  parentPort.postMessage(status);
});
`;

/** Signed deliveries as large as Slack sends them, from their first byte to what is stored. */
export async function largestDeliveries(): Promise<{ all: Largest[]; close: () => Promise<void> }> {
  const log = createLogger('silent');
  let stored = '';
  const inbox: Inbox = {
    // What the inbox does with a body before SQLite has it.
    accept: async ({ body, ack }) => {
      stored = JSON.stringify(body);
      await ack();
    },
    degraded: () => null,
    start: () => undefined,
    stop: async () => undefined,
  };
  const listener = createHttpReceiver({ signingSecrets: [SECRET], inbox, clock: systemClock, log });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const url = `http://127.0.0.1:${port}/slack/events`;
  const sender = new Worker(SENDER, { eval: true });

  async function send(body: string, type: string): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
    const headers = {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    };
    sender.postMessage({ url, body, headers });
    const [status] = await once(sender, 'message');
    if (status !== 200 || stored === '') throw new Error(`the delivery was answered with ${status}`);
  }
  const event = eventOfSize(MOST - 100);
  const form = formOfSize(MOST - 100);
  return {
    all: [
      { name: 'delivery: an event of 4 MB', work: () => send(event, 'application/json') },
      { name: 'delivery: a form of 4 MB', work: () => send(form, 'application/x-www-form-urlencoded') },
    ],
    close: async () => {
      await sender.terminate();
      server.close();
    },
  };
}

function eventOfSize(bytes: number): string {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ title: `f${i}`, value: fill('disk is full on db-1 ', 700) }));
  const attachments = Array.from({ length: 100 }, () => ({ fallback: 'x', fields: fields(50) }));
  const event = { type: 'message', channel: 'C1', ts: '1.0', bot_id: 'B2', text: '', attachments };
  const body = (text: string) =>
    JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event: { ...event, text } });
  return body('x'.repeat(bytes - body('').length));
}

function formOfSize(bytes: number): string {
  const body = (text: string) => {
    const actions = [{ action_id: 'a', block_id: 'b' }];
    const payload = { type: 'block_actions', user: { id: 'U1' }, actions, message: { text } };
    return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  };
  return body(fill('disk is full on db-1 ', bytes - body('').length));
}
