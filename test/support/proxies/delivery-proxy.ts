import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { ask } from './forward.ts';
import { type Exchange, startProxy } from './proxy.ts';

/** A delivery of Slack's, as it came to the proxy. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
  /** What the body says, out of its form. */
  payload: Payload;
}

const Payload = z.looseObject({
  type: z.string().optional(),
  event_id: z.string().optional(),
  command: z.string().optional(),
  event: z
    .looseObject({
      type: z.string(),
      subtype: z.string().optional(),
      ts: z.string().optional(),
      text: z.string().optional(),
    })
    .optional(),
});
type Payload = z.infer<typeof Payload>;

/**
 * What becomes of a delivery: it passes; the program gets it, and Slack never hears the answer; the program gets two
 * copies at the same moment, over a connection each; the program does not get it, and Slack sends it again.
 */
export type Fate = 'passes' | 'loses its answer' | 'is duplicated' | 'is blocked';

interface Answer {
  status: number;
  body: string;
}

/** Stands between Slack and a program that takes signed deliveries over HTTP. */
export interface DeliveryProxy {
  /** Where Slack delivers. */
  url: string;
  /** Decides on each delivery. */
  fate: (delivery: Delivery) => Fate;
  /** What Slack delivered, in its order; what was blocked too. */
  deliveries: Delivery[];
  /** What the program answered, in the order of its answers. */
  answers: Answer[];
  /** Where the program takes deliveries from now on. */
  forwardTo(url: string): void;
  /** Slack sends a delivery once more, signed anew, as it does when it has not heard the answer in time. */
  again(delivery: Delivery, attempt?: number): Promise<Answer>;
  close(): Promise<void>;
}

export async function startDeliveryProxy(signingSecret: string): Promise<DeliveryProxy> {
  let target: URL | null = null;

  async function hand({ headers, body }: Delivery): Promise<Answer> {
    if (target === null) throw new Error('the proxy has no target');
    const request = { method: 'POST', path: target.pathname, headers, body: Buffer.from(body) };
    const response = await ask(request, target);
    const answer = { status: response.statusCode ?? 0, body: await text(response) };
    self.answers.push(answer);
    return answer;
  }

  async function handle({ request: { headers, body: bytes }, response }: Exchange): Promise<void> {
    const body = bytes.toString();
    const delivery = { headers, body, payload: payloadOf(headers, body) };
    const isCheck = delivery.payload.type === 'url_verification';
    if (!isCheck) self.deliveries.push(delivery);
    const fate = isCheck ? 'passes' : self.fate(delivery);
    if (fate === 'is blocked') return void response.writeHead(503).end();
    const [answer] = await Promise.all(
      fate === 'is duplicated' ? [hand(delivery), hand(delivery)] : [hand(delivery)],
    );
    if (fate === 'loses its answer') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }

  const proxy = await startProxy({ target: new URL('http://127.0.0.1'), handle });
  const self: DeliveryProxy = {
    url: `${proxy.origin}/slack/events`,
    fate: () => 'passes',
    deliveries: [],
    answers: [],
    forwardTo: (url) => {
      target = new URL(url);
    },
    again: (delivery, attempt = 1) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const digest = createHmac('sha256', signingSecret)
        .update(`v0:${timestamp}:${delivery.body}`)
        .digest('hex');
      const headers = {
        ...delivery.headers,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${digest}`,
        'x-slack-retry-num': String(attempt),
        'x-slack-retry-reason': 'http_timeout',
      };
      return hand({ ...delivery, headers });
    },
    close: proxy.close,
  };
  return self;
}

function payloadOf(headers: IncomingHttpHeaders, body: string): Payload {
  if (headers['content-type']?.includes('json') === true) return Payload.parse(JSON.parse(body));
  const form = new URLSearchParams(body);
  const payload = form.get('payload');
  return Payload.parse(payload === null ? Object.fromEntries(form) : JSON.parse(payload));
}
