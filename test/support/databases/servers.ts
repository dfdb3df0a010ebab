import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSettings, SystemName } from '../../../src/service/databases/settings.ts';
import { freePort } from '../../bench/systems/prometheus.ts';
import { until } from '../until.ts';

/** The real programs, as Debian packages them, each in a folder and at a port of its own. */
export interface TestServer {
  port: number;
  folder: string;
  /** As `DATABASES` would have it. */
  settings(more?: Partial<DatabaseSettings>): DatabaseSettings;
  process: ChildProcess;
  stop(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;

/** Which of Debian's packages is not there; its tests are skipped then, and say so. */
export function missingServer(system: SystemName): boolean {
  const found = {
    postgres: () => postgresBin() !== null,
    mysql: () => has('mariadbd') && has('mariadb-install-db'),
    redis: () => has('redis-server'),
    rabbitmq: () => existsSync(RABBIT),
  }[system]();
  const packages = {
    postgres: 'postgresql',
    mysql: 'mariadb-server',
    redis: 'redis-server',
    rabbitmq: 'rabbitmq-server',
  };
  if (!found) console.info(`Skipped: no \`${packages[system]}\` here (apt-get install ${packages[system]}).`);
  return !found;
}

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${program}`]).status === 0;
}

const RABBIT = '/usr/lib/rabbitmq/bin/rabbitmq-server';

function postgresBin(): string | null {
  const home = '/usr/lib/postgresql';
  const version = existsSync(home) ? readdirSync(home).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  return version === undefined ? null : join(home, version, 'bin');
}

/** None of these programs wants to run as root: Debian has a user for each. */
function as(user: string, program: string, words: readonly string[]): [string, string[]] {
  return isRoot
    ? ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', program, ...words]]
    : [program, [...words]];
}

function folderFor(user: string): string {
  // Not in memory, where the other files of the tests are.
  const folder = mkdtempSync('/var/tmp/gumshoe-database-');
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'data'));
  if (isRoot) execFileSync('chown', ['-R', user, folder]);
  return folder;
}

function start(
  user: string,
  folder: string,
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a');
  const [command, all] = as(user, program, words);
  return spawn(command, all, {
    stdio: ['ignore', log, log],
    detached: true,
    cwd: folder,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin`, LANG: 'C.UTF-8', HOME: folder, ...env },
  });
}

function serverOf(
  system: SystemName,
  port: number,
  folder: string,
  child: ChildProcess,
  signal: NodeJS.Signals,
  own: Partial<DatabaseSettings>,
): TestServer {
  return {
    port,
    folder,
    process: child,
    settings: (more = {}) => ({
      name: system,
      system,
      host: '127.0.0.1',
      port,
      user: '',
      password: '',
      database: null,
      path: '',
      tls: false,
      ...own,
      ...more,
    }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        const ended = once(child, 'exit');
        try {
          process.kill(-child.pid, signal);
        } catch {
          // It has ended by itself.
        }
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const bin = postgresBin();
  if (bin === null) throw new Error('there is no postgres');
  const folder = folderFor('postgres');
  const data = join(folder, 'data');
  const [command, words] = as('postgres', join(bin, 'initdb'), [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'postgres',
    '-N',
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
  ]);
  execFileSync(command, words, { stdio: 'ignore', cwd: folder });
  return runPostgres(folder, settings);
}

/** Starts a server over a folder that is prepared: of a replica, say. */
export async function runPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const bin = postgresBin() ?? '';
  const port = await freePort();
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    jit: 'off',
    max_connections: '40',
    max_parallel_workers_per_gather: '0',
    autovacuum_naptime: '3600',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = start('postgres', folder, join(bin, 'postgres'), [
    '-D',
    join(folder, 'data'),
    '-p',
    String(port),
    ...flags,
  ]);
  await until(
    'postgres takes connections',
    () => spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0,
  );
  return serverOf('postgres', port, folder, child, 'SIGINT', { user: 'postgres', database: 'postgres' });
}

/** A replica of a server, and the slot that it reads. */
export async function startReplica(of: TestServer): Promise<TestServer> {
  const folder = folderFor('postgres');
  const data = join(folder, 'data');
  rmSync(data, { recursive: true });
  const [command, words] = as('postgres', join(postgresBin() ?? '', 'pg_basebackup'), [
    '-h',
    '127.0.0.1',
    '-p',
    String(of.port),
    '-U',
    'postgres',
    '-D',
    data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ]);
  execFileSync(command, words, { stdio: 'ignore', cwd: folder });
  // A replica takes no less than its source does.
  return runPostgres(folder, { max_prepared_transactions: '5' });
}

export async function startRedis(words: readonly string[] = []): Promise<TestServer> {
  const folder = folderFor('redis');
  const port = await freePort();
  const child = start('redis', folder, 'redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    join(folder, 'data'),
    '--save',
    '',
    ...words,
  ]);
  await until(
    'redis takes connections',
    () => spawnSync('redis-cli', ['-p', String(port), 'ping']).status === 0,
  );
  return serverOf('redis', port, folder, child, 'SIGTERM', {});
}

