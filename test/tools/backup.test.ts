import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from '../../src/tools/backup/copy.ts';
import { runTool } from '../support/run-tool.ts';
import { until } from '../support/until.ts';

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

/** Another process that writes all the time: each transaction adds one row to both tables. */
function startWriter(file: string): { stop(): Promise<void> } {
  const writer = spawn(
    process.execPath,
    [
      '-e',
      `const Sqlite = require('better-sqlite3');
      const db = new Sqlite(process.argv[1], { timeout: 10000 });
      const add = db.transaction(() => {
        db.exec("INSERT INTO debit VALUES ('x')");
        db.exec("INSERT INTO credit VALUES ('x')");
      });
      setInterval(() => { for (let n = 0; n < 20; n += 1) add(); }, 1);`,
      file,
    ],
    { cwd: import.meta.dirname, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => writer.on('close', () => resolve()));
  return {
    stop: () => {
      writer.kill();
      return ended;
    },
  };
}

describe('backUp', () => {
  it('is of one moment, and comes to its end, while the program writes all the time', async () => {
    const { file, db } = openSource();
    db.exec('CREATE TABLE debit (x TEXT); CREATE TABLE credit (x TEXT)');
    const large = db.prepare('INSERT INTO t VALUES (?)');
    db.transaction(() => {
      for (let n = 0; n < 2_000; n += 1) large.run('x'.repeat(10_000));
    })();
    const written = () => Number(db.prepare('SELECT count(*) FROM credit').pluck().get());
    const writer = startWriter(file);
    await until('the writer writes', () => written() > 0);
    const before = written();
    const target = join(folder, 'copy.db');
    expect(backUp(file, target)).toBeNull();
    const at = written();
    await until('the writer goes on', () => written() > at);
    await writer.stop();
    const copy = new Sqlite(target, { readonly: true });
    const count = (table: string) => Number(copy.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    expect(count('t')).toBe(2_001);
    expect(count('debit')).toBe(count('credit'));
    expect(count('debit')).toBeGreaterThanOrEqual(before);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
    db.close();
  });

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
    expect(await runTool('src/tools/backup.ts', [target], { DATABASE_URL: `sqlite:${file}` })).toEqual({
      code: 0,
      stdout: `copied ${file} to ${target}\n`,
      stderr: '',
    });
    db.close();
  });

  it.each([
    [[], {}, 'Name the backup file: npm run backup -- ./gumshoe-backup.db\n'],
    [
      ['x.db'],
      { DATABASE_URL: 'sqlite:/no/such.db' },
      'There is no database at /no/such.db: check DATABASE_URL\n',
    ],
    [['x.db'], { PORT: 'x' }, 'PORT must be a whole number from 0 to 65535; for example PORT=3000\n'],
  ])('says what is wrong in one line: %o %o', async (args, env, stderr) => {
    expect(await runTool('src/tools/backup.ts', args, env)).toEqual({ code: 1, stdout: '', stderr });
  });
});
