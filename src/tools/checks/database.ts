import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { z } from 'zod';
import {
  channelOf,
  consentOf,
  isOfKey,
  MISSING_KEY,
  problemOf,
  rightOf,
  scopeOf,
  serviceProblemOf,
} from '../../bot/problems/stored.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks.ts';
import { migrations, unusableBecause } from '../../bot/store/migrate.ts';
import { reasonOf } from '../../lib/postgres/errors.ts';
import { connectionOptions } from '../../lib/postgres/pool.ts';

const name = 'database';

/** Where the file is missing, the nearest folder above it that is there: what is missing is made at start. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function versionsIn(db: Sqlite.Database): string[] {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
  if (table === undefined) return [];
  return db.prepare<[], string>('SELECT name FROM kysely_migration ORDER BY name').pluck().all();
}

function checkContent(file: string): CheckResult {
  const restore = 'restore the latest backup (see `npm run backup`) and remove the old -wal and -shm files';
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true });
    const state = db.pragma('quick_check', { simple: true });
    if (state !== 'ok') return failed(name, `${file} is corrupt (${String(state)})`, restore);
    const versions = versionsIn(db);
    const unusable = unusableBecause(versions);
    if (unusable !== null) return failed(name, `${file} ${unusable.reason}`, unusable.fix);
    const pending = Object.keys(migrations).length - versions.length;
    const version = versions.at(-1) ?? 'empty';
    return passed(
      name,
      `${file} is at ${version}${pending > 0 ? `; ${pending} pending at the next start` : ''}`,
    );
  } catch (error) {
    return failed(
      name,
      `${file} cannot be read (${error instanceof Error ? error.message : String(error)})`,
      restore,
    );
  } finally {
    db?.close();
  }
}

/** Whether the database can be opened, is whole, of a version that this program knows, and can be written. */
export function checkDatabase(file: string): CheckResult {
  const folder = nearest(dirname(file));
  if (!statSync(folder).isDirectory())
    return failed(name, `${folder} is not a folder`, 'change DATABASE_URL');
  const place = [folder, ...(existsSync(file) ? [file] : [])].find((path) => !isWritable(path));
  if (place !== undefined) {
    return failed(name, `${place} is not writable`, 'give this user write access, or change DATABASE_URL');
  }
  return existsSync(file) ? checkContent(file) : passed(name, `${file} will be created at the first start`);
}

const OLDEST = 130_000;
const Answers = {
  version: z.tuple([z.object({ number: z.coerce.number(), name: z.string() })]),
  table: z.tuple([z.object({ there: z.boolean() })]),
  migrations: z.array(z.object({ name: z.string() })),
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
      ? Answers.migrations
          .parse(await ask('select name from kysely_migration order by name'))
          .map((one) => one.name)
      : [];
    const unusable = unusableBecause(done);
    if (unusable !== null) return failed(name, `the database ${unusable.reason}`, unusable.fix);
    const pending = Object.keys(migrations).length - done.length;
    const version = done.at(-1) ?? 'empty';
    return passed(
      name,
      `PostgreSQL ${server.name} is at ${version}${pending > 0 ? `; ${pending} pending at the next start` : ''}`,
    );
  });
}

/** Notifications belong to a session; a pooler in transaction mode deals out another one each time. */
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
      ? passed(what, 'notifications have a session of their own')
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

/** Checks a stored database, read-only: open problems, and damaged rows. */
export function checkStored(file: string): CheckResult[] {
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true });
    return [checkKept(db), ...checkProblems(db)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      failed(
        'stored data',
        `${file} cannot be read (${why})`,
        'run this again; if it persists, stop Gumshoe first',
      ),
    ];
  } finally {
    db?.close();
  }
}

/** The columns that hold JSON. */
const columns: Record<string, readonly string[]> = {
  alerts: ['alert'],
  artifacts: ['body'],
  channels: ['settings'],
  files: ['what'],
  issues: ['request', 'earlier', 'note', 'last_action'],
  outbox: ['payload', 'sent'],
  questions: ['artifacts', 'files'],
  results: ['body'],
};

