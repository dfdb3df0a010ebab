import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/bot/store/open.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { connectionOptions } from '../../../src/lib/postgres/pool.ts';
import { openStore as openServiceStore } from '../../../src/service/store/store.ts';
import { freePort } from '../../bench/systems/prometheus.ts';
import { projectRoot } from '../../support/files.ts';
import { startPostgres } from '../../support/postgres/server.ts';

const CA = join(projectRoot, 'test/fixtures/tls/ca.pem');
const OTHER_CA = join(projectRoot, 'test/bot/webhooks/fixtures/self-signed-certificate.pem');
const onConnectionLost = () => undefined;

let closing: AsyncDisposableStack;
let port: number;

beforeAll(async () => {
  closing = new AsyncDisposableStack();
  const folder = mkdtempSync('/var/tmp/gumshoe-tls-');
  closing.defer(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  port = await freePort();
  const { server } = await startPostgres({
    settings: {
      listen_addresses: '127.0.0.1',
      port: `${port}`,
      ssl: 'on',
      ssl_cert_file: join(projectRoot, 'test/fixtures/tls/server.pem'),
      ssl_key_file: keyIn(folder),
    },
  });
  closing.defer(() => server.stop());
});

afterAll(() => closing.disposeAsync());

/** The server takes a key that its own user alone can read. */
function keyIn(folder: string): string {
  const key = join(folder, 'server-key.pem');
  copyFileSync(join(projectRoot, 'test/fixtures/tls/server-key.pem'), key);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) {
    const [user = 0, group = 0] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
    );
    chownSync(key, user, group);
  }
  return key;
}

const urlWith = (ca: string) =>
  `postgres://postgres:postgres@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`;

describe('a server with TLS', () => {
  it('is used by both programs, with its certificate checked', async () => {
    const url = urlWith(CA);
    const bot = await openStore({ url, clock: systemClock, random: Math.random, onConnectionLost });
    expect(await bot.writable()).toBe(true);
    const client = new pg.Client(connectionOptions({ url, applicationName: 'test' }));
    await client.connect();
    const { rows } = await client.query(
      "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'gumshoe'",
    );
    expect(rows).toEqual([{ ssl: true }]);
    await bot.close();
    await client.query('drop schema public cascade; create schema public');
    await client.end();

    const service = await openServiceStore({ url, directUrl: url, onConnectionLost });
    expect(await service.problem()).toBe(null);
    await service.close();
  });

  it('is refused where another authority has signed its certificate', async () => {
    const url = urlWith(OTHER_CA);
    await expect(
      openStore({ url, clock: systemClock, random: Math.random, onConnectionLost }),
    ).rejects.toThrow(`Cannot connect to PostgreSQL database postgres at localhost:${port}: unable to`);
    await expect(openServiceStore({ url, directUrl: url, onConnectionLost })).rejects.toThrow('unable to');
  });
});
