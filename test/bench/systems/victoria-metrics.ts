import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type ServedHistory } from './prometheus.ts';

const READY_WITHIN_MS = 60_000;

/** Whether Debian's `victoria-metrics` is there. */
export function hasVictoriaMetrics(): boolean {
  return spawnSync('victoria-metrics', ['--version']).status === 0;
}

/**
 * A real VictoriaMetrics over histories that were made up, each of which is put into a file first.
 *
 * @param options.megabytes of memory for what it keeps at hand
 */
export async function serveVictoriaMetrics(
  writes: readonly ((path: string) => void)[],
  { megabytes = 256, inFolder = tmpdir() }: { megabytes?: number; inFolder?: string } = {},
): Promise<ServedHistory> {
  const folder = await mkdtemp(join(inFolder, 'gumshoe-victoria-metrics-'));
  const text = join(folder, 'history.txt');
  const port = await freePort();
  const child = spawn(
    'victoria-metrics',
    [
      `-storageDataPath=${join(folder, 'data')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=100y',
      '-loggerLevel=ERROR',
      `-memory.allowedBytes=${megabytes}MB`,
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('VictoriaMetrics did not start.');
    await sleep(50);
  }
  for (const write of writes) {
    write(text);
    await imported(text, `${url}/api/v1/import/prometheus`);
    await rm(text);
  }
  await fetch(`${url}/internal/force_flush`);
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** By a plain request: `fetch` gives up while a file of gigabytes is on its way. */
async function imported(path: string, url: string): Promise<void> {
  const sending = request(url, { method: 'POST' });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve).once('error', reject);
  });
  await pipeline(createReadStream(path), sending);
  const { statusCode = 0 } = (await answered).resume();
  if (statusCode >= 300) throw new Error(`VictoriaMetrics did not take a history: ${statusCode}`);
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}
