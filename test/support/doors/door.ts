import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** A delivery of Slack's, as it came to the door. */
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
 * What becomes of a delivery: it comes through; the program gets it, and Slack never hears the answer; the program gets
 * two copies at the same moment, over a connection each; the program does not get it, and Slack sends it again.
 */
export type Fate = 'comes through' | 'answer is lost' | 'comes as twins' | 'is kept out';

interface Answer {
  status: number;
  body: string;
}

/** Stands between Slack and a program that takes signed deliveries over HTTP. */
export interface Door {
  /** Where Slack delivers. */
  url: string;
  /** Decides on each delivery. */
  fate: (delivery: Delivery) => Fate;
  /** What came to the door, in its order; what was kept out too. */
  came: Delivery[];
  /** What the program answered, in the order of its answers. */
  answers: Answer[];
  /** Where the program takes deliveries from now on. */
  leadTo(url: string): void;
  /** Slack sends a delivery once more, signed anew, as it does when it has not heard the answer in time. */
  again(delivery: Delivery, attempt?: number): Promise<Answer>;
  close(): Promise<void>;
}

export async function openDoor(signingSecret: string): Promise<Door> {
  let target: URL | null = null;

  function hand({ headers, body }: Delivery): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (target === null) return reject(new Error('the door leads nowhere'));
      const { host: _, connection: __, ...rest } = headers;
      const onward = request(target, { method: 'POST', headers: rest, agent: false }, async (response) => {
        const answer = { status: response.statusCode ?? 0, body: await text(response) };
        door.answers.push(answer);
        resolve(answer);
      });
      onward.on('error', reject).end(body);
    });
  }

  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const delivery = { headers: incoming.headers, body, payload: payloadOf(incoming.headers, body) };
    const isCheck = delivery.payload.type === 'url_verification';
    if (!isCheck) door.came.push(delivery);
    const fate = isCheck ? 'comes through' : door.fate(delivery);
    if (fate === 'is kept out') return void response.writeHead(503).end();
    try {
      const [answer] = await Promise.all(
        fate === 'comes as twins' ? [hand(delivery), hand(delivery)] : [hand(delivery)],
      );
      if (fate !== 'answer is lost')
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const door: Door = {
    url: `http://127.0.0.1:${port}/slack/events`,
    fate: () => 'comes through',
    came: [],
    answers: [],
    leadTo: (url) => {
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
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return door;
}

function payloadOf(headers: IncomingHttpHeaders, body: string): Payload {
  if (headers['content-type']?.includes('json') === true) return Payload.parse(JSON.parse(body));
  const form = new URLSearchParams(body);
  const payload = form.get('payload');
  return Payload.parse(payload === null ? Object.fromEntries(form) : JSON.parse(payload));
}
