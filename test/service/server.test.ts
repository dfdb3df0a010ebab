import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startSimulatedService } from '../../src/demo/simulated-service.ts';
import { openStore } from '../../src/service/store/store.ts';
import { temporaryFolder, testService } from './support.ts';

const keys = { 'acme-key': 'acme' };

it('makes its folder, and a file that only its user can read', async () => {
  const file = join(temporaryFolder(), 'deep', 'down', 'service.db');
  await testService({ file });
  const modes = ['', '-wal'].map((suffix) => statSync(`${file}${suffix}`).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
});

it('rejects where the port is taken', async () => {
  const { service } = await testService();
  const port = Number(new URL(service().url).port);
  await expect(startSimulatedService({ file: ':memory:', keys, port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

it('keeps connections open for longer than its clients use them', async () => {
  const { service } = await testService();
  const { headers } = await fetch(service().url);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});

it('refuses a file that is not its own', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.db');
  writeFileSync(text, 'not a database, but long enough to be taken for one'.repeat(20));
  await expect(startSimulatedService({ file: text, keys })).rejects.toThrow(
    `${text} is not a SQLite file: use another one`,
  );

  const others = join(folder, 'others.db');
  const db = new Database(others);
  db.exec('CREATE TABLE inbox (id INTEGER PRIMARY KEY)');
  db.close();
  await expect(startSimulatedService({ file: others, keys })).rejects.toThrow(
    `${others} belongs to another program: use a file of the service's own`,
  );
});

it('refuses a file of a newer program', async () => {
  const file = join(temporaryFolder(), 'newer.db');
  await (await startSimulatedService({ file, keys })).close();
  const db = new Database(file);
  db.pragma('user_version = 99');
  db.close();
  await expect(startSimulatedService({ file, keys })).rejects.toThrow(
    `${file} has schema version 99, but this program needs 11: run the version that wrote it, or use another file`,
  );
});

it('takes over the file of the release before, with the changes in it', async () => {
  const file = join(temporaryFolder(), 'before.db');
  await (await startSimulatedService({ file, keys })).close();
  const db = new Database(file);
  db.exec(`DROP INDEX versionsAgain; ALTER TABLE versions DROP COLUMN againAt;
    ALTER TABLE changes DROP COLUMN contents; ALTER TABLE artifacts DROP COLUMN addedAt;
    DROP TABLE fingerprints; DROP TABLE modelRequests; ALTER TABLE issues DROP COLUMN visibility; ALTER TABLE issues DROP COLUMN agreedModel;
    ALTER TABLE turns DROP COLUMN visibility; ALTER TABLE turns DROP COLUMN agreedModel; ALTER TABLE turns DROP COLUMN subject; PRAGMA user_version = 3;
    ${['counters', 'issues', 'artifacts', 'conversations'].map((table) => `ALTER TABLE ${table} RENAME COLUMN organization TO organisation;`).join('')}
    DROP INDEX issuesByOrganization; CREATE INDEX issuesByOrganisation ON issues (organisation);
    INSERT INTO changes VALUES ('a', 'b', 1, 'cart', 'deploy', 'Deploy 4', '4', NULL)`);
  db.close();
  const store = await openStore({ file });
  expect(await store.changes.within({ from: 0, to: 2 })).toEqual([
    {
      id: 'a',
      at: 1,
      service: 'cart',
      kind: 'deploy',
      title: 'Deploy 4',
      version: '4',
      url: null,
      contents: null,
    },
  ]);
  await store.close();
});

it('leaves a file to the process that has it', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const { create } = await testService({ file });
  await expect(startSimulatedService({ file, keys })).rejects.toThrow(
    `${file} is in use by another process: stop it, or use another file`,
  );
  expect((await create()).number).toBe(1);
});

it('leaves the Request and Response of the program that embeds it alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  await testService();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
});
