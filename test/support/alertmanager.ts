import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PagePanel, type Workspace } from 'local-slack';
import { servePage } from 'local-slack/testing';
import { onTestFinished } from 'vitest';
import { freePort } from '../bench/systems/prometheus.ts';
import { patientServer } from './patient-server.ts';
import { until } from './until.ts';

/** A real Alertmanager. */
export interface TestAlertmanager {
  url: string;
  /** Ends it, and starts it again with what it has stored. */
  restart(): Promise<void>;
  /** Tells it of alerts, as Prometheus does; one with an `endsAt` in the past is resolved. */
  post(alerts: readonly object[]): Promise<void>;
}

/** Whether Debian's `prometheus-alertmanager` is there. Where it is not, tests that need it are skipped, and say so. */
export function hasAlertmanager(): boolean {
  const found = spawnSync('prometheus-alertmanager', ['--version']).status === 0;
  if (!found)
    console.info('Skipped: no `prometheus-alertmanager` here (apt-get install prometheus-alertmanager).');
  return found;
}

/** Starts an Alertmanager that notifies Slack and a webhook at once, until the test ends. */
export async function startAlertmanager(options: {
  slackUrl: string;
  webhookUrl: string;
  /** The webhook's bearer token. */
  token?: string;
  externalUrl: string;
  groupBy: readonly string[];
  /** How often it tells what still fires; `4h` by default. */
  repeatInterval?: string;
  /** More routes, and the time intervals that they name. */
  more?: { routes: readonly object[]; timeIntervals: readonly object[] };
}): Promise<TestAlertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-alertmanager-'));
  const { token } = options;
  const http_config = token === undefined ? {} : { authorization: { credentials: token } };
  const config = {
    route: {
      receiver: 'slack',
      group_by: options.groupBy,
      group_wait: '0s',
      group_interval: '1s',
      repeat_interval: options.repeatInterval ?? '4h',
      routes: [
        ...(options.more?.routes ?? []),
        { receiver: 'slack', continue: true },
        { receiver: 'webhook' },
      ],
    },
    time_intervals: options.more?.timeIntervals ?? [],
    receivers: [
      {
        name: 'slack',
        slack_configs: [{ api_url: options.slackUrl, channel: '#alerts', send_resolved: true }],
      },
      { name: 'webhook', webhook_configs: [{ url: options.webhookUrl, send_resolved: true, http_config }] },
    ],
  };
  // JSON is YAML.
  await writeFile(join(folder, 'alertmanager.yml'), JSON.stringify(config));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;

  async function start(): Promise<ChildProcess> {
    const started = spawn(
      'prometheus-alertmanager',
      [
        `--config.file=${join(folder, 'alertmanager.yml')}`,
        `--storage.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`,
        `--web.external-url=${options.externalUrl}`,
        '--web.route-prefix=/',
        '--cluster.listen-address=',
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let complaints = '';
    started.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    await until('Alertmanager is ready', async () => {
      if (started.exitCode !== null) throw new Error(`Alertmanager did not start: ${complaints}`);
      return fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return started;
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  let child = await start();
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url,
    restart: async () => {
      await stop();
      child = await start();
    },
    post: async (alerts) => {
      const answer = await fetch(`${url}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alerts),
      });
      if (!answer.ok) throw new Error(`Alertmanager refused the alerts: ${await answer.text()}`);
    },
  };
}

/** The address of the incoming webhook of a channel in a local workspace, as the panel shows it. */
export async function slackAddress(workspace: Workspace, channel: string): Promise<string> {
  const page = await servePage(workspace);
  const { webhooks } = PagePanel.parse(await (await fetch(`${page}/page-api/stage`)).json());
  const found = webhooks.find((one) => one.channel === channel);
  if (found === undefined) throw new Error(`${channel} has no incoming webhook.`);
  return new URL(new URL(found.url).pathname, page).href;
}

/** Collects the JSON that is posted to a port of its own, until the test ends. */
export async function collectPosts(): Promise<{ url: string; posts: () => readonly unknown[] }> {
  const posts: unknown[] = [];
  const server = patientServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(Buffer.from(part));
      posts.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
      response.writeHead(202).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The collector has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, posts: () => posts };
}
