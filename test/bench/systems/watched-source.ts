import { once } from 'node:events';
import { createServer } from 'node:http';

/** What a source was asked through the proxy, and what it answered. */
export interface Asked {
  method: string;
  /** As it was sent, with the prefix. */
  path: string;
  parameters: Readonly<Record<string, string>>;
  status: number;
  bytes: number;
  /** So many samples were in the answer. */
  samples: number;
}

export interface WatchedSource {
  /** With the prefix. */
  url: string;
  asked: readonly Asked[];
  /** So many requests came, passed on or not. */
  received(): number;
  /** So many requests were on their way together at most. */
  mostAtOnce(): number;
  close(): Promise<void>;
}

/**
 * A proxy below a path prefix, in front of a source: it passes everything on, and keeps what was asked.
 *
 * @param before what each request waits for, before it is passed on
 */
export async function watchSource(
  target: string,
  prefix = '/behind/a/prefix',
  before: () => Promise<void> = async () => undefined,
): Promise<WatchedSource> {
  const asked: Asked[] = [];
  let together = 0;
  let received = 0;
  let most = 0;
  const server = createServer(async (req, res) => {
    together++;
    received++;
    most = Math.max(most, together);
    const { method = 'GET', url = '/' } = req;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    await before();
    const isBelow = url.startsWith(`${prefix}/`);
    const passed = isBelow ? url.slice(prefix.length) : url;
    const answer = isBelow
      ? await fetch(`${target}${passed}`, {
          method,
          ...(method === 'POST' && {
            body,
            headers: { 'content-type': req.headers['content-type'] ?? 'text/plain' },
          }),
        })
      : new Response('not below the prefix', { status: 404 });
    const text = Buffer.from(await answer.arrayBuffer());
    const { pathname, searchParams } = new URL(url, 'http://source');
    const form = new URLSearchParams(method === 'POST' ? body.toString() : '');
    const parameters = Object.fromEntries([...searchParams, ...form]);
    const samples = text.toString().match(SAMPLE)?.length ?? 0;
    asked.push({ method, path: pathname, parameters, status: answer.status, bytes: text.length, samples });
    together--;
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    asked,
    received: () => received,
    mostAtOnce: () => most,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const SAMPLE = /\[\d+(?:\.\d+)?,"/gu;

/** So many points a series a range query may return at most: 1 for a query at one moment. */
export function pointsAsked({ parameters: { start, end, step } }: Asked): number {
  if (start === undefined || end === undefined || step === undefined) return 1;
  return Math.floor((Number(end) - Number(start)) / Number(step)) + 1;
}
