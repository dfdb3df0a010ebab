import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { z } from 'zod';
import { renameSession, stopSession, viewFromPage } from '../agent/people.ts';
import { messagesTab, sessionOnPage } from '../agent/sessions.ts';
import { type PanelCall, panelCall, refused } from '../control-panel.ts';
import type { Channel, User } from '../entities.ts';
import { subscribed } from '../events/kinds.ts';
import { serveToPage } from '../files/serve.ts';
import { answerJson, answerText, BodyError, readBody } from '../http/body.ts';
import { receiveWebhook, webhookAddresses } from '../incoming-webhooks.ts';
import { act, suggest } from '../interact/action.ts';
import { react, runCommand, runShortcut, say, stopAsPerson, uploadFromPage } from '../interact/command.ts';
import { openHome } from '../interact/home.ts';
import { homeOnPage } from '../interact/home-view.ts';
import { actInView, closeView, submitView } from '../interact/submit.ts';
import { onPage } from '../interact/views.ts';
import { presentOnPage } from '../messages/present.ts';
import { METHODS } from '../methods/index.ts';
import type {
  PageAnswers,
  PageMessage,
  PageOutcome,
  PageState,
  PageUser,
  SuggestOutcome,
} from '../page-api.ts';
import { PageFaults, type PagePanel, SocketRequest } from '../page-panel.ts';
import { PAGE_CALLS, type PageCalls } from '../page-requests.ts';
import { isSlackbots } from '../seed.ts';
import { BLOCK_TYPES } from '../validate/blocks.ts';
import type { Gallery } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { rejectionOf, SECURITY_HEADERS } from './guard.ts';

const KNOWN_METHODS = new Set(METHODS.map(({ name }) => name));

/** `GET /stage`. */
export function pagePanel(context: WorkspaceContext): PagePanel {
  const { controlPanel, faults } = context;
  const sections = controlPanel?.sections() ?? [];
  return { sections, webhooks: webhookAddresses(context), faults: faults.now() };
}

/** A call of the panel by the end of its path, if there is one. */
function panelCallOf(context: WorkspaceContext, name: string): PanelCall | undefined {
  const { faults, installed, controlPanel, endSockets } = context;
  if (name === 'socket') {
    return panelCall(SocketRequest, async ({ reason }) =>
      endSockets(reason) > 0 ? { ok: true } : refused('The app has no open Socket Mode connection.'),
    );
  }
  if (name === 'faults') {
    return panelCall(PageFaults, async (wanted) => {
      const method = wanted.methods.find((one) => !KNOWN_METHODS.has(one));
      if (method !== undefined) return refused(`methods: the local Slack has no method ${method}.`);
      const scope = wanted.withheldScopes.find((one) => !installed.includes(one));
      if (scope !== undefined) return refused(`The app’s manifest does not request the scope ${scope}.`);
      const type = wanted.refusedBlocks.find((one) => !BLOCK_TYPES.has(one));
      if (type !== undefined) return refused(`refusedBlocks: the local Slack has no block ${type}.`);
      faults.change(wanted);
      return { ok: true };
    });
  }
  const calls = controlPanel?.calls ?? {};
  return Object.hasOwn(calls, name) ? calls[name] : undefined;
}

/** A conversation of two bears the person's name. */
function nameOf(context: WorkspaceContext, channel: Channel): string {
  const person = channel.im_user === null ? undefined : context.store.users.get(channel.im_user);
  return person?.name ?? channel.name;
}

/** What sets a person apart from a member. */
function roleOf({ is_admin, is_restricted, is_stranger }: User): Pick<PageUser, 'role'> {
  if (is_stranger) return { role: 'external' };
  if (is_restricted) return { role: 'guest' };
  return is_admin ? { role: 'admin' } : {};
}

/** `GET /state`. */
function pageState(context: WorkspaceContext): PageState {
  const { store, app, team, manifest } = context;
  return {
    team: { id: team.id, name: team.name },
    users: store.users.all().map((user) => ({
      id: user.id,
      name: user.name,
      real_name: user.real_name,
      is_bot: user.is_bot,
      color: `#${user.color}`,
      ...roleOf(user),
    })),
    channels: store.channels.all().map((channel) => ({
      id: channel.id,
      name: nameOf(context, channel),
      topic: channel.topic,
      is_im: channel.is_im,
      is_private: channel.is_private,
      ...(channel.is_private &&
        (!channel.is_im || isSlackbots(channel)) && { members: store.channels.members(channel.id) }),
      bot_is_member: store.channels.isMember(channel.id, app.bot_user_id),
    })),
    commands: manifest.commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      ...(usage_hint !== undefined && { usage_hint }),
    })),
    shortcuts: [...manifest.shortcuts],
    bot: { user_id: app.bot_user_id, name: app.name, online: context.online(), has_home: manifest.home },
    ...(manifest.agent && {
      agent: {
        description: manifest.agent.description,
        is_stoppable: subscribed(context, 'agent_session_stopped'),
      },
    }),
  };
}

