import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { testService } from '../support.ts';

const HEAD = 'Authorization: Bearer acme-key\r\nConnection: close\r\n';

async function send(url: string, request: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: head.split('\r\n')[0], id: /^x-request-id: (.*)$/imu.exec(head)?.[1], body };
}

it.each([
  ['no HTTP at all', 'GARBAGE\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'Malformed HTTP request: Bad Request'],
  [
    'a bad host',
    `GET /api/v2/issues HTTP/1.1\r\nHost: a b\r\n${HEAD}\r\n`,
    'HTTP/1.1 400 Bad Request',
    'Malformed HTTP request',
  ],
  [
    'a header without end',
    `GET /api/v2/issues HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    'HTTP/1.1 431 Request Header Fields Too Large',
    'Malformed HTTP request: Request Header Fields Too Large',
  ],
])('answers %s with the error body', async (_name, request, status, message) => {
  const { service } = await testService();
  const answer = await send(service().url, request);
  expect({ ...answer, body: JSON.parse(answer.body) }).toEqual({
    status,
    id: expect.stringMatching(/^req_/u),
    body: { type: 'invalid_request_error', message, request_id: answer.id },
  });
});

it('logs nothing when a client goes away in the middle of its body', async () => {
  const logged: string[] = [];
  const log = {
    warn: () => undefined,
    error: (_fields: Record<string, unknown>, message: string) => logged.push(message),
  };
  const { service, get } = await testService({ log });
  const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /api/v2/issues HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n${HEAD}\r\n{`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  await get('/issues');
  socket.destroy();
  expect((await get('/issues')).status).toBe(200);
  expect(logged).toEqual([]);
});
