import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { backUp } from '../../src/tools/backup.ts';
import { until } from '../support/until.ts';

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

it('a backup is of one moment, and comes to its end, while the program writes all the time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gumshoe.db');
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (name TEXT); CREATE TABLE debit (x TEXT); CREATE TABLE credit (x TEXT)');
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
  expect(count('t')).toBe(2_000);
  expect(count('debit')).toBe(count('credit'));
  expect(count('debit')).toBeGreaterThanOrEqual(before);
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();
  db.close();
});