const Count = z.object({ rows: z.number() });

/** Whether everything that is stored as JSON can be read as such. */
function checkKept(db: Sqlite.Database): CheckResult {
  const name = 'stored data';
  const damaged = Object.entries(columns).flatMap(([table, ofTable]) =>
    ofTable
      .filter((column) => isThere(db, table, column))
      .flatMap((column) => {
        const { rows } = damagedIn(db, table, column);
        return rows === 0 ? [] : [`${rows} of ${table}.${column}`];
      }),
  );
  if (damaged.length === 0) return passed(name, 'all of it can be read');
  return failed(
    name,
    `some is corrupt: ${damaged.join(', ')}`,
    'Gumshoe works without it and says so where it matters; restore the latest backup from before the corruption to get it back',
  );
}

function damagedIn(db: Sqlite.Database, table: string, column: string): z.infer<typeof Count> {
  const where = `${column} IS NOT NULL AND NOT json_valid(${column})`;
  return Count.parse(db.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${where}`).get());
}

/** A database that is still to be brought up to date has fewer. */
function isThere(db: Sqlite.Database, table: string, column: string): boolean {
  const found = db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column);
  return found !== undefined;
}

const Open = z.array(
  z.object({ name: z.string(), reason: z.string(), since: z.number(), detail: z.string() }),
);
type Open = z.infer<typeof Open>[number];

const OPEN = 'open problem';
const STAYS = 'if that is intended, no action is needed';

/** What Gumshoe waits for somebody to mend, as it wrote it down, each with what to do about it. */
function checkProblems(db: Sqlite.Database): CheckResult[] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'blockers'").get() !== undefined;
  const rows = isThere
    ? db.prepare('SELECT name, reason, since, detail FROM blockers ORDER BY since').all()
    : [];
  const open = Open.parse(rows);
  if (open.length === 0) return [passed('open problems', 'none')];
  return open.map((problem) => failed(OPEN, detailOf(problem), fixOf(problem)));
}

function detailOf(problem: Open): string {
  const { sentence } = problemOf(problem);
  const { since } = problem;
  const at = `since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return sentence.includes(at) ? sentence : `${sentence}, ${at}`;
}

function fixOf({ name, reason }: Open): string {
  if (channelOf(name) !== null) return channelFix(reason);
  if (consentOf(name) !== null)
    return 'a member runs /gumshoe watch in the channel and agrees; or set ISSUE_SERVICE_PRIVATE_API_KEY';
  if (scopeOf(name) !== null) {
    return 'paste manifest.yml at https://api.slack.com/apps → your app → App Manifest, then reinstall the app';
  }
  if (name === MISSING_KEY)
    return 'set ISSUE_SERVICE_PRIVATE_API_KEY to the key they were filed with, and restart';
  if (isOfKey(name)) {
    const isPrivate = serviceProblemOf(name)?.organization === 'private';
    const variable = isPrivate ? 'ISSUE_SERVICE_PRIVATE_API_KEY' : 'ISSUE_SERVICE_API_KEY';
    return `set ${variable} to a key the service accepts, and restart`;
  }
  if (rightOf(name) !== null) return 'give the key that permission at the service';
  return 'check the service and ISSUE_SERVICE_URL; Gumshoe resumes automatically once it is back';
}

function channelFix(reason: string): string {
  switch (reason) {
    case 'is_archived':
    case 'is_inactive':
      return `unarchive the channel; ${STAYS}`;
    case 'not_in_channel':
      return `run /invite @Gumshoe in the channel; ${STAYS}`;
    case 'channel_not_found':
      return 'run /invite @Gumshoe in the channel; if it was deleted, there is nothing to do';
    default:
      return 'allow Gumshoe to post: channel settings → posting permissions';
  }
}
