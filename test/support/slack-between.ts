import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** One call of the Web API as it passed. */
export interface PassedCall {
  method: string;
  args: URLSearchParams;
  /** Milliseconds of the machine. */
  from: number;
  /** `null` while it is under way. */
  to: number | null;
}

/** Stands between the bot and the Web API of the workspace, sees every call, and can refuse some. */
export interface SlackBetween {
  /** For `SLACK_API_URL`. */
  apiUrl: string;
  calls: PassedCall[];
  /** What becomes of a call: it passes (`null`), is refused by that name, or has its effect and no answer. */
  trouble: (call: PassedCall) => null | { error: string } | 'answer lost';
  close(): Promise<void>;
}

export async function startSlackBetween(apiUrl: string): Promise<SlackBetween> {
  const target = new URL(apiUrl);
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const method = (incoming.url ?? '').replace(target.pathname, '');
    const call: PassedCall = { method, args: new URLSearchParams(body), from: performance.now(), to: null };
    self.calls.push(call);
    const trouble = self.trouble(call);
    if (trouble !== null && trouble !== 'answer lost') {
      call.to = performance.now();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error: trouble.error }));
      return;
    }
    const { method: verb, url: path, headers } = incoming;
    const to = { host: target.hostname, port: target.port, path, method: verb, headers };
    const onward = request(to, (answer) => {
      call.to = performance.now();
      if (trouble === 'answer lost') {
        answer.resume();
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const self: SlackBetween = {
    apiUrl: `http://127.0.0.1:${port}${target.pathname}`,
    calls: [],
    trouble: () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}
