import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { freePort } from '../bench/systems/prometheus.ts';
import { createDatabase } from './postgres/databases.ts';

/** Where `.ci/run` installs it: it is large, and nothing of it goes into the project. */
const FOLDER = '/var/tmp/gumshoe-unleash';

/** Whether the package `unleash-server` is there. Where it is not, tests that need it are skipped, and say so. */
export function hasUnleash(): boolean {
  const found = existsSync(`${FOLDER}/node_modules/unleash-server/package.json`);
  if (!found)
    console.info(
      `Skipped: no Unleash here (npm install --ignore-scripts --prefix ${FOLDER} unleash-server).`,
    );
  return found;
}

/** Says its address, and ends with whoever started it. */
const PROGRAM = `
import { start } from 'unleash-server';
const { host, database, port } = JSON.parse(process.env.STARTED_WITH);
await start({
  db: { host, port: 5432, database, user: 'postgres', password: 'postgres', ssl: false },
  server: { host: '127.0.0.1', port },
  authentication: { type: 'none' },
  versionCheck: { enable: false },
  telemetry: false,
});
console.log('is up');
process.stdin.on('end', () => process.exit(0)).resume();
`;

/** Starts a real Unleash on a database of its own, until the test ends: what calls its API for administrators. */
export async function startUnleash(): Promise<
  (method: 'POST' | 'GET', path: string, body?: object) => Promise<void>
> {
  const { name: database, url } = await createDatabase();
  const host = new URL(url).searchParams.get('host');
  const port = await freePort();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      STARTED_WITH: JSON.stringify({ host, database, port }),
      LOG_LEVEL: 'fatal',
      NODE_OPTIONS: '--no-deprecation',
    },
  });
  onTestFinished(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : null;
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface(child.stdout)) if (line === 'is up') break;
  if (child.exitCode !== null) throw new Error(`Unleash ended with ${child.exitCode} before it was up.`);
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/admin${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  };
}
