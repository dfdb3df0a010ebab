import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/bot/store/dialects/sqlite.ts';
import { StoreError } from '../../../src/bot/store/errors.ts';
import { migrate } from '../../../src/bot/store/migrate.ts';
import { migrations } from '../../../src/bot/store/migrations/index.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { errorOf } from '../../contract/client/harness.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-migrate-'));
  file = join(folder, 'gumshoe.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const later: Migration = {
  up: async (db) => {
    await db.schema.createTable('later').addColumn('id', 'text').execute();
  },
};

/** Runs the migrations of a program that knows `known`, and answers the versions it asked to copy. */
async function run(known: Record<string, Migration>): Promise<string[]> {
  const opened = openSqlite(file);
  const copied: string[] = [];
  try {
    await migrate(opened.db.withoutPlugins(), {
      name: `database ${file}`,
      beforeChange: async (version) => {
        copied.push(version);
        await opened.copyTo(join(folder, `copy-of-${version}`));
      },
      known,
    });
  } finally {
    await opened.close();
  }
  return copied;
}

function tables(path: string): unknown[] {
  const db = new Sqlite(path, { readonly: true });
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
  db.close();
  return names;
}

const all = [
  'acts',
  'alerts',
  'allowances',
  'artifacts',
  'audit',
  'audit_head',
  'changes',
  'channels',
  'compatibility',
  'conversations',
  'digests',
  'files',
  'flags',
  'holds',
  'inbox',
  'issues',
  'joins',
  'kysely_migration',
  'kysely_migration_lock',
  'leases',
  'outbox',
  'progress',
  'questions',
  'received_alerts',
  'replicas',
  'results',
  'sessions',
  'silences',
  'ticks',
  'tombstones',
  'troubles',
  'votes',
  'webhooks',
];

describe('migrations', () => {
  it('make every table in a new file, of which no copy is needed', async () => {
    expect(await run({ ...migrations })).toEqual([]);
    expect(tables(file)).toEqual(all);
  });

  it('change an existing database only after it was copied as it was, for this user alone', async () => {
    await run({ ...migrations });
    const before = Object.keys(migrations).sort().at(-1) ?? '';
    expect(await run({ ...migrations, '0099-later': later })).toEqual([before]);
    const copy = join(folder, `copy-of-${before}`);
    expect(tables(file)).toEqual([...all, 'later'].sort());
    expect(tables(copy)).toEqual(all);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600');
  });

  it('leave an up-to-date database alone', async () => {
    await run({ ...migrations });
    expect(await run({ ...migrations })).toEqual([]);
  });

  it('do not touch a database whose copy cannot be made', async () => {
    await run({ ...migrations });
    const opened = openSqlite(file);
    const full = () => Promise.reject(new Error('the disk is full'));
    const known = { ...migrations, '0099-later': later };
    expect(
      await errorOf(migrate(opened.db.withoutPlugins(), { name: 'it', beforeChange: full, known })),
    ).toEqual(new Error('the disk is full'));
    await opened.close();
    expect(tables(file)).toEqual(all);
  });

  it('keep nothing of a step that fails, and name it', async () => {
    await run({ ...migrations });
    const half: Migration = {
      up: async (db) => {
        await db.schema.createTable('half').addColumn('id', 'text').execute();
        throw new Error('no more');
      },
    };
    expect(await errorOf(run({ ...migrations, '0099-half': half }))).toEqual(
      new StoreError(
        `Could not migrate the database ${file}: 0099-half failed. Nothing was changed; go back to the previous version.`,
      ),
    );
    expect(tables(file)).toEqual(all);
  });
});

describe('a database of a newer program', () => {
  it('is refused with what to do, left as it is, and let go of', async () => {
    await run({ ...migrations, '0099-later': later });
    const before = tables(file);
    const message =
      `The database ${file} was written by a newer Gumshoe (it has 0099-later). Start that version, ` +
      'or restore the copy made before the upgrade (next to the database, named .before-…).';
    for (const _ of ['first', 'second']) {
      expect(await errorOf(openStore({ file, clock: instantClock(), lockWaitMs: 0 }))).toEqual(
        new StoreError(message),
      );
    }
    expect(tables(file)).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
  });
});
