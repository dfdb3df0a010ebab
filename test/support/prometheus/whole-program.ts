import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorkspace } from 'local-slack';
import { systemClock } from '../../../src/lib/clock.ts';
import { startService } from '../../../src/service/server.ts';
import { openSources } from '../../../src/service/telemetry/open-sources.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';
import { wordsOf } from '../alerts.ts';
import { MANIFEST, type Mode, startBotOn, UNHURRIED_MS } from '../program.ts';
import { until } from '../until.ts';

const KEY = 'key-of-the-tests';

/** The local workspace, the bot, and the service on somebody's Prometheus. */
export interface WholeProgram {
  /** Posts what Alertmanager posts, and answers what stands in the thread once the results are there. */
  alert(message: { title: string; text?: string }): Promise<string>;
  close(): Promise<void>;
}

/** Starts all of it, as in production but for Slack. */
export async function wholeProgramOn(prometheusUrl: string, mode: Mode): Promise<WholeProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-whole-'));
  const read = readTelemetrySettings({ PROMETHEUS_URL: prometheusUrl });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const sources = openSources(read.settings, systemClock);
  const service = await startService({
    file: join(folder, 'service.db'),
    keys: { [KEY]: 'tests' },
    telemetry: sources.source,
    limits: read.settings.limits,
  });
  const workspace = await startWorkspace({
    clock: systemClock,
    ackTimeoutMs: UNHURRIED_MS,
    file: join(folder, 'workspace.db'),
    manifest: MANIFEST,
    deliver: mode === 'socket' ? { mode } : { mode, url: '' },
  });
  const env = {
    SLACK_BOT_TOKEN: workspace.botToken,
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: workspace.appToken }
      : { SLACK_SIGNING_SECRET: workspace.signingSecret }),
    SLACK_API_URL: workspace.apiUrl,
    ISSUE_SERVICE_URL: service.url,
    ISSUE_SERVICE_API_KEY: KEY,
    DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`,
    PORT: '0',
    HOST: '127.0.0.1',
    POLL_CRON: '* * * * * *',
    ALERT_CHANNELS: workspace.channels.alerts,
    LOG_LEVEL: 'silent',
  };
  const bot = await startBotOn({ env, mode, workspace });
  return {
    alert: async ({ title, text = '' }) => {
      const channel = workspace.channels.alerts;
      const { ts } = await workspace.post({
        channel,
        username: 'Alertmanager',
        attachments: [
          {
            color: 'a30200',
            title: `[FIRING:1] ${title}`,
            title_link: 'http://alertmanager.example.org/#/alerts?receiver=slack',
            text,
            fallback: `[FIRING:1] ${title}`,
            mrkdwn_in: ['text'],
          },
        ],
      });
      return until('the results are in the thread', () => {
        const words = workspace.messages(channel, ts).slice(1).map(wordsOf);
        return words.some((one) => /Results of/u.test(one)) && words.join('\n');
      });
    },
    close: async () => {
      await bot.stop();
      await workspace.close();
      await service.close();
      await sources.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The text of an alert as many teams' templates write it: its labels in a list. */
export function listed(labels: Readonly<Record<string, string>>): string {
  const lines = Object.entries(labels).map(([name, value]) => `  • *${name}:* \`${value}\``);
  return `*Details:*\n${lines.join('\n')}`;
}
