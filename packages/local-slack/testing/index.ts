import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, LogLevel } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import type { PageEvent } from '../src/page-api.ts';
import { startWorkspace } from '../src/server.ts';
import type { Workspace, WorkspaceOptions } from '../src/workspace.ts';

/** How long the workspace waits for the app, in milliseconds: Slack's three seconds are not much on a busy machine. */
const UNHURRIED_MS = 10 * 60_000;
/**
 * Longer than any client keeps an idle connection: with Node's five seconds, a busy machine closes one just as a request
 * is sent on it.
 */
const KEEP_ALIVE_MS = 65_000;
/** Ends a hopeless wait only; milliseconds. */
const LONGEST_WAIT_MS = Number(process.env.LONGEST_WAIT_MS ?? 60_000);

/** What the test app may do, unless a test says otherwise. */
export const SCOPES: readonly string[] = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:read',
  'reactions:write',
  'users:read',
];

const EVENTS: readonly string[] = [
  'app_home_opened',
  'app_mention',
  'file_shared',
  'message.channels',
  'message.im',
  'reaction_added',
  'reaction_removed',
];

/** What an agent subscribes to, unless a test says otherwise. */
export const AGENT_EVENTS: readonly string[] = [
  'agent_session_stopped',
  'agent_session_title_changed',
  'app_context_changed',
  'app_home_opened',
  'message.channels',
  'message.im',
];

const AGENT_VIEW =
  'agent_view: { agent_description: Answers, suggested_prompts: [{ title: Open, message: What is open? }] }';

/** The test app's manifest. */
function manifestOf(
  scopes: readonly string[],
  events: readonly string[],
  { home, view, interactive }: { home: boolean; view: string | undefined; interactive: boolean },
): string {
  return `
display_information: { name: Tester }
features:
  bot_user: { display_name: Tester }
  app_home: { home_tab_enabled: ${home} }${view ? `\n  ${view}` : ''}
  shortcuts:
    - { name: Look at this, type: message, callback_id: look, description: Looks at a message }
    - { name: Begin, type: global, callback_id: begin, description: Begins something }
  slash_commands:
    - { command: /echo, description: Says it again, usage_hint: words }
oauth_config:
  scopes:
    bot: [${scopes.join(', ')}]
settings:
  event_subscriptions:
    bot_events: [${events.join(', ')}]
  interactivity: { is_enabled: ${interactive} }
`;
}

/** A folder that is gone when the test has ended. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace in a folder of its own, stopped when the test ends. */
export async function testWorkspace(
  options: Partial<WorkspaceOptions> & {
    scopes?: readonly string[];
    events?: readonly string[];
    /** Whether the app has a Home. */
    home?: boolean;
    /** Whether the app is an agent; then it has the events of one, if not said. */
    agent?: boolean;
    /** Whether the app takes interactions. */
    interactive?: boolean;
  } = {},
): Promise<Workspace> {
  const {
    scopes = SCOPES,
    events = options.agent ? AGENT_EVENTS : EVENTS,
    home = false,
    agent = false,
    interactive = true,
    ...rest
  } = options;
  const folder = await tempFolder();
  const manifest = join(folder, 'manifest.yml');
  const view = agent ? AGENT_VIEW : undefined;
  await writeFile(manifest, manifestOf(scopes, events, { home, view, interactive }));
  const workspace = await startWorkspace({
    file: join(folder, 'workspace.db'),
    manifest,
    // The limit is a matter for tests that have a clock of their own.
    ...(rest.clock === undefined ? { ackTimeoutMs: UNHURRIED_MS } : {}),
    ...rest,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= workspace.close();
    return closing;
  };
  onTestFinished(close);
  return { ...workspace, close };
}

/** A Bolt app on the workspace, over Socket Mode; stopped when the test ends. */
export async function boltOn(workspace: Workspace, prepare: (app: App) => void): Promise<App> {
  const app = new App({
    token: workspace.botToken,
    appToken: workspace.appToken,
    socketMode: true,
    convoStore: false,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  prepare(app);
  await app.start();
  onTestFinished(async () => {
    await app.stop();
  });
  return app;
}

/** Every event that the app is told of from now on. */
export async function eventsOf(workspace: Workspace): Promise<Record<string, unknown>[]> {
  const client = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  const events: Record<string, unknown>[] = [];
  client.on('slack_event', async ({ ack, body, type }) => {
    if (type === 'events_api') events.push(body.event);
    await ack();
  });
  await client.start();
  onTestFinished(() => client.disconnect());
  return events;
}

/** Slack's own client for the bot; it answers a refusal at once. */
export function clientOf(workspace: Workspace, token = workspace.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
}

/** What a call that must be refused was refused with: Slack's answer. */
export async function refusalOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const cause = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (typeof cause === 'object' && cause !== null && 'data' in cause) return { ...Object(cause.data) };
  throw new Error('The call was not refused by Slack', { cause });
}

/** Waits, a little at a time, until there is something. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`waited in vain until ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A server that leaves it to its clients to close what is idle. */
export function patientServer(listener: RequestListener): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
}

/** Serves a workspace's page until the test ends; where, without a slash at the end. */
export async function servePage(workspace: Workspace): Promise<string> {
  const server = patientServer(workspace.page);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Posts JSON to one of the page's calls, e.g. `stage/faults`; what is answered, read as JSON. */
export async function callPage(page: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${page}/page-api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** What an open page hears from now on, so far. */
export async function listenToPage(page: string): Promise<() => PageEvent[]> {
  const stream = await fetch(`${page}/page-api/events`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  // What the stream begins with: who has read it hears all that follows.
  let heard = (await reader?.read())?.value ?? '';
  const read = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      heard += part.value;
  };
  void read().catch(() => undefined);
  return () =>
    heard
      .split('\n\n')
      .slice(0, -1)
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice('data: '.length)));
}
