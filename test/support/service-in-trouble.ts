import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the service does to the next requests. */
export type Trouble =
  | 'none'
  | 'html'
  | '500'
  | 'silent'
  | 'reset_after_effect'
  | 'down'
  | 'key_refused'
  /** The key has no right to delete. */
  | 'no_deleting';

export interface ServiceInTrouble {
  /** The base address, with `/api/v2`. */
  url: string;
  trouble: Trouble;
  /** Requests that reached it, as `POST /issues`. */
  seen: string[];
  close(): Promise<void>;
}

/** Stands between the bot and the embedded service, and can fail in the ways that services fail. */
export async function serviceInTrouble(target: string): Promise<ServiceInTrouble> {
  const base = new URL(target);
  const silent = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    const path = (req.url ?? '').replace('/api/v2', '').split('?')[0];
    self.seen.push(`${req.method} ${path}`);
    const trouble = self.trouble;
    if (trouble === 'html') {
      res.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>It works!</h1></html>');
    } else if (trouble === '500') {
      res.writeHead(500, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ type: 'api_error', message: 'something broke', request_id: 'req-500' }));
    } else if (trouble === 'down') {
      req.socket.destroy();
    } else if (trouble === 'key_refused' || (trouble === 'no_deleting' && req.method === 'DELETE')) {
      const status = trouble === 'key_refused' ? 401 : 403;
      res.writeHead(status, { 'content-type': 'application/json' });
      const body = { type: 'authentication_error', message: 'no', request_id: `req-${status}` };
      res.end(JSON.stringify(body));
    } else if (trouble === 'silent') {
      silent.add(res);
    } else {
      const onward = request(
        { host: base.hostname, port: base.port, path: req.url, method: req.method, headers: req.headers },
        (answer) => {
          if (trouble === 'reset_after_effect') return void req.socket.destroy();
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        },
      );
      onward.on('error', () => res.destroy());
      req.pipe(onward);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const self: ServiceInTrouble = {
    url: `http://127.0.0.1:${port}/api/v2`,
    trouble: 'none',
    seen: [],
    close: () =>
      new Promise((resolve) => {
        for (const res of silent) res.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}
