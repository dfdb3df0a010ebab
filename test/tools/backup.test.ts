import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile } from '../../src/lib/file-lock.ts';
import type { OpenedDatabase } from '../../src/service/store/database.ts';
import { openSqlite } from '../../src/service/store/dialects/sqlite.ts';
import { backUp, backup } from '../../src/tools/backup.ts';
import { call } from '../support/call.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-backup-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A database that another process (here: we) has open, with a row that is still in its write-ahead log. */
function openSource(): { file: string; db: Sqlite.Database } {
  const file = join(folder, 'gumshoe.db');
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec("CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('first')");
  return { file, db };
}

describe('backUp', () => {
  it('makes one whole file of mode 600 from a database in use', () => {
    const { file, db } = openSource();
    const target = join(folder, 'copy.db');
    expect(backUp(file, target)).toBeNull();
    db.close();
    const copy = new Sqlite(target, { readonly: true });
    expect(copy.prepare('SELECT name FROM t').all()).toEqual([{ name: 'first' }]);
    copy.close();
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db']);
  });

  it('does not overwrite a file', () => {
    const { file, db } = openSource();
    const target = join(folder, 'copy.db');
    writeFileSync(target, 'precious');
    expect(backUp(file, target)).toBe(
      `${target} already exists and will not be overwritten: name another file or move it`,
    );
    expect(statSync(target).size).toBe('precious'.length);
    db.close();
  });

  it('says so where the folder of the copy is missing', () => {
    const { file, db } = openSource();
    expect(backUp(file, join(folder, 'no', 'copy.db'))).toMatch(
      /cannot write .* check that its folder exists/,
    );
    db.close();
  });

  it('leaves no copy behind of what is no database', () => {
    const file = join(folder, 'gumshoe.db');
    writeFileSync(file, 'This is text, and by no means a database. '.repeat(50));
    expect(backUp(file, join(folder, 'copy.db'))).toBe(`could not copy ${file} (file is not a database)`);
    expect(readdirSync(folder)).toEqual(['gumshoe.db']);
  });
});

describe('npm run backup', () => {
  it('copies the database of DATABASE_URL', async () => {
    const { file, db } = openSource();
    const target = join(folder, 'copy.db');
    expect(await call(backup, [target], { DATABASE_URL: `sqlite:${file}` })).toEqual({
      code: 0,
      stdout: `copied ${file} to ${target}\n`,
      stderr: '',
    });
    db.close();
  });

  it.each([
    [
      [],
      {},
      'Name the backup file: npm run backup -- ./gumshoe-backup.db (and to put it back: npm run backup -- --restore ./gumshoe-backup.db)\n',
    ],
    [['--restore', '/no/such.db'], {}, 'There is no backup at /no/such.db\n'],
    [
      ['x.db'],
      { DATABASE_URL: 'sqlite:/no/such.db' },
      'There is no database at /no/such.db: check DATABASE_URL\n',
    ],
    [
      ['x.db'],
      { DATABASE_URL: 'postgres://gumshoe:hunter2@db.example/gumshoe' },
      'DATABASE_URL is a PostgreSQL database. Back it up with pg_dump: pg_dump --format=custom --file=gumshoe.dump "$DATABASE_URL"\n',
    ],
    [['x.db'], { PORT: 'x' }, 'PORT must be a whole number from 0 to 65535; for example PORT=3000\n'],
  ])('says what is wrong in one line: %o %o', async (args, env, stderr) => {
    expect(await call(backup, args, env)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('copies the embedded service’s database too, while both are in use, and puts both back when neither is', async () => {
    const [file, beside, copy] = ['gumshoe.db', 'service.db', 'copy.db'].map((name) => join(folder, name));
    if (file === undefined || beside === undefined || copy === undefined) throw new Error('three files');
    const env = { DATABASE_URL: `sqlite:${file}` };
    const bots = openSource();
    const lock = lockFile(file);
    const services = openSqlite(beside);
    const titles = async (opened: OpenedDatabase) =>
      (await opened.query.selectFrom('issues').select('title').execute()).length;
    expect(await call(backup, [copy], env)).toEqual({
      code: 0,
      stdout: `copied ${file} to ${copy}\ncopied ${beside} to ${join(folder, 'copy-service.db')}\n`,
      stderr: '',
    });
    bots.db.exec("INSERT INTO t VALUES ('later')");

    const restore = () => call(backup, ['--restore', copy], env);
    expect(await restore()).toMatchObject({ code: 1, stderr: `${file} is in use: stop Gumshoe first\n` });
    bots.db.close();
    lock?.release();
    expect(await restore()).toMatchObject({ code: 1, stderr: `${beside} is in use: stop Gumshoe first\n` });
    await services.close();
    expect(await restore()).toMatchObject({ code: 0, stderr: '' });

    const rows = (name: string) => {
      const db = new Sqlite(join(folder, name), { readonly: true });
      const all = db.prepare('SELECT name FROM t').pluck().all();
      db.close();
      return all;
    };
    expect(rows('gumshoe.db')).toEqual(['first']);
    expect(rows('gumshoe.db.replaced')).toEqual(['first', 'later']);
    const again = openSqlite(beside);
    expect(await titles(again)).toBe(0);
    await again.close();
  });
});
