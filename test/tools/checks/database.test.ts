import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../../src/bot/store/migrate.ts';
import { openStore, type Store } from '../../../src/bot/store/open.ts';
import { checkDatabase, checkStored } from '../../../src/tools/checks/database.ts';
import { diagnose } from '../../../src/tools/doctor.ts';
import { anIntent, storePayload } from '../../support/intents.ts';
import { newIssue } from '../../support/issues.ts';
import { instantClock } from '../../support/manual-clock.ts';
import { migratedFile } from '../../support/open-test-store.ts';

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
      fix: 'start that version, or restore a backup from before the upgrade',
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

describe('what the database tells npm run doctor', () => {
  const SINCE = Date.parse('2026-03-17T12:00:00Z');
  let store: Store;

  beforeEach(async () => {
    copyFileSync(await migratedFile(), file);
    store = await openStore({ file, clock: instantClock() });
  });

  afterEach(async () => {
    await store.close();
  });

  const well = { name: 'stored data', ok: true, detail: 'all of it can be read', fix: null };

  it('is that nothing is wrong, also while Gumshoe runs', async () => {
    await store.issues.add(newIssue());
    await store.flags.probe();
    expect(checkStored(file)).toEqual([well, { name: 'open problems', ok: true, detail: 'none', fix: null }]);
  });

  it.each([
    [
      'channel:C1',
      'is_archived',
      'cannot post in channel C1 (is_archived); messages are queued, since 2026-03-17 12:00 UTC',
      /^unarchive the channel/u,
    ],
    ['channel:C1', 'not_in_channel', /in channel C1/u, /\/invite @Gumshoe/u],
    ['channel:C1', 'channel_not_found', /in channel C1/u, /\/invite @Gumshoe .*deleted/u],
    ['channel:C1', 'restricted_action', /in channel C1/u, /posting permissions/u],
    ['scope:pins:read', 'missing_scope', /the Slack scope pins:read/u, /reinstall the app/u],
    ['service:key', '401', /has rejected the API key since 2026/u, /ISSUE_SERVICE_API_KEY/u],
    [
      'service:right:issues.update',
      'refused',
      /has not been allowed issues\.update/u,
      /give the key that permission/u,
    ],
    ['service:down', 'unreachable', /has been unreachable since 2026/u, /check the service/u],
  ])('is that %s is in trouble (%s), and what to do', async (name, reason, detail, fix) => {
    await store.problems.begin({ name, reason, since: SINCE, detail: '' });
    const [, ...problems] = checkStored(file);
    expect(problems).toEqual([
      {
        name: 'open problem',
        ok: false,
        detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
        fix: expect.stringMatching(fix),
      },
    ]);
  });

  it('is how much of what is stored is damaged', async () => {
    await store.issues.add(newIssue({ request: '{"title":' }));
    for (const [key, payload] of [
      ['card:a', '{'],
      ['card:b', ''],
    ] as const) {
      await store.outbox.want(anIntent({ key }));
      storePayload(file, key, payload);
    }
    expect(checkStored(file)[0]).toMatchObject({
      ok: false,
      detail: 'some is corrupt: 1 of issues.request, 2 of outbox.payload',
      fix: expect.stringContaining('latest backup'),
    });
  });

  it('is nothing where an older version wrote it', () => {
    const old = join(folder, 'old.db');
    new Sqlite(old).exec('CREATE TABLE issues (id TEXT)').close();
    expect(checkStored(old)).toEqual([well, { name: 'open problems', ok: true, detail: 'none', fix: null }]);
  });

  it('is below the line of the database', async () => {
    await store.problems.begin({ name: 'channel:C1', reason: 'is_archived', since: SINCE, detail: '' });
    const results = await diagnose({ DATABASE_URL: `sqlite:${file}` });
    expect(results.map(({ name, ok }) => [name, ok])).toEqual([
      ['configuration', true],
      ['database', true],
      ['stored data', true],
      ['open problem', false],
    ]);
  });
});
