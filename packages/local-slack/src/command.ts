#!/usr/bin/env node
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EVENT_SCOPES } from './events/kinds.ts';
import type { Manifest } from './manifest.ts';
import { METHODS } from './methods/index.ts';
import { startWorkspace } from './server.ts';
import type { Workspace } from './workspace.ts';

const PORT = 4000;
const MANIFESTS = ['manifest.yml', 'manifest.yaml', 'manifest.json'];
/** Idle connections are for clients to close. */
const KEEP_ALIVE_MS = 65_000;

const USAGE = `A strict Slack on this machine, for one app.

Usage: local-slack [options]

  --manifest FILE        the app's manifest, YAML or JSON (default: ${MANIFESTS[0]} in this folder; without any, the app
                         has every scope and event, and a command /local)
  --port PORT            the page's port (default: ${PORT}); the Web API listens on the next one
  --request-url URL      deliver signed HTTP requests to URL (default: Socket Mode)
  --data FOLDER          where messages, files and tokens are kept (default: .local-slack)
  --ack-timeout SECONDS  how long the app may take to acknowledge (default: 3, like Slack)
  --bot-token, --app-token, --signing-secret VALUE
                         in place of those that are made once and kept in the folder
  --help                 prints this`;

/** What a command prints to, and what ends it. */
export interface CommandIo {
  out(text: string): void;
  err(text: string): void;
  stop: AbortSignal;
}

interface Options {
  manifest: string | Manifest;
  port: number;
  requestUrl: string | undefined;
  data: string;
  ackTimeoutMs: number | undefined;
  tokens: { botToken?: string; appToken?: string; signingSecret?: string };
}

/** `npx local-slack`: runs a local Slack with its page until it is stopped, and returns the exit code. */
export async function localSlack(words: readonly string[], io: CommandIo): Promise<number> {
  const read = readOptions(words);
  if (typeof read === 'string') {
    io.err(read);
    return 1;
  }
  if (read === null) {
    io.out(USAGE);
    return 0;
  }
  const page = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  let workspace: Workspace | undefined;
  try {
    page.listen(read.port, '127.0.0.1');
    await once(page, 'listening');
    const address = page.address();
    const port = typeof address === 'object' && address !== null ? address.port : read.port;
    const url = `http://localhost:${port}`;
    workspace = await startWorkspace({
      file: join(read.data, 'workspace.db'),
      manifest: read.manifest,
      pageUrl: url,
      port: read.port === 0 ? 0 : read.port + 1,
      ...(read.requestUrl === undefined ? {} : { deliver: { mode: 'http', url: read.requestUrl } }),
      ...(read.ackTimeoutMs === undefined ? {} : { ackTimeoutMs: read.ackTimeoutMs }),
      ...read.tokens,
    });
    page.on('request', workspace.page);
    io.out(greeting(workspace, url, read));
    if (!io.stop.aborted) await once(io.stop, 'abort');
    return 0;
  } catch (error) {
    io.err(failure(error));
    return 1;
  } finally {
    page.close();
    page.closeAllConnections();
    await workspace?.close();
  }
}

/** The options; `null` for `--help`, a sentence where they are wrong. */
function readOptions(words: readonly string[]): Options | string | null {
  const text = { type: 'string' } as const;
  const options = {
    manifest: text,
    port: text,
    'request-url': text,
    data: text,
    'ack-timeout': text,
    'bot-token': text,
    'app-token': text,
    'signing-secret': text,
    help: { type: 'boolean' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    values = parseArgs({ args: [...words], options }).values;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}. See local-slack --help.`;
  }
  if (values.help) return null;
  const port = values.port === undefined ? PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_534)
    return '--port must be a whole number from 0 to 65534.';
  const seconds = values['ack-timeout'];
  const ackTimeout = Number(seconds ?? 3);
  if (!(ackTimeout > 0)) return '--ack-timeout must be a number of seconds above 0.';
  const requestUrl = values['request-url'];
  if (requestUrl !== undefined && !/^https?:$/u.test(URL.parse(requestUrl)?.protocol ?? ''))
    return '--request-url must be an address such as http://localhost:3000/slack/events.';
  const manifest = values.manifest ?? MANIFESTS.find((file) => existsSync(file));
  return {
    manifest: manifest ?? permissive(),
    port,
    requestUrl,
    data: values.data ?? '.local-slack',
    ackTimeoutMs: seconds === undefined ? undefined : ackTimeout * 1_000,
    tokens: {
      ...(values['bot-token'] === undefined ? {} : { botToken: values['bot-token'] }),
      ...(values['app-token'] === undefined ? {} : { appToken: values['app-token'] }),
      ...(values['signing-secret'] === undefined ? {} : { signingSecret: values['signing-secret'] }),
    },
  };
}

/** For an app that has no manifest yet. */
function permissive(): Manifest {
  const scopes = [...METHODS.flatMap((method) => method.scopes), ...Object.values(EVENT_SCOPES).flat()];
  return {
    name: 'Local app',
    botName: 'app',
    scopes: [...new Set([...scopes, 'commands'])],
    events: Object.keys(EVENT_SCOPES),
    commands: [{ command: '/local', description: 'Reaches the app' }],
    shortcuts: [],
    interactive: true,
    home: true,
    agent: undefined,
  };
}

function greeting(workspace: Workspace, url: string, { manifest, requestUrl }: Options): string {
  return [
    `Local Slack is running. Its page: ${url}`,
    typeof manifest === 'string'
      ? `The app is the one of ${manifest}.`
      : 'There is no manifest.yml here: the app has every scope and event. --manifest FILE names one.',
    requestUrl === undefined ? 'It delivers over Socket Mode.' : `It delivers to ${requestUrl}.`,
    'For the environment of the app:',
    '',
    `export SLACK_API_URL=${workspace.apiUrl}`,
    `export SLACK_BOT_TOKEN=${workspace.botToken}`,
    ...(requestUrl === undefined ? [`export SLACK_APP_TOKEN=${workspace.appToken}`] : []),
    `export SLACK_SIGNING_SECRET=${workspace.signingSecret}`,
    '',
    'Bolt takes the address as `clientOptions: { slackApiUrl: process.env.SLACK_API_URL }`. Press Ctrl-C to stop.',
  ].join('\n');
}

function failure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const inUse = /EADDRINUSE.*?(\d+)$/u.exec(message);
  return inUse === null
    ? `Local Slack could not start: ${message}.`
    : `Port ${inUse[1]} is in use: is another local Slack running? --port takes another one.`;
}

if (import.meta.main) {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  process.exitCode = await localSlack(process.argv.slice(2), {
    out: console.log,
    err: console.error,
    stop: stop.signal,
  });
}
