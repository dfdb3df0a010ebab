import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../schema/error.ts';

/** The error body (contract, section 7) for requests too malformed to reach a route, such as a bad `Host`. */
export function answerBadRequest(): Response {
  const body = bodyFor('Malformed HTTP request');
  return Response.json(body, { status: 400, headers: { 'X-Request-Id': body.request_id } });
}

/** The same if not even the head of the request was readable; closes the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const body = bodyFor(`Malformed HTTP request: ${STATUS_CODES[status]}`);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${body.request_id}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function bodyFor(message: string): ErrorBody {
  return { type: 'invalid_request_error', message, request_id: `req_${randomUUID()}` };
}
