import { randomUUID } from 'node:crypto';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { startProxy } from './proxy.ts';

const Envelope = z.looseObject({ envelope_id: z.string(), type: z.string() });
type Envelope = z.infer<typeof Envelope>;

/** Stands between Slack and a program in Socket Mode. */
export interface SocketProxy {
  /** For `SLACK_API_URL`. */
  apiUrl: string;
  /** What comes in place of an envelope, one after the other. */
  inPlaceOf: (envelope: Envelope) => Envelope[];
  /** The envelopes that the program has acknowledged, by their ids. */
  acknowledged: string[];
  close(): Promise<void>;
}

/** The same delivery under an id of its own, as Slack sends it when it has not heard the acknowledgement. */
export function sentAgain(envelope: Envelope): Envelope {
  return { ...envelope, envelope_id: randomUUID(), retry_attempt: 1, retry_reason: 'timeout' };
}

export async function startSocketProxy(apiUrl: string): Promise<SocketProxy> {
  const target = new URL(apiUrl);
  const sockets = new WebSocketServer({ noServer: true });

  function join(near: WebSocket, far: WebSocket): void {
    far.on('message', (data) => {
      const frame = JSON.parse(String(data));
      const envelope = Envelope.safeParse(frame);
      for (const one of envelope.success ? self.inPlaceOf(envelope.data) : [frame]) {
        near.send(JSON.stringify(one));
      }
    });
    near.on('message', (data) => {
      const ack = z.looseObject({ envelope_id: z.string() }).safeParse(JSON.parse(String(data)));
      if (ack.success) self.acknowledged.push(ack.data.envelope_id);
      far.send(String(data));
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.terminate()).on('close', () => other.terminate());
    }
  }

  const proxy = await startProxy({
    target,
    readdresses: true,
    upgrade: (incoming, socket, head) =>
      sockets.handleUpgrade(incoming, socket, head, (near) =>
        join(near, new WebSocket(`ws://${target.host}${incoming.url}`)),
      ),
  });
  const self: SocketProxy = {
    apiUrl: proxy.origin + target.pathname,
    inPlaceOf: (envelope) => [envelope],
    acknowledged: [],
    close: async () => {
      for (const near of sockets.clients) near.terminate();
      await proxy.close();
    },
  };
  return self;
}
