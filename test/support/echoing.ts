import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from './patient-server.ts';

/** Stands before a server, and where it `fails` says back all that was sent to it. */
export interface Echoing {
  /** The server's address, through this. */
  url: string;
  fails: boolean;
  /** How often it has failed. */
  failures: number;
  close(): Promise<void>;
}

/** A server that fails in the worst way: its errors are made of the headers and the body of the request. */
export async function echoing(target: string, asError: (echo: string) => object): Promise<Echoing> {
  const base = new URL(target);
  const server = patientServer(async (req, res) => {
    if (!self.fails) return pass(req, res);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(Buffer.from(chunk));
    const echo = JSON.stringify({ headers: req.headers, body: Buffer.concat(chunks).toString('utf8') });
    self.failures += 1;
    const count = self.failures;
    if (count % 3 === 0) {
      res.writeHead(500, { 'content-type': 'text/html' }).end(`<html>${echo}</html>`);
    } else {
      const status = count % 3 === 1 ? 500 : 200;
      res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `req-${count}` });
      res.end(JSON.stringify(asError(echo)));
    }
  });
  const pass = (req: IncomingMessage, res: import('node:http').ServerResponse) => {
    const { method, url: path, headers } = req;
    const onward = request({ host: base.hostname, port: base.port, path, method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  const self: Echoing = {
    url: `http://127.0.0.1:${port}${base.pathname}`,
    fails: false,
    failures: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
