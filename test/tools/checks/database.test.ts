import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../../src/bot/store/migrations/index.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { checkDatabase } from '../../../src/tools/checks/database.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-database-'));
  file = join(folder, 'gumshoe.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const newest = Object.keys(migrations).at(-1);
const restore = 'restore the latest backup (see `npm run backup`) and remove the old -wal and -shm files';

describe('the check of the database', () => {
  it('passes a file that is not there yet, and does not make it', () => {
    const deep = join(folder, 'a/b/gumshoe.db');
    expect(checkDatabase(deep)).toEqual({
      name: 'database',
      ok: true,
      detail: `${deep} will be created at the first start`,
      fix: null,
    });
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  it('passes the database of a running Gumshoe, and does not disturb it', async () => {
    const store = await openStore({ file, clock: instantClock() });
    expect(checkDatabase(file)).toEqual({
      name: 'database',
      ok: true,
      detail: `${file} is at ${newest}`,
      fix: null,
    });
    expect(await store.writable()).toBe(true);
    await store.close();
  });

  it('says which steps are to come for an older one', () => {
    new Sqlite(file).exec('CREATE TABLE kysely_migration (name TEXT)').close();
    expect(checkDatabase(file)).toMatchObject({
      ok: true,
      detail: `${file} is at empty; ${Object.keys(migrations).length} pending at the next start`,
    });
  });

  it('refuses one that a newer program wrote', async () => {
    await (await openStore({ file, clock: instantClock() })).close();
    new Sqlite(file).exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')").close();
    expect(checkDatabase(file)).toEqual({
      name: 'database',
      ok: false,
      detail: `${file} was written by a newer Gumshoe (it has 9999-later)`,
      fix: 'start that version, or restore the copy made before the upgrade',
    });
  });

  it('refuses a file that is no database, and leaves nothing beside it', () => {
    writeFileSync(file, 'no database '.repeat(100));
    expect(checkDatabase(file)).toEqual({
      name: 'database',
      ok: false,
      detail: `${file} cannot be read (file is not a database)`,
      fix: restore,
    });
    expect(readdirSync(folder)).toEqual(['gumshoe.db']);
  });

  it('says so where the path leads through a file', () => {
    writeFileSync(file, '');
    expect(checkDatabase(join(file, 'gumshoe.db'))).toEqual({
      name: 'database',
      ok: false,
      detail: `${file} is not a folder`,
      fix: 'change DATABASE_URL',
    });
  });
});