export async function startMariadb(words: readonly string[] = []): Promise<TestServer> {
  const folder = folderFor('mysql');
  const data = join(folder, 'data');
  const user = isRoot ? ['--user=mysql'] : [];
  execFileSync(
    'mariadb-install-db',
    [...user, `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { stdio: 'ignore', env: { ...process.env, TMPDIR: folder, PATH: `${process.env.PATH ?? ''}:/usr/sbin` } },
  );
  const port = await freePort();
  const socket = join(folder, 's.sock');
  const child = start('mysql', folder, 'mariadbd', [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    `--socket=${socket}`,
    '--bind-address=127.0.0.1',
    '--innodb-buffer-pool-size=32M',
    '--skip-name-resolve',
    `--pid-file=${join(folder, 'pid')}`,
    ...words,
  ]);
  await until(
    'mariadb takes connections',
    () => spawnSync('mariadb-admin', ['--no-defaults', '-u', 'root', '-S', socket, 'ping']).status === 0,
  );
  return serverOf('mysql', port, folder, child, 'SIGTERM', { user: 'root' });
}

export interface TestRabbit extends TestServer {
  amqp: number;
  ctl(...words: string[]): string;
}

export async function startRabbitmq(config = ''): Promise<TestRabbit> {
  const folder = folderFor('rabbitmq');
  const [amqp, port, epmd, dist] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const data = join(folder, 'data');
  writeFileSync(join(data, 'enabled_plugins'), '[rabbitmq_management].\n');
  writeFileSync(
    join(data, 'rabbitmq.conf'),
    `listeners.tcp.default = 127.0.0.1:${amqp}\nmanagement.tcp.port = ${port}\nmanagement.tcp.ip = 127.0.0.1\ncollect_statistics_interval = 1000\n${config}`,
  );
  const env = {
    HOME: data,
    RABBITMQ_NODENAME: `gumshoe${port}@localhost`,
    RABBITMQ_MNESIA_BASE: data,
    RABBITMQ_LOG_BASE: data,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(data, 'enabled_plugins'),
    RABBITMQ_CONFIG_FILE: join(data, 'rabbitmq'),
    RABBITMQ_DIST_PORT: String(dist),
    ERL_EPMD_PORT: String(epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
  const child = start('rabbitmq', folder, RABBIT, [], env);
  const authorization = `Basic ${Buffer.from('guest:guest').toString('base64')}`;
  const base = serverOf('rabbitmq', port, folder, child, 'SIGTERM', { user: 'guest', password: 'guest' });
  await until('rabbitmq answers', () =>
    fetch(`http://127.0.0.1:${port}/api/overview`, { headers: { authorization } }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    ...base,
    amqp,
    ctl: (...words) => {
      const [command, all] = as('rabbitmq', '/usr/lib/rabbitmq/bin/rabbitmqctl', words);
      return execFileSync(command, all, {
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
        cwd: folder,
      }).toString();
    },
    stop: async () => {
      await base.stop();
      // Its name server outlives it.
      spawnSync('epmd', ['-port', String(epmd), '-kill'], {
        env: { PATH: process.env.PATH, ERL_EPMD_ADDRESS: '127.0.0.1' },
      });
    },
  };
}
