import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A real Prometheus over a history that was made up. */
export interface ServedHistory {
  url: string;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;

/** Whether Debian's `prometheus` is there. */
export function hasPrometheus(): boolean {
  return ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0);
}

/**
 * Makes blocks of histories in OpenMetrics, each of which `writes` puts into a file, and serves them.
 *
 * @param writes of different times, if there are several
 * @param options.inFolder where its files go, and promtool's; default where temporary files go
 */
export async function servePrometheus(
  writes: readonly ((path: string) => void)[],
  { rules = null, inFolder = tmpdir() }: { rules?: object | null; inFolder?: string } = {},
): Promise<ServedHistory> {
  const folder = await mkdtemp(join(inFolder, 'gumshoe-prometheus-'));
  const data = join(folder, 'data');
  const text = join(folder, 'history.txt');
  for (const write of writes) {
    write(text);
    // The text is read once for each block: with blocks of two hours, its usual ones, several times.
    const made = spawnSync(
      'promtool',
      ['tsdb', 'create-blocks-from', '--max-block-duration=18h', 'openmetrics', text, data],
      { env: { ...process.env, TMPDIR: inFolder } },
    );
    if (made.status !== 0) throw new Error(`promtool failed: ${made.stderr.toString()}`);
  }
  await rm(text);
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
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`Prometheus did not start: ${complaints}`);
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Below the ports that the system hands out by itself: nobody else is given one before Prometheus listens on it. */
const PORTS = { from: 10_000, below: 32_000 };

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.below);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
