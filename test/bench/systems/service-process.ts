import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVICE = fileURLToPath(new URL('../../../src/service.ts', import.meta.url));
const FLAGS = ['--max-semi-space-size=4', '--no-regexp-tier-up'];
export const SERVICE_KEY = 'key-of-the-benchmark';

/** The investigation service in a process of its own, as the image runs it, over a Prometheus. */
export async function startServiceOver(
  prometheusUrl: string,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-systems-'));
  const child = spawn(process.execPath, [...FLAGS, SERVICE], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      SERVICE_API_KEYS: `${SERVICE_KEY}:bench`,
      DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      PROMETHEUS_URL: prometheusUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: await addressOf(child), pid: child.pid ?? 0, stop };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const found = Promise.withResolvers<string>();
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const url = /listening at (\S+)/u.exec(said)?.[1];
    if (url !== undefined) found.resolve(url);
  });
  child.once('close', () => found.reject(new Error(`the service did not start: ${said}`)));
  return found.promise;
}
