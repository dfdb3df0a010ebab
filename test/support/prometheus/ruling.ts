import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../bench/systems/prometheus.ts';
import { patientServer } from '../patient-server.ts';

/** A service with one metric, which a real Prometheus scrapes every second. */
export interface Ruled {
  /** From now on the metric has this value. */
  set(value: number): void;
}

/**
 * Starts a real Prometheus, until the test ends, whose one rule fires while the metric `checkout_errors` is above zero, and which tells
 * an Alertmanager of it.
 */
export async function startRuling(options: { alertmanager: string; rule: object }): Promise<Ruled> {
  let value = 0;
  const service = patientServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`checkout_errors ${value}\n`);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-ruling-'));
  const address = service.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port.');
  // JSON is YAML.
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yml')],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [new URL(options.alertmanager).host] }] }] },
    scrape_configs: [{ job_name: 'checkout', static_configs: [{ targets: [`127.0.0.1:${address.port}`] }] }],
  };
  await writeFile(
    join(folder, 'rules.yml'),
    JSON.stringify({ groups: [{ name: 'a', rules: [options.rule] }] }),
  );
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${await freePort()}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return {
    set: (to) => {
      value = to;
    },
  };
}
