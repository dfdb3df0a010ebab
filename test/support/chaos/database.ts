import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { StoreLocation } from '../../../src/bot/store/open.ts';

/** The program's database, read past the program. */
export interface ProgramDatabase {
  location: StoreLocation;
  /** Of the program. */
  env: Record<string, string>;
  rows(table: string): Promise<unknown[]>;
  /** The server ends every connection but this one; a file has none. */
  endConnections(): Promise<void>;
  close(): Promise<void>;
}

/** @param url of an empty PostgreSQL database, if it is not a file in the folder */
export function programDatabase(folder: string, url: string | undefined): ProgramDatabase {
  return url === undefined ? onSqlite(join(folder, 'gumshoe.db')) : onPostgres(url);
}

function onSqlite(file: string): ProgramDatabase {
  return {
    location: { file },
    env: { DATABASE_URL: `sqlite:${file}` },
    rows: async (table) => {
      const db = new Sqlite(file, { readonly: true });
      try {
        return db.prepare(`SELECT * FROM ${table}`).all();
      } finally {
        db.close();
      }
    },
    endConnections: async () => undefined,
    close: async () => undefined,
  };
}

function onPostgres(url: string): ProgramDatabase {
  const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
  const pool = new pg.Pool({ connectionString: url, max: 1, types: { getTypeParser } });
  pool.on('error', () => undefined);
  return {
    location: { url, random: Math.random, onConnectionLost: () => undefined },
    env: { DATABASE_URL: url },
    rows: async (table) => (await pool.query(`SELECT * FROM ${table}`)).rows,
    endConnections: async () => {
      await pool.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    },
    close: () => pool.end(),
  };
}
