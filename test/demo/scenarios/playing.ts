import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { startWorkspace, type Workspace } from 'local-slack';
import { afterAll, beforeAll } from 'vitest';
import { formats } from '../../../src/bot/alerts/formats/index.ts';
import { type AlertInput, createAlerts, type PostAlert } from '../../../src/demo/scenarios/alerts.ts';
import { createProblems } from '../../../src/demo/scenarios/problems.ts';
import { instantClock } from '../../support/manual-clock.ts';
import { fastClock } from '../../support/paced-clock.ts';
import { MANIFEST } from '../../support/program.ts';

/** Rollbar is played with a notice of a deploy, which is not an alert. */
export const NOTICES = ['rollbar'];

/** The tools that Gumshoe has a format of its own for. */
export const own = new Set(formats.flatMap(({ name, tool }) => (tool === null ? [] : [name])));

export function formatOf(tool: string): string {
  return own.has(tool) ? tool : 'generic';
}

/** One local workspace for a test file, in whose #alerts the tools are played. */
export function playing() {
  let folder: string;
  let workspace: Workspace;
  let slack: WebClient;
  let post: PostAlert;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gumshoe-tools-'));
    // So fast that no call is refused for being one too many in a minute.
    const fast = fastClock(600);
    workspace = await startWorkspace({ file: join(folder, 'workspace.db'), manifest: MANIFEST, clock: fast });
    slack = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
    const clock = instantClock();
    const problems = createProblems(clock, () => undefined);
    const { signal } = new AbortController();
    post = createAlerts({ workspace: () => workspace, problems, clock, signal });
  });

  afterAll(async () => {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    play: (tool: string, how: AlertInput['how']) => post({ tool, how, channel: workspace.channels.alerts }),
    /** The newest messages of #alerts as the app gets them, the newest first. */
    newest: async (limit: number): Promise<{ ts?: string }[]> => {
      const { messages } = await slack.conversations.history({ channel: workspace.channels.alerts, limit });
      return messages ?? [];
    },
    /** A thread, with the message that it is under. */
    replies: async (ts: string): Promise<{ ts?: string }[]> => {
      const { messages } = await slack.conversations.replies({ channel: workspace.channels.alerts, ts });
      return messages ?? [];
    },
  };
}
