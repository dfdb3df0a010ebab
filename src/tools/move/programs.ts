import { closeSync, openSync, readSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { openSqliteFile } from '../../bot/store/dialects/sqlite.ts';
import { openStore as openBotStore } from '../../bot/store/open.ts';
import { systemClock } from '../../lib/clock.ts';
import { openPostgres } from '../../service/store/dialects/postgres.ts';
import { openSqlite } from '../../service/store/dialects/sqlite.ts';
import { APPLICATION_ID } from '../../service/store/dialects/sqlite-schema.ts';

/** A program whose database is moved. */
export interface Program {
  /** What people call it. */
  name: string;
  /** Opens the file for this process alone, brought up to date. @throws OperatorError in words: held by another process, damaged … */
  openFile(file: string): Promise<{ source: Sqlite.Database; close(): Promise<void> }>;
  /** Makes the tables, if they are not there yet. @throws OperatorError in words for the operator */
  makeTables(url: string): Promise<void>;
}

/** In the header of a SQLite file: https://www.sqlite.org/fileformat.html. */
const APPLICATION_ID_OFFSET = 68;

const onConnectionLost = (): void => undefined;

const bot: Program = {
  name: 'Gumshoe',
  openFile: async (file) => {
    const opened = await openSqliteFile({ file, clock: systemClock });
    const source = new Sqlite(file, { readonly: true });
    return {
      source,
      close: async () => {
        source.close();
        await opened.close();
      },
    };
  },
  makeTables: async (url) => {
    const store = await openBotStore({ url, clock: systemClock, random: Math.random, onConnectionLost });
    await store.close();
  },
};

const service: Program = {
  name: 'the investigation service',
  openFile: async (file) => {
    await openSqlite(file).close();
    const source = new Sqlite(file);
    source.pragma('locking_mode = EXCLUSIVE');
    // The lock is taken by the first transaction, and kept until the file is closed.
    source.transaction(() => undefined).exclusive();
    return { source, close: async () => void source.close() };
  },
  makeTables: async (url) => {
    const opened = await openPostgres({ url, directUrl: url, onConnectionLost });
    await opened.close();
  },
};

/** Whose database a SQLite file is; read from its header, so that a program that has the file open is no hindrance. */
export function programOf(file: string): Program {
  const id = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, id, 0, id.length, APPLICATION_ID_OFFSET);
  } finally {
    closeSync(descriptor);
  }
  return id.readUInt32BE() === APPLICATION_ID ? service : bot;
}
