import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { z } from 'zod';
import { renameSession, stopSession, viewFromPage } from '../agent/people.ts';
import { messagesTab } from '../agent/sessions.ts';
import { serveToPage } from '../files/serve.ts';
import { answerJson, answerText, BodyError, readBody } from '../http/body.ts';
import { receiveWebhook } from '../incoming-webhooks.ts';
import { act, suggest } from '../interact/action.ts';
import { react, runCommand, runShortcut, say, stopAsPerson, uploadFromPage } from '../interact/command.ts';
import { openHome } from '../interact/home/home.ts';
import { actInView, closeView, submitView } from '../interact/modal/submit.ts';
import { changeContextFromPage, openFromPage } from '../interact/pane.ts';
import type { AssistantOutcome, PageOutcome, SuggestOutcome } from '../page-api.ts';
import {
  ActionRequest,
  CloseRequest,
  CommandRequest,
  ContextRequest,
  EntityActionRequest,
  EntityRequest,
  HomeRequest,
  MessageRequest,
  PaneRequest,
  ReactionRequest,
  RenameSessionRequest,
  ShortcutRequest,
  StopRequest,
  StopSessionRequest,
  SubmitRequest,
  SuggestRequest,
  UploadRequest,
  ViewActionRequest,
  ViewingRequest,
} from '../page-requests.ts';
import { actOnEntity } from '../work-objects/act.ts';
import { openEntity } from '../work-objects/open.ts';
import type { Gallery } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { rejectionOf, SECURITY_HEADERS } from './guard.ts';
import { PANEL_POSTS, pagePanel } from './panel.ts';
import { pageAssistant, pageHome, pageMessages, pageSessions, pageState, pageViews } from './state.ts';