/** `GET /messages`: oldest first. */
export function pageMessages(
  context: WorkspaceContext,
  channel: string,
  thread: string | undefined,
): PageMessage[] {
  const { messages, reactions } = context.store;
  const all = thread === undefined ? reactions.inChannel(channel) : null;
  return messages
    .shown(channel, thread)
    .map(({ message, ephemeralTo }) =>
      presentOnPage(context, channel, message, ephemeralTo, all ? (all.get(message.ts) ?? []) : undefined),
    );
}

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

type Calls = {
  [K in keyof PageCalls]: (
    context: WorkspaceContext,
    body: PageCalls[K],
  ) => Promise<PageOutcome | SuggestOutcome>;
};

const CALLS: Calls = {
  messages: say,
  uploads: uploadFromPage,
  commands: runCommand,
  actions: act,
  suggestions: suggest,
  shortcuts: runShortcut,
  reactions: react,
  home: openHome,
  'views/action': actInView,
  'views/submit': submitView,
  'views/close': closeView,
  'streams/stop': stopAsPerson,
  'sessions/stop': stopSession,
  'sessions/rename': renameSession,
  viewing: viewFromPage,
};

const isCall = (name: string): name is keyof PageCalls => Object.hasOwn(CALLS, name);

function callFor<K extends keyof PageCalls>(context: WorkspaceContext, name: K) {
  return (body: unknown) => CALLS[name](context, PAGE_CALLS[name].parse(body));
}

async function post(
  context: WorkspaceContext,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const ofPanel = path.startsWith('stage/') ? panelCallOf(context, path.slice('stage/'.length)) : undefined;
  const run = ofPanel ?? (isCall(path) ? callFor(context, path) : undefined);
  if (!run) return answerText(response, 404, 'Not found.');
  // Only JSON: a form on another site could send anything else without asking first.
  if (!/^application\/json\s*(?:;|$)/iu.test(request.headers['content-type'] ?? '')) {
    return answerText(response, 415, 'Send JSON.');
  }
  answerJson(response, 200, await run(await readBody(request)));
}

type Answers = {
  [K in keyof PageAnswers]: (
    context: WorkspaceContext,
    query: (name: string) => string,
    gallery: Gallery | undefined,
  ) => PageAnswers[K] | Promise<PageAnswers[K]>;
};

const ANSWERS: Answers = {
  state: pageState,
  messages: (context, query) => ({
    messages: pageMessages(context, query('channel'), query('thread_ts') || undefined),
  }),
  views: (context, query) => ({ views: context.views.of(query('as')).map(onPage) }),
  home: ({ store }, query) => {
    const home = store.homes.get(query('as'));
    return { home: home ? homeOnPage(home) : null };
  },
  sessions: ({ store }, query) => ({
    sessions: store.sessions
      .all()
      .filter(({ channel }) => store.channels.isMember(channel, query('as')))
      .map(sessionOnPage),
  }),
  'messages-tab': (context, query) => ({ tab: messagesTab(context, query('as')) }),
  gallery: async (_context, _query, gallery) => ({ entries: (await gallery?.entries()) ?? [] }),
  stage: pagePanel,
};

const isAnswer = (name: string): name is keyof PageAnswers => Object.hasOwn(ANSWERS, name);

async function get(
  context: WorkspaceContext,
  path: string,
  query: URLSearchParams,
  gallery: Gallery | undefined,
  response: ServerResponse,
) {
  if (isAnswer(path)) {
    const answer = await ANSWERS[path](context, (name) => query.get(name) ?? '', gallery);
    return answerJson(response, 200, answer);
  }
  if (path === 'events') return streamEvents(context, response);
  if (!path.startsWith('files/')) return answerText(response, 404, 'Not found.');
  return serveToPage(context, path.slice('files/'.length), response);
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
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answerJson(response, 404, { error: 'not found' });
  if (path !== undefined) return get(context, path, searchParams, gallery, response);
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
