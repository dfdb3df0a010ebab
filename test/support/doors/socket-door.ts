import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

const Envelope = z.looseObject({ envelope_id: z.string(), type: z.string() });
type Envelope = z.infer<typeof Envelope>;

/** Stands between Slack and a program in Socket Mode. */
export interface SocketDoor {
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

export async function openSocketDoor(apiUrl: string): Promise<SocketDoor> {
  const target = new URL(apiUrl);
  const sockets = new WebSocketServer({ noServer: true });
  let host = '';

  const server = createServer(async (incoming, response) => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
    try {
      const answer = await fetch(new URL(incoming.url ?? '/', target), {
        method: 'POST',
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        body: new Uint8Array(await buffer(incoming)),
      });
      const body = (await answer.text()).replaceAll(target.host, host);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    } catch {
      response.destroy();
    }
  });

  function join(near: WebSocket, far: WebSocket): void {
    far.on('message', (data) => {
      const said = JSON.parse(String(data));
      const envelope = Envelope.safeParse(said);
      for (const one of envelope.success ? door.inPlaceOf(envelope.data) : [said]) {
        near.send(JSON.stringify(one));
      }
    });
    near.on('message', (data) => {
      const ack = z.looseObject({ envelope_id: z.string() }).safeParse(JSON.parse(String(data)));
      if (ack.success) door.acknowledged.push(ack.data.envelope_id);
      far.send(String(data));
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.terminate()).on('close', () => other.terminate());
    }
  }

  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.handleUpgrade(incoming, socket, head, (near) =>
      join(near, new WebSocket(`ws://${target.host}${incoming.url}`)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  const door: SocketDoor = {
    apiUrl: apiUrl.replace(target.host, host),
    inPlaceOf: (envelope) => [envelope],
    acknowledged: [],
    close: async () => {
      for (const near of sockets.clients) near.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return door;
}
