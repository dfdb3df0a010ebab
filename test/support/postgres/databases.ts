import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Whether this run is about PostgreSQL: its stores and programs have databases there. */
export const onPostgres = process.env.TEST_DIALECT === 'postgres';

/** An empty database, which ends with its server: the one of the test run, if no socket of another one is given. */
export async function createDatabase(socket?: string): Promise<{ name: string; url: string }> {
  const folder = socket ?? (await ofTheRun());
  const name = `t${randomBytes(8).toString('hex')}`;
  await run(folder, `create database ${name}`);
  return { name, url: urlOf(folder, name) };
}

async function ofTheRun(): Promise<string> {
  // The long random runs use the programs of the tests without their runner.
  const { inject } = await import('vitest');
  return inject('postgresSocket');
}

function urlOf(socket: string, name: string): string {
  return `postgres://postgres:postgres@localhost/${name}?host=${encodeURIComponent(socket)}`;
}

const admins = new Map<string, Promise<pg.Client>>();
let last: Promise<unknown> = Promise.resolve();

/** One after the other: two at a time would be in each other's way. */
function run(socket: string, sql: string): Promise<unknown> {
  const admin = admins.get(socket) ?? connect(socket);
  admins.set(socket, admin);
  const result = last.then(async () => (await admin).query(sql));
  last = result.catch(() => undefined);
  return result;
}

async function connect(socket: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(socket, 'postgres') });
  // The server ends before the process does.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
