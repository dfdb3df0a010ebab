import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import type { PageEvent, PageMessage, PageOutcome, PageState, PageView } from '../../../src/page-api.ts';
import type { PagePanel } from '../../../src/page-panel.ts';
import { emptyPanel } from './canned-panel.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

// As strict as the workspace's own may be: nothing inline, nothing from elsewhere.
const POLICY = "default-src 'self'; img-src 'self' https: data:; style-src 'self' 'unsafe-inline'";

/** A server of the page's contract with canned data, which notes what the page asks of it. */
export interface FakeWorkspace {
  url: string;
  /** Each `POST` of the page: its path's end and its body. */
  posts: { call: string; body: unknown }[];
  messages: PageMessage[];
  /** The open modals, of anybody. */
  views: PageView[];
  /** What the panel shows; `emit` changes it. */
  panel: PagePanel;
  /** Changes what is stored and tells the page. */
  emit: (event: PageEvent) => void;
  /** The answer to the next `POST`s. */
  answer: (outcome: PageOutcome) => void;
  /** The next `POST`s are answered when the returned function is called. */
  hold: () => () => void;
  /** Ends the event streams and refuses new ones until the next call. */
  toggleEvents: () => void;
  close: () => Promise<void>;
}

/** Serves the built page from `files` and the contract from `state` and `messages`, on a free port. */
export async function startFakeWorkspace(
  files: string,
  state: PageState,
  messages: PageMessage[],
): Promise<FakeWorkspace> {
  const posts: FakeWorkspace['posts'] = [];
  const streams = new Set<ServerResponse>();
  const views: PageView[] = [];
  let outcome: PageOutcome = { ok: true };
  let held = Promise.resolve();
  let takesStreams = true;

  const onGet = async (url: URL, res: ServerResponse) => {
    if (url.pathname === '/page-api/state') return json(res, state);
    if (url.pathname === '/page-api/messages')
      return json(res, { messages: listed(messages, url.searchParams) });
    if (url.pathname === '/page-api/views')
      return json(res, { views: views.filter(({ user }) => user === url.searchParams.get('as')) });
    if (url.pathname === '/page-api/stage') return json(res, fake.panel);
    if (url.pathname !== '/page-api/events') return file(res, files, url.pathname);
    if (!takesStreams) return void res.writeHead(503).end();
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(': hello\n\n');
    streams.add(res);
    res.on('close', () => streams.delete(res));
  };
  const onPost = async (url: URL, req: IncomingMessage, res: ServerResponse) => {
    posts.push({ call: url.pathname.slice('/page-api/'.length), body: JSON.parse(await bodyOf(req)) });
    await held;
    json(res, outcome);
  };
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://localhost');
    void (req.method === 'POST' ? onPost(url, req, res) : onGet(url, res));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake workspace has no port.');

  const fake: FakeWorkspace = {
    url: `http://127.0.0.1:${address.port}/`,
    posts,
    messages,
    views,
    panel: emptyPanel,
    emit: (event) => {
      if (event.type === 'stage') fake.panel = event.stage;
      if (event.type === 'view') storeView(views, event.view);
      if (event.type === 'view_closed') removeView(views, event.id);
      if (event.type === 'message' || event.type === 'message_changed') store(messages, event.message);
      for (const stream of streams) stream.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    answer: (next) => {
      outcome = next;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    toggleEvents: () => {
      takesStreams = !takesStreams;
      for (const stream of streams) stream.end();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function store(messages: PageMessage[], message: PageMessage): void {
  const index = messages.findIndex(({ channel, ts }) => channel === message.channel && ts === message.ts);
  if (index < 0) messages.push(message);
  else messages[index] = message;
}

function storeView(views: PageView[], view: PageView): void {
  const index = views.findIndex(({ id }) => id === view.id);
  if (index < 0) views.push(view);
  else views[index] = view;
}

function removeView(views: PageView[], id: string): void {
  const index = views.findIndex((view) => view.id === id);
  if (index >= 0) views.splice(index, 1);
}

function listed(messages: PageMessage[], query: URLSearchParams): PageMessage[] {
  const thread = query.get('thread_ts');
  const inChannel = messages.filter(({ channel }) => channel === query.get('channel'));
  if (thread === null) return inChannel.filter(({ ts, thread_ts }) => (thread_ts ?? ts) === ts);
  return inChannel.filter(({ ts, thread_ts }) => ts === thread || thread_ts === thread);
}

function json(res: ServerResponse, body: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function file(res: ServerResponse, folder: string, path: string): Promise<void> {
  const name = path === '/' || path.startsWith('/archives/') ? '/index.html' : path;
  try {
    const content = await readFile(join(folder, name));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    res.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(content);
  } catch {
    res.writeHead(404).end();
  }
}
