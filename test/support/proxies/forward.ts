import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that was read whole. */
export interface Request {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ForwardOptions {
  target: URL;
  /** Names the proxy where an answer names the neighbor. */
  readdress(text: string): string;
}

/** Makes the request of the neighbor. */
export function ask({ method, path, headers, body }: Request, target: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { connection: _, host: __, ...rest } = headers;
    const to = { host: target.hostname, port: target.port, method, path, headers: rest, agent: false };
    open(to, resolve).on('error', reject).end(body);
  });
}

/** The neighbor's answer as the program is to see it: JSON whole, all else piece by piece. */
export async function forward(
  request: Request,
  response: ServerResponse,
  { target, readdress }: ForwardOptions,
): Promise<void> {
  const answer = await ask(request, target);
  const { status, headers } = headOf(answer);
  if (!isJson(answer)) {
    response.writeHead(status, headers);
    answer.on('error', () => response.destroy());
    response.on('close', () => answer.destroy());
    answer.pipe(response);
    return;
  }
  const body = readdress(await text(answer));
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

export function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.includes('json') === true;
}

/** Status and headers, without those that are the connection's own. */
export function headOf({ statusCode, headers }: IncomingMessage) {
  const {
    connection: _,
    'transfer-encoding': __,
    'content-length': ___,
    'keep-alive': ____,
    ...rest
  } = headers;
  return { status: statusCode ?? 502, headers: rest };
}

/** A WebSocket, passed through as bytes. */
export function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, target: URL): void {
  const onward = connect(Number(target.port), target.hostname, () => {
    const headers = Object.entries({ ...incoming.headers, host: target.host }).map(([k, v]) => `${k}: ${v}`);
    onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  const end = () => {
    onward.destroy();
    socket.destroy();
  };
  onward.on('error', end).on('close', end);
  socket.on('error', end).on('close', end);
}
