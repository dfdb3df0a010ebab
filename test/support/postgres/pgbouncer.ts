import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

/** Debian puts it where only root looks. */
const COMMAND = ['/usr/sbin/pgbouncer', 'pgbouncer'].find((one) => spawnSync(one, ['-V']).status === 0);
const PORT = 6432;

export interface PgBouncer {
  /** The same database through the pooler. */
  url(direct: string): string;
  /** Ends it with all its connections, and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Whether there is a PgBouncer. Where it is not, tests that need it are skipped, and say so. */
export function hasPgBouncer(): boolean {
  if (!COMMAND) console.info('Skipped: no `pgbouncer` here (apt-get install pgbouncer).');
  return COMMAND !== undefined;
}

/**
 * A real PgBouncer in transaction mode, configured as `docs/operations.md` says.
 *
 * @param socket the folder of the server's socket
 */
export async function startPgBouncer(socket: string): Promise<PgBouncer> {
  const folder = mkdtempSync('/var/tmp/gumshoe-pgbouncer-');
  // It refuses to run as root, and reaches the server's socket as the server's own user.
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  chmodSync(folder, 0o777);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${socket} user=postgres password=postgres
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${PORT}
auth_type = any
pool_mode = transaction
default_pool_size = 5
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`,
  );
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const started = spawn(COMMAND ?? 'pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    started.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    await until('PgBouncer listens', () => {
      if (started.exitCode !== null) throw new Error(`PgBouncer did not start: ${complaints}`);
      return existsSync(join(folder, `.s.PGSQL.${PORT}`));
    });
    return started;
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(join(folder, `.s.PGSQL.${PORT}`), { force: true });
  }

  return {
    url: (direct) => {
      const url = new URL(direct);
      url.port = `${PORT}`;
      url.searchParams.set('host', folder);
      return url.href;
    },
    restart: async () => {
      await stop();
      child = await start();
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
