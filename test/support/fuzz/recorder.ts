import { buffer } from 'node:stream/consumers';
import { patientServer } from '../patient-server.ts';
import { decode, nameOf, type Payload } from './payload.ts';

/** Stands between Slack and the program, and keeps one payload of each kind that goes by. */
export interface Recorder {
  url: string;
  seen: Map<string, Payload[]>;
  close(): Promise<void>;
}

const OF_A_KIND = 3;

export async function startRecorder(target: string): Promise<Recorder> {
  const seen = new Map<string, Payload[]>();
  const server = patientServer(async (request, response) => {
    const body = await buffer(request);
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const payload = decode(headers['content-type'] ?? '', body.toString());
    const name = nameOf(payload);
    const alike = seen.get(name) ?? [];
    if (alike.length < OF_A_KIND) seen.set(name, [...alike, payload]);
    const sent = Object.entries(headers).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    );
    try {
      const answer = await fetch(target, { method: 'POST', headers: Object.fromEntries(sent), body });
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      response.writeHead(502).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
