import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { patientServer } from '../patient-server.ts';

/** How one `apps.connections.open` is answered: `url` is that of another socket; `hold` keeps it until `release`. */
type OpenAnswer = { error: string } | { status: number; retryAfter?: number } | { url: string } | 'hold';

export interface ApiProxy {
  /** For `SLACK_API_URL`. */
  url: string;
  /** When each socket was asked for, milliseconds since the epoch. */
  asked: number[];
  /** The next answers to `apps.connections.open`; what comes after them the workspace answers. */
  next(...answers: OpenAnswer[]): void;
  /** Answers what was held. */
  release(): void;
}

/** Stands before a workspace's Web API, and can refuse sockets in every way. */
export async function startApiProxy(apiUrl: string): Promise<ApiProxy> {
  const answers: OpenAnswer[] = [];
  const held: (() => void)[] = [];
  const asked: number[] = [];
  const server = patientServer(async (req, res) => {
    const { authorization = '', 'content-type': type = 'application/x-www-form-urlencoded' } = req.headers;
    const body = await buffer(req);
    const opens = req.url?.endsWith('/apps.connections.open') === true;
    if (opens) asked.push(Date.now());
    const pass = async () => {
      const answer = await fetch(`${apiUrl}${(req.url ?? '').replace('/api/', '')}`, {
        method: 'POST',
        headers: { authorization, 'content-type': type },
        body,
      });
      res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    const scripted = opens ? answers.shift() : undefined;
    if (scripted === undefined) await pass().catch(() => res.destroy());
    else if (scripted === 'hold') held.push(() => void pass().catch(() => res.destroy()));
    else refuse(res, scripted);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  return {
    url: `http://127.0.0.1:${port}/api/`,
    asked,
    next: (...more) => void answers.push(...more),
    release: () => {
      for (const go of held.splice(0)) go();
    },
  };
}

function refuse(res: ServerResponse, answer: Exclude<OpenAnswer, 'hold'>): void {
  if ('error' in answer || 'url' in answer) {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ ok: 'url' in answer, ...answer }));
    return;
  }
  const headers = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) };
  res.writeHead(answer.status, headers).end();
}
