import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { messagesTab } from '../agent/messages-tab.ts';
import { serveToPage } from '../files/serve.ts';
import { answerJson, answerText } from '../http/answer.ts';
import { BodyError, readBody } from '../http/body.ts';
import { receiveWebhook } from '../incoming-webhooks/receive.ts';
import type { Gallery } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { streamEvents } from './events.ts';
import { serveFile, serveGallery } from './files.ts';
import { rejectionOf, SECURITY_HEADERS } from './guard.ts';
import { PANEL_POSTS, pagePanel } from './panel.ts';
import { POSTS } from './posts.ts';
import { pageAssistant, pageHome, pageMessages, pageSessions, pageState, pageViews } from './state.ts';

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
