import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';

export const SIGNING_SECRET = '0123456789abcdef0123456789abcdef';
export const BOT_TOKEN = 'xoxb-of-the-benchmark';
export const APP_TOKEN = 'xapp-of-the-benchmark';

export interface BenchPost {
  channel: string;
  thread_ts: string;
  ts: string;
  metadata: unknown;
  /** By the machine's clock, in milliseconds. */
  at: number;
}

/** A Slack that says yes to everything, at once: what is measured is the program. */
export interface BenchSlack {
  apiUrl: string;
  /** Over Socket Mode: resolves with the acknowledgement. */
  send(payload: object): Promise<void>;
  /** How often each method was called. */
  calls(): Map<string, number>;
  /** When each stream was opened, by the machine's clock, in milliseconds. */
  streams(): readonly number[];
  /** When Slack was asked to show that a thread is being worked on, in the same unit. */
  processing(): readonly number[];
  /** What was posted, in order. */
  posts(): readonly BenchPost[];
  close(): Promise<void>;
}

/** Starts it on a loopback port. */
export async function startBenchSlack(): Promise<BenchSlack> {
  const calls = new Map<string, number>();
  const posts: BenchPost[] = [];
  const streams: number[] = [];
  const processing: number[] = [];
  const waiting = new Map<string, () => void>();
  let socket: WebSocket | null = null;
  let next = 0;
  const server = createServer(async (request, response) => {
    const method = (request.url ?? '').split('/').at(-1) ?? '';
    calls.set(method, (calls.get(method) ?? 0) + 1);
    const body = new URLSearchParams(await text(request));
    next += 1;
    const answer = answerTo(method, body, next, address, posts);
    if (method === 'chat.startStream') streams.push(Date.now());
    if (body.get('status') === 'processing') processing.push(Date.now());
    if (method === 'chat.postMessage') {
      const [channel = '', thread = ''] = [body.get('channel') ?? '', body.get('thread_ts') ?? ''];
      const metadata: unknown = JSON.parse(body.get('metadata') ?? 'null');
      posts.push({ channel, thread_ts: thread, ts: answer.ts ?? '', metadata, at: Date.now() });
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, ...answer }));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (opened) => {
    socket = opened;
    opened.on('message', (data) => {
      const { envelope_id: id } = JSON.parse(String(data));
      waiting.get(id)?.();
      waiting.delete(id);
    });
    opened.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = portOf(server.address());

  return {
    apiUrl: `http://127.0.0.1:${address}/api/`,
    send: (payload) =>
      new Promise((resolve, reject) => {
        if (socket === null) return reject(new Error('nobody is connected'));
        next += 1;
        const id = `envelope-${next}`;
        waiting.set(id, resolve);
        socket.send(
          JSON.stringify({ envelope_id: id, type: 'events_api', accepts_response_payload: false, payload }),
        );
      }),
    calls: () => calls,
    streams: () => streams,
    processing: () => processing,
    posts: () => posts,
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answerTo(
  method: string,
  body: URLSearchParams,
  n: number,
  port: number,
  posts: readonly BenchPost[],
): { ts?: string } & Record<string, unknown> {
  const channel = body.get('channel') ?? 'C0BENCH';
  const ts = body.get('ts') ?? `${Math.floor(Date.now() / 1000)}.${String(n % 1_000_000).padStart(6, '0')}`;
  switch (method) {
    case 'auth.test':
      return { user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0BENCH', url: 'https://bench.slack.com/' };
    case 'apps.connections.open':
      return { url: `ws://127.0.0.1:${port}/link` };
    case 'users.info':
      return { user: { id: body.get('user') ?? 'U1', team_id: 'T0BENCH', name: 'someone', profile: {} } };
    case 'conversations.info':
      return {
        channel: { id: channel, name: 'bench', is_member: true, is_channel: true, is_private: false },
      };
    case 'conversations.open':
      return { channel: { id: 'D0BENCH' } };
    case 'conversations.history':
      return { messages: [], has_more: false };
    case 'conversations.replies':
      return { messages: posts.filter(({ thread_ts: of }) => of === body.get('ts')), has_more: false };
    default:
      return {
        channel,
        ts,
        channels: [],
        members: [],
        message: { ts, thread_ts: body.get('thread_ts') ?? undefined },
      };
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