/** `GET /events`: everything that happens, as server-sent events, until the page disconnects. */
function streamEvents(context: WorkspaceContext, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write(': open\n\n');
  const stop = context.page.listen((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  response.on('close', stop);
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The page has no inline script or style; images in messages may come from anywhere, as in Slack. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The file that an address names; the page itself for `/`, the gallery and permalinks. */
function fileFor(pathname: string): string | undefined {
  if (pathname === '/' || pathname === '/gallery' || pathname.startsWith('/archives/')) return 'index.html';
  if (!/^[\w./-]+$/.test(pathname)) return undefined;
  const path = normalize(pathname).slice(1);
  return path.split(sep).includes('..') ? undefined : path;
}

/** Serves one of the page's built files. Names under `assets/` carry a hash, so they may be kept. */
async function serveFile(folder: string, pathname: string, response: ServerResponse): Promise<void> {
  const file = fileFor(pathname);
  const type = file && TYPES[extname(file)];
  const content = file && type ? await readFile(join(folder, file)).catch(() => undefined) : undefined;
  if (!file || !type || !content) {
    answerText(response, 404, 'Not found.');
    return;
  }
  response.writeHead(200, {
    'content-type': type,
    'cache-control': file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': POLICY,
  });
  response.end(content);
}

/** `GET /gallery`, and the pictures in it; whether the request was for one of them. */
async function serveGallery(
  gallery: Gallery | undefined,
  path: string,
  response: ServerResponse,
): Promise<boolean> {
  if (path === 'gallery') {
    answerJson(response, 200, { entries: (await gallery?.entries()) ?? [] });
    return true;
  }
  if (!gallery || !path.startsWith('files/')) return false;
  const png = await gallery.picture(path.slice('files/'.length));
  if (png === null) return false;
  response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' }).end(png);
  return true;
}

type Post = (
  context: WorkspaceContext,
  body: unknown,
) => Promise<PageOutcome | AssistantOutcome | SuggestOutcome>;

/** What the page may send, by the end of its path. */
const POSTS: Readonly<Record<string, Post>> = {
  messages: (context, body) => say(context, MessageRequest.parse(body)),
  commands: (context, body) => runCommand(context, CommandRequest.parse(body)),
  actions: (context, body) => act(context, ActionRequest.parse(body)),
  suggestions: (context, body) => suggest(context, SuggestRequest.parse(body)),
  shortcuts: (context, body) => runShortcut(context, ShortcutRequest.parse(body)),
  reactions: (context, body) => react(context, ReactionRequest.parse(body)),
  entities: (context, body) => openEntity(context, EntityRequest.parse(body)),
  'entities/action': (context, body) => actOnEntity(context, EntityActionRequest.parse(body)),
  home: (context, body) => openHome(context, HomeRequest.parse(body)),
  'views/action': (context, body) => actInView(context, ViewActionRequest.parse(body)),
  'views/submit': (context, body) => submitView(context, SubmitRequest.parse(body)),
  uploads: (context, body) => uploadFromPage(context, UploadRequest.parse(body)),
  'streams/stop': (context, body) => stopAsPerson(context, StopRequest.parse(body)),
  assistant: (context, body) => openFromPage(context, PaneRequest.parse(body)),
  'assistant/context': (context, body) => changeContextFromPage(context, ContextRequest.parse(body)),
  'sessions/stop': (context, body) => stopSession(context, StopSessionRequest.parse(body)),
  'sessions/rename': (context, body) => renameSession(context, RenameSessionRequest.parse(body)),
  viewing: (context, body) => viewFromPage(context, ViewingRequest.parse(body)),
  'views/close': (context, body) => closeView(context, CloseRequest.parse(body)),
};

const CALLS = new Map(Object.entries({ ...POSTS, ...PANEL_POSTS }));

async function post(
  context: WorkspaceContext,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const run = CALLS.get(path);
  if (!run) return answerText(response, 404, 'Not found.');
  // Only JSON: a form on another site could send anything else without asking first.
  if (!/^application\/json\s*(?:;|$)/iu.test(request.headers['content-type'] ?? '')) {
    return answerText(response, 415, 'Send JSON.');
  }
  answerJson(response, 200, await run(context, await readBody(request)));
}

function get(context: WorkspaceContext, path: string, query: URLSearchParams, response: ServerResponse) {
  if (path === 'state') return answerJson(response, 200, pageState(context));
  if (path === 'events') return streamEvents(context, response);
  if (path === 'stage') return answerJson(response, 200, pagePanel(context));
  if (path === 'views')
    return answerJson(response, 200, { views: pageViews(context, query.get('as') ?? '') });
  if (path === 'assistant') {
    return answerJson(response, 200, { threads: pageAssistant(context, query.get('as') ?? '') });
  }
  if (path === 'sessions') {
    return answerJson(response, 200, { sessions: pageSessions(context, query.get('as') ?? '') });
  }
  if (path === 'messages-tab') {
    return answerJson(response, 200, { tab: messagesTab(context, query.get('as') ?? '') });
  }
  if (path === 'home') return answerJson(response, 200, { home: pageHome(context, query.get('as') ?? '') });
  if (path.startsWith('files/')) return serveToPage(context, path.slice('files/'.length), response);
  if (path !== 'messages') return answerText(response, 404, 'Not found.');
  const messages = pageMessages(context, query.get('channel') ?? '', query.get('thread_ts') ?? undefined);
  return answerJson(response, 200, { messages });
}

async function route(
  context: WorkspaceContext,
  folder: () => Promise<string>,
  gallery: Gallery | undefined,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const denied = rejectionOf(request);
  if (denied !== undefined) return answerText(response, 403, denied);
  // What begins with two slashes would name another host, and what is no path at all may be no address either.
  const asked = URL.parse(`http://localhost${request.url ?? '/'}`);
  if (asked === null) return answerText(response, 404, 'Not found.');
  const { pathname, searchParams } = asked;
  const path = pathname.startsWith('/page-api/') ? pathname.slice('/page-api/'.length) : undefined;
  if (request.method === 'POST' && pathname.startsWith('/services/'))
    return receiveWebhook(context, pathname, request, response);
  if (request.method === 'POST' && path !== undefined) return post(context, path, request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') return answerText(response, 405, 'Use GET.');
  if (path !== undefined && (await serveGallery(gallery, path, response))) return;
  if (path !== undefined) return get(context, path, searchParams, response);
  return serveFile(await folder(), pathname, response);
}

/**
 * The page's server: its files, and the calls of `page-api.ts`.
 *
 * @param folder gives the folder with the built page; asked at each request for a file.
 */
export function createPageHandler(
  context: WorkspaceContext,
  folder: () => Promise<string>,
  gallery?: Gallery,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    route(context, folder, gallery, request, response).catch((cause: unknown) => {
      if (response.headersSent) return response.destroy();
      if (cause instanceof BodyError) return answerText(response, 400, cause.message);
      if (cause instanceof z.ZodError)
        return answerText(response, 400, 'A field of the body is missing or invalid.');
      answerText(response, 500, cause instanceof Error ? cause.message : 'The page could not be served.');
    });
  };
}
