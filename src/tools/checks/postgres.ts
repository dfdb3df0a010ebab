import pg from 'pg';
import { z } from 'zod';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { migrations } from '../../bot/store/migrations/index.ts';
import { reasonOf } from '../../lib/postgres/errors.ts';
import { connectionOptions } from '../../lib/postgres/pool.ts';

const name = 'database';
const OLDEST = 130_000;
const Answers = {
  version: z.tuple([z.object({ number: z.coerce.number(), name: z.string() })]),
  table: z.tuple([z.object({ there: z.boolean() })]),
  migrations: z.array(z.object({ name: z.string() })),
  compatibility: z.array(z.object({ oldest: z.string() })),
  backends: z.tuple([z.object({ pid: z.number() })]),
};

/** Whether the server can be reached and is new enough, and its tables are of a version that this program knows. */
export async function checkPostgres(url: string, directUrl: string | null): Promise<CheckResult[]> {
  return [await checkServer(url), await checkSession(directUrl ?? url)];
}

async function checkServer(url: string): Promise<CheckResult> {
  return connected(url, name, async (client) => {
    const ask = async (sql: string) => (await client.query(sql)).rows;
    const [server] = Answers.version.parse(
      await ask(
        "select current_setting('server_version_num') as number, current_setting('server_version') as name",
      ),
    );
    if (server.number < OLDEST) {
      return failed(name, `PostgreSQL ${server.name} is too old`, 'use PostgreSQL 13 or newer');
    }
    const [table] = Answers.table.parse(
      await ask("select to_regclass('kysely_migration') is not null as there"),
    );
    const done = table.there
      ? Answers.migrations.parse(await ask('select name from kysely_migration order by name'))
      : [];
    const newer = done.map((one) => one.name).filter((one) => !(one in migrations));
    if (newer.length > 0 && !(await isCompatible(ask))) {
      return failed(
        name,
        `the database was written by a newer Gumshoe (it has ${newer.join(', ')})`,
        'start that version, or restore a backup from before the upgrade',
      );
    }
    const pending = Object.keys(migrations).length - (done.length - newer.length);
    const version = done.at(-1)?.name ?? 'empty';
    return passed(
      name,
      `PostgreSQL ${server.name} is at ${version}${pending > 0 ? `; ${pending} pending at the next start` : ''}`,
    );
  });
}

/** Whether this program may use newer tables, as when a newer release is being rolled out. */
async function isCompatible(ask: (sql: string) => Promise<unknown[]>): Promise<boolean> {
  const [row] = Answers.compatibility.parse(await ask('select oldest from compatibility'));
  return row !== undefined && row.oldest <= (Object.keys(migrations).at(-1) ?? '');
}

/** Locks and notifications belong to a session; a pooler in transaction mode deals out another one each time. */
async function checkSession(url: string): Promise<CheckResult> {
  const what = 'database sessions';
  return connected(url, what, async (client) => {
    const pids = new Set<number>();
    for (let n = 0; n < 3; n += 1) {
      const { rows } = await client.query('select pg_backend_pid() as pid, set_config($1, $2, false)', [
        'application_name',
        'gumshoe doctor',
      ]);
      pids.add(Answers.backends.parse(rows)[0].pid);
    }
    return pids.size === 1
      ? passed(what, 'locks and notifications have a session of their own')
      : failed(
          what,
          'a pooler shares connections between clients',
          'set DATABASE_DIRECT_URL to the address of the server itself',
        );
  });
}

async function connected(
  url: string,
  what: string,
  check: (client: pg.Client) => Promise<CheckResult>,
): Promise<CheckResult> {
  const client = new pg.Client(connectionOptions({ url, applicationName: 'gumshoe doctor' }));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await check(client);
  } catch (error) {
    return failed(
      what,
      `PostgreSQL cannot be used (${reasonOf(error)})`,
      'check DATABASE_URL, that the server runs, takes connections from here, and has this user and database',
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
