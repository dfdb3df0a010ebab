import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { until } from '../until.ts';
import type { History } from './history.ts';

/** A real Prometheus over a history that was made up. */
export interface TestPrometheus {
  url: string;
  stop(): Promise<void>;
}

/** Whether Debian's `prometheus` is there. Where it is not, tests that need it are skipped, and say so. */
export function hasPrometheus(): boolean {
  const found = ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0);
  if (!found) console.info('Skipped: no `prometheus` and `promtool` here (apt-get install prometheus).');
  return found;
}

/** Starts Prometheus with a history, and rules as in a rule file. */
export async function startPrometheus(
  history: History,
  { rules = null }: { rules?: object | null } = {},
): Promise<TestPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-prometheus-'));
  const data = join(folder, 'data');
  await writeFile(join(folder, 'history.txt'), history.text());
  const made = spawnSync('promtool', [
    'tsdb',
    'create-blocks-from',
    'openmetrics',
    join(folder, 'history.txt'),
    data,
  ]);
  if (made.status !== 0) throw new Error(`promtool failed: ${made.stderr.toString()}`);
  // JSON is YAML.
  await writeFile(join(folder, 'rules.yml'), JSON.stringify(rules ?? { groups: [] }));
  await writeFile(
    join(folder, 'prometheus.yml'),
    JSON.stringify({ global: { evaluation_interval: '1h' }, rule_files: [join(folder, 'rules.yml')] }),
  );
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=10y',
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus is ready', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${complaints}`);
    return fetch(`${url}/-/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
  return {
    url,
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}
