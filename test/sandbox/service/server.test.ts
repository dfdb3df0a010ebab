import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startService } from '../../../src/sandbox/service/server.ts';
import { temporaryFolder, testService } from './support.ts';

const keys = { 'acme-key': 'acme' };

it('makes its folder, and a file that only its user can read', async () => {
  const file = join(temporaryFolder(), 'deep', 'down', 'service.db');
  await testService({ file });
  const modes = ['', '-wal', '-shm'].map((suffix) => statSync(`${file}${suffix}`).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

it('rejects where the port is taken', async () => {
  const { service } = await testService();
  const port = Number(new URL(service().url).port);
  await expect(startService({ file: ':memory:', keys, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('refuses a file that is no database, and one of a newer program', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.db');
  writeFileSync(text, 'not a database, but long enough to be taken for one'.repeat(20));
  await expect(startService({ file: text, keys })).rejects.toThrow('file is not a database');

  const newer = join(folder, 'newer.db');
  const db = new Database(newer);
  db.pragma('user_version = 99');
  db.close();
  await expect(startService({ file: newer, keys })).rejects.toThrow(
    `${newer} has schema 99, this program knows 1: use the program that wrote it, or another file`,
  );
});

it('leaves the Request and Response of the program that embeds it alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  await testService();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
