import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../bench/systems/prometheus.ts';
import type { History } from './prometheus/history.ts';
import { until } from './until.ts';

/** Whether Debian's `victoria-metrics` is there. Where it is not, tests that need it are skipped, and say so. */
export function hasVictoriaMetrics(): boolean {
  const found = spawnSync('victoria-metrics', ['--version']).status === 0;
  if (!found) console.info('Skipped: no `victoria-metrics` here (apt-get install victoria-metrics).');
  return found;
}

/** A real VictoriaMetrics over histories that were made up. */
export async function startVictoriaMetrics(
  histories: readonly (() => History)[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join('/var/tmp', 'gumshoe-victoria-metrics-'));
  const port = await freePort();
  const child = spawn(
    'victoria-metrics',
    [
      `-storageDataPath=${folder}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=100y',
      '-loggerLevel=ERROR',
      '-memory.allowedBytes=256MB',
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  await until('VictoriaMetrics answers', () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  for (const make of histories) {
    // It wants milliseconds where OpenMetrics has seconds.
    const lines = make()
      .text()
      .replace('# EOF\n', '')
      .replaceAll(/ ([\d.]+)$/gmu, (_, seconds: string) => ` ${Math.round(Number(seconds) * 1000)}`);
    const taken = await fetch(`${url}/api/v1/import/prometheus`, { method: 'POST', body: lines });
    if (!taken.ok) throw new Error(`VictoriaMetrics did not take a history: ${await taken.text()}`);
  }
  await fetch(`${url}/internal/force_flush`);
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
