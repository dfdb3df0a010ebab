import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openStore, type Store, type StoreLocation } from '../../src/bot/store/open.ts';
import { createWakeups, type Wakeups } from '../../src/bot/store/wakeups.ts';
import { type InstantClock, instantClock } from './manual-clock.ts';
import { onPostgres } from './postgres/databases.ts';
import { takeDatabase } from './postgres/emptied.ts';

/** A real store; `await using` closes it and takes its database away. */
export interface TestStore extends AsyncDisposable {
  store: Store;
  clock: InstantClock;
  /** Where the rows are, on SQLite. */
  file: string;
  /** Of each worker, what it waits on. */
  wakeups: Wakeups;
  /** Runs a statement with `$1`, `$2` … beside the store. @returns its rows */
  execute(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** On SQLite, and in the tests of the project `postgres` on PostgreSQL. */
export async function openTestStore({
  wakeups = createWakeups(),
  copyOf,
}: {
  wakeups?: Wakeups;
  /** A file to begin with, on SQLite; by default, one without rows. */
  copyOf?: string | undefined;
} = {}): Promise<TestStore> {
  const clock = instantClock();
  const { location, file, execute, remove } = await (onPostgres ? onServer() : copyFile(copyOf));
  const store = await openStore({ ...location, clock, wakeups });
  return {
    store,
    clock,
    file,
    wakeups,
    execute,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await remove();
    },
  };
}

interface Copy {
  location: StoreLocation;
  file: string;
  execute: TestStore['execute'];
  remove: () => Promise<void>;
}

async function copyFile(of?: string): Promise<Copy> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-store-'));
  const file = join(folder, 'gumshoe.db');
  copyFileSync(of ?? (await migratedFile()), file);
  let beside: Sqlite.Database | null = null;
  const connect = () => {
    const db = new Sqlite(file);
    db.pragma('foreign_keys = ON');
    db.pragma('synchronous = OFF');
    return db;
  };
  return {
    location: { file, isDurable: false },
    file,
    execute: async (statement, values = []) => {
      beside ??= connect();
      const prepared = beside.prepare<unknown[], Record<string, unknown>>(
        statement.replaceAll(/\$\d+/gu, '?'),
      );
      if (prepared.reader) return prepared.all(...values);
      prepared.run(...values);
      return [];
    },
    remove: async () => {
      beside?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let template: Promise<string> | null = null;

/** An empty database with all migrations, made once per worker: migrating costs most of the time a test needs for its store. */
export function migratedFile(): Promise<string> {
  template ??= migrate();
  return template;
}

async function migrate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'gumshoe.db');
  const store = await openStore({ file, clock: instantClock(), isDurable: false });
  await store.close();
  return file;
}

async function onServer(): Promise<Copy> {
  const { url, beside, giveBack } = await takeDatabase('bot');
  return {
    location: { url, random: Math.random, onConnectionLost: () => undefined },
    file: 'not a file: this test runs on PostgreSQL',
    execute: async (statement, values = []) => {
      const { rows } = await beside.query<Record<string, unknown>>(statement, [...values]);
      return rows;
    },
    remove: giveBack,
  };
}
