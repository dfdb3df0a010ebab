import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogLevel, WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { startWorkspace } from '../../../src/sandbox/workspace/server.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/sandbox/workspace/workspace.ts';

/** What the test app may do, unless a test says otherwise. */
export const SCOPES: readonly string[] = [
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'reactions:read',
  'reactions:write',
  'users:read',
];

/** The test app's manifest. */
function manifestOf(scopes: readonly string[]): string {
  return `
display_information: { name: Tester }
features:
  bot_user: { display_name: Tester }
  slash_commands:
    - { command: /echo, description: Says it again, usage_hint: words }
oauth_config:
  scopes:
    bot: [${scopes.join(', ')}]
settings:
  event_subscriptions:
    bot_events: [app_mention, message.channels, message.im, reaction_added, reaction_removed]
  interactivity: { is_enabled: true }
`;
}

/** A clock that moves only when told to. */
export interface ManualClock extends Clock {
  advance(ms: number): Promise<void>;
}

export function manualClock(start = Date.parse('2026-11-01T12:00:00Z')): ManualClock {
  let now = start;
  const sleepers = new Set<{ due: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = {
          due: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.due <= now) sleeper.wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A folder that is gone when the test has ended. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace in a folder of its own, stopped when the test ends. */
export async function testWorkspace(
  options: Partial<WorkspaceOptions> & { scopes?: readonly string[] } = {},
): Promise<Workspace> {
  const { scopes = SCOPES, ...rest } = options;
  const folder = await tempFolder();
  const manifest = join(folder, 'manifest.yml');
  await writeFile(manifest, manifestOf(scopes));
  const workspace = await startWorkspace({ file: join(folder, 'workspace.db'), manifest, ...rest });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= workspace.close();
    return closing;
  };
  onTestFinished(close);
  return { ...workspace, close };
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
export async function until<T>(look: () => T | undefined | false, ms = 8_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
